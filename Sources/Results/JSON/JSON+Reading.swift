extension JSON {
  /// Reads one JSON value (RFC 8259) from UTF-8.
  ///
  /// Throws ``JSONError``, with the byte at which reading stopped. O(n).
  package init(reading bytes: some Sequence<UInt8>) throws(JSONError) {
    var reader = JSONReader(Array(bytes))
    self = try reader.readDocument()
  }
}

/// The fault of bytes that are not JSON, and its place.
package struct JSONError: Error, Equatable {
  /// The place, counted from 0.
  package let byte: Int
  /// The expected content.
  package let problem: String
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private static let deepest = 200

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // The mark of the order of bytes, which some programs write in front.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func readDocument() throws(JSONError) -> JSON {
    let value = try readValue(depth: 0)
    skipSpace()
    if position < bytes.count { throw failure("the end") }
    return value
  }

  private func failure(_ expected: String) -> JSONError {
    JSONError(byte: position, problem: "expected \(expected)")
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
      position += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func readValue(depth: Int) throws(JSONError) -> JSON {
    skipSpace()
    guard depth < Self.deepest else { throw failure("less nesting") }
    switch next {
    case UInt8(ascii: "{"): return .object(try readMembers(depth: depth))
    case UInt8(ascii: "["): return .array(try readElements(depth: depth))
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return try readNumber()
    }
  }

  private mutating func readMembers(depth: Int) throws(JSONError) -> [JSON.Member] {
    position += 1
    if take("}") { return [] }
    var members: [JSON.Member] = []
    var keys: Set<String> = []
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a key") }
      let start = position
      let key = try readString()
      guard keys.insert(key).inserted else {
        position = start
        throw failure("no second value of the key \(JSON.string(key).text)")
      }
      guard take(":") else { throw failure("a colon") }
      members.append(JSON.Member(key, try readValue(depth: depth + 1)))
    } while take(",")
    guard take("}") else { throw failure("a comma or a closing brace") }
    return members
  }

  private mutating func readElements(depth: Int) throws(JSONError) -> [JSON] {
    position += 1
    if take("]") { return [] }
    var elements: [JSON] = []
    repeat { elements.append(try readValue(depth: depth + 1)) } while take(",")
    guard take("]") else { throw failure("a comma or a closing bracket") }
    return elements
  }

  private mutating func readWord(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw failure(word) }
    position += word.utf8.count
    return value
  }

  private mutating func readNumber() throws(JSONError) -> JSON {
    let start = position
    var end = position
    while end < bytes.count, "+-.0123456789Ee".utf8.contains(bytes[end]) { end += 1 }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    // What Swift reads beyond JSON: a plus sign, a point or zeros in front, a point at the end.
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let hasLeadingZero =
      digits.first == UInt8(ascii: "0")
      && digits.dropFirst().first.map { (0x30...0x39).contains($0) } == true
    let isJSON =
      text.first != "+" && text.first != "." && text.last != "." && !hasLeadingZero
    guard isJSON, let value = Int(text).map(JSON.integer) ?? Double(text).map(JSON.number) else {
      throw failure("a value")
    }
    position = end
    return value
  }

  private mutating func readString() throws(JSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      position += 1
      if byte == UInt8(ascii: "\\") {
        text += Array(String(try readEscape()).utf8)
      } else if byte < 0x20 {
        position -= 1
        throw failure("no control character in a text")
      } else {
        text.append(byte)
      }
    }
    guard next != nil else { throw failure("the end of a text") }
    position += 1
    guard let string = String(validating: text, as: UTF8.self) else {
      throw failure("UTF-8 in a text")
    }
    return string
  }

  private mutating func readEscape() throws(JSONError) -> Character {
    guard let byte = next else { throw failure("an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return Character(try readScalar())
    default: throw failure("an escape")
    }
  }

  private mutating func readScalar() throws(JSONError) -> Unicode.Scalar {
    let high = try readCodeUnit()
    if let scalar = Unicode.Scalar(UInt32(high)) { return scalar }
    guard UTF16.isLeadSurrogate(high), bytes[position...].starts(with: "\\u".utf8) else {
      throw failure("a pair of surrogates")
    }
    position += 2
    let low = try readCodeUnit()
    guard UTF16.isTrailSurrogate(low) else { throw failure("a pair of surrogates") }
    return UTF16.decode(UTF16.EncodedScalar([high, low]))
  }

  private mutating func readCodeUnit() throws(JSONError) -> UInt16 {
    let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let unit = UInt16(digits, radix: 16)
    else { throw failure("four hexadecimal digits") }
    position += 4
    return unit
  }
}
