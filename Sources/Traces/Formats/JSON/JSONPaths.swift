import Parameters

/// Finds the values at a few paths of JSON objects, one object after the other.
///
/// The names of a path have points between them: `request.uri`. A name may hold points itself, as in
/// `{"http.request.uri": …}`: every way to read the path is tried.
struct JSONPaths: ~Copyable {
  private let nodes: UnsafeBufferPointer<JSONPathNode>
  /// The names of all nodes, one behind the other.
  private let names: UnsafeBufferPointer<UInt8>
  private let values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>

  /// Paths by their places; those that are nil have no values.
  init(_ paths: [String?]) {
    precondition(paths.count <= 64, "too many paths")
    var tree = JSONPathTree()
    for (place, path) in paths.enumerated() {
      if let path { tree.add(Array(path.utf8)[...], place: place, below: 0) }
    }
    nodes = UnsafeBufferPointer(copying: tree.nodes)
    names = UnsafeBufferPointer(copying: tree.names)
    values = .allocate(capacity: paths.count)
    values.initialize(repeating: nil)
  }

  deinit {
    nodes.deallocate()
    names.deallocate()
    values.deallocate()
  }

  /// The value at the path of that place, without quotes; nil where the object has none, or null.
  subscript(place: Int) -> UnsafeRawBufferPointer? { values[place] }

  /// Reads an object; false where the text isn't just one.
  @inline(__always)
  func read(_ text: UnsafeRawBufferPointer) -> Bool {
    values.update(repeating: nil)
    var scanner = JSONScanner(text)
    walk(&scanner, below: nodes[0].firstChild)
    return scanner.isWhole
  }

  private func walk(_ scanner: inout JSONScanner, below first: Int) {
    while let name = scanner.nextName() {
      var number = first
      while number != 0, !isName(name, of: nodes[number]) { number = nodes[number].next }
      if number == 0 {
        scanner.skipValue()
      } else if nodes[number].firstChild != 0, var inner = scanner.beginObject() {
        walk(&inner, below: nodes[number].firstChild)
        scanner.end(inner)
      } else if let value = scanner.skipValue(), !value.isNull {
        var ends = nodes[number].ends
        while ends != 0 {
          values[ends.trailingZeroBitCount] = value
          ends &= ends - 1
        }
      }
    }
  }

  @inline(__always)
  private func isName(_ name: UnsafeRawBufferPointer, of node: JSONPathNode) -> Bool {
    if node.count != name.count || name.isEmpty { return false }
    return memcmp(
      name.baseAddress.unsafelyUnwrapped, names.baseAddress.unsafelyUnwrapped + node.start,
      node.count) == 0
  }
}

/// A name on the way to a value.
private struct JSONPathNode: BitwiseCopyable {
  /// The place of the name among all names.
  var start: Int
  var count: Int
  /// The paths that end here, one bit each.
  var ends: UInt64 = 0
  /// The first name below this, and the next one beside it; 0 for none.
  var firstChild = 0
  var next = 0
}

/// The names of paths while they are collected; the first is the root and has none.
private struct JSONPathTree {
  private(set) var nodes = [JSONPathNode(start: 0, count: 0)]
  private(set) var names: [UInt8] = []

  mutating func add(_ path: ArraySlice<UInt8>, place: Int, below parent: Int) {
    for end in path.indices.dropFirst() where path[end] == UInt8(ascii: ".") {
      add(path[(end + 1)...], place: place, below: node(path[..<end], below: parent))
    }
    let number = node(path, below: parent)
    nodes[number].ends |= 1 << UInt64(place)
  }

  private mutating func node(_ name: ArraySlice<UInt8>, below parent: Int) -> Int {
    var known = nodes[parent].firstChild
    while known != 0 {
      let node = nodes[known]
      if names[node.start..<node.start + node.count].elementsEqual(name) { return known }
      known = node.next
    }
    nodes.append(
      JSONPathNode(start: names.count, count: name.count, next: nodes[parent].firstChild))
    names += name
    nodes[parent].firstChild = nodes.count - 1
    return nodes.count - 1
  }
}

extension UnsafeBufferPointer where Element: BitwiseCopyable {
  /// A copy of some elements, which its owner deallocates.
  fileprivate init(copying elements: [Element]) {
    let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = copy.initialize(from: elements)
    self.init(copy)
  }
}

extension UnsafeRawBufferPointer {
  /// True for the word `null` of JSON, which is no string.
  fileprivate var isNull: Bool {
    isWord("null")
      && (baseAddress.unsafelyUnwrapped - 1).load(as: UInt8.self) != UInt8(ascii: "\"")
  }
}

extension KeyText {
  /// Appends a string of JSON, whose escapes are replaced by the characters that they stand for (RFC 8259).
  mutating func append(unescapingJSON text: UnsafeRawBufferPointer) {
    var rest = text
    while let slash = rest.place(of: UInt8(ascii: "\\"), from: 0), slash + 1 < rest.count {
      append(UnsafeRawBufferPointer(rebasing: rest[..<slash]))
      var used = slash + 2
      switch rest[slash + 1] {
      case UInt8(ascii: "n"): append(byte: 0x0A)
      case UInt8(ascii: "r"): append(byte: 0x0D)
      case UInt8(ascii: "t"): append(byte: 0x09)
      case UInt8(ascii: "b"): append(byte: 0x08)
      case UInt8(ascii: "f"): append(byte: 0x0C)
      case UInt8(ascii: "u"):
        let (scalar, count) = Self.scalar(rest, from: slash)
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte: byte) }
        used = slash + count
      case let other: append(byte: other)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[used...])
    }
    append(rest)
  }

  /// The character of `\u00e9`, or of two that are a pair, and the bytes of its escape.
  private static func scalar(
    _ text: UnsafeRawBufferPointer, from slash: Int
  ) -> (Unicode.Scalar, count: Int) {
    guard let high = unit(text, from: slash) else { return ("\u{FFFD}", 2) }
    if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
    guard high < 0xDC00, let low = unit(text, from: slash + 6), 0xDC00..<0xE000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { return ("\u{FFFD}", 6) }
    return (scalar, 12)
  }

  private static func unit(_ text: UnsafeRawBufferPointer, from slash: Int) -> UInt32? {
    guard slash + 5 < text.count, text[slash] == UInt8(ascii: "\\"),
      text[slash + 1] == UInt8(ascii: "u"), let high = text.hexByte(at: slash + 2),
      let low = text.hexByte(at: slash + 4)
    else { return nil }
    return UInt32(high) << 8 | UInt32(low)
  }
}
