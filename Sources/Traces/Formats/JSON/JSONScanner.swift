/// Walks over the members of one JSON object (RFC 8259) in place, without allocating or recursing.
///
///     while let name = scanner.nextName() { value = scanner.skipValue() }
///     guard scanner.isWhole else { … }
///
/// Values that are not needed are passed over by their brackets and quotes, not checked.
struct JSONScanner {
  private let text: UnsafeRawBufferPointer
  private var at = 0
  private var state = State.start
  /// True when the next element of an array is its first.
  private var isFirst = true

  /// True within an object of another walk, which goes on behind it.
  private var isInner = false

  private enum State { case start, members, end, damaged }

  /// A walk over a text that should be one object.
  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  /// True when the object has ended, and nothing but white space follows it.
  var isWhole: Bool { state == .end }

  /// The name of the next member, as it stands between its quotes; nil at the end of the object or
  /// where it is damaged. Its value is next.
  mutating func nextName() -> UnsafeRawBufferPointer? {
    switch state {
    case .start:
      guard take("{") else { return damage() }
      state = .members
      if take("}") { return finish() }
    case .members:
      if take("}") { return finish() }
      guard take(",") else { return damage() }
    case .end, .damaged: return nil
    }
    guard let name = string(), take(":") else { return damage() }
    return name
  }

  /// Passes over a value and returns its bytes, those of a string without its quotes; nil where it is
  /// damaged.
  @discardableResult
  mutating func skipValue() -> UnsafeRawBufferPointer? {
    skipSpace()
    guard at < text.count else { return damage() }
    switch text[at] {
    case UInt8(ascii: "\""): return string() ?? damage()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nested()
    default: return scalar()
    }
  }

  /// A walk over the object that is the next value; nil, and nowhere, for any other value.
  mutating func beginObject() -> JSONScanner? {
    skipSpace()
    guard at < text.count, text[at] == UInt8(ascii: "{") else { return nil }
    var inner = JSONScanner(text)
    inner.at = at
    inner.isInner = true
    return inner
  }

  /// Goes on behind the object that a walk from ``beginObject()`` was in, passing over what is left of it.
  mutating func end(_ inner: consuming JSONScanner) {
    while inner.nextName() != nil { inner.skipValue() }
    at = inner.at
    if inner.state == .damaged { state = .damaged }
  }

  /// Goes into an array; false, and nowhere, for any other value.
  mutating func beginArray() -> Bool {
    guard take("[") else {
      skipValue()
      return false
    }
    isFirst = true
    return true
  }

  /// The bytes of the array's next element; nil at its end or where it is damaged.
  @inline(__always)
  mutating func nextElement() -> UnsafeRawBufferPointer? {
    if take("]") { return nil }
    if !isFirst, !take(",") { return damage() }
    isFirst = false
    return skipValue()
  }

  @inline(__always)
  private mutating func skipSpace() {
    while at < text.count, UnsafeRawBufferPointer.isSpace(text[at]) { at += 1 }
  }

  @inline(__always)
  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipSpace()
    guard at < text.count, text[at] == UInt8(ascii: mark) else { return false }
    at += 1
    return true
  }

  private mutating func finish() -> UnsafeRawBufferPointer? {
    if isInner {
      state = .end
      return nil
    }
    skipSpace()
    state = at == text.count ? .end : .damaged
    return nil
  }

  private mutating func damage() -> UnsafeRawBufferPointer? {
    state = .damaged
    return nil
  }

  private mutating func string() -> UnsafeRawBufferPointer? {
    guard take("\""), let base = text.baseAddress else { return nil }
    let start = at
    while true {
      let quote = (base + at).place(of: UInt8(ascii: "\""), before: base + text.count) - base
      at = quote + 1
      guard quote < text.count else { return nil }
      // A quote behind an odd number of backslashes is part of the string.
      var slashes = 0
      while quote - slashes > start, text[quote - slashes - 1] == UInt8(ascii: "\\") {
        slashes += 1
      }
      if slashes & 1 == 0 { return UnsafeRawBufferPointer(rebasing: text[start..<quote]) }
    }
  }

  /// A number or a word.
  @inline(__always)
  private mutating func scalar() -> UnsafeRawBufferPointer? {
    let start = at
    while at < text.count {
      let byte = text[at]
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
        || UnsafeRawBufferPointer.isSpace(byte)
      {
        break
      }
      at += 1
    }
    return at == start ? damage() : UnsafeRawBufferPointer(rebasing: text[start..<at])
  }

  /// An object or an array, by counting its brackets.
  private mutating func nested() -> UnsafeRawBufferPointer? {
    let start = at
    var depth = 0
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        guard string() != nil else { return damage() }
        continue
      default: break
      }
      at += 1
      if depth == 0 { return UnsafeRawBufferPointer(rebasing: text[start..<at]) }
    }
    return damage()
  }
}
