import EvictionCore

/// A key as the store has it: text that is compared and hashed by its UTF-8 bytes.
package struct TextKey: StablyHashable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: TextKey, right: TextKey) -> Bool {
    left.withBytes { left in right.withBytes { right in left.elementsEqual(right) } }
  }

  package func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  package func stableHash(seed: UInt64) -> UInt64 {
    withBytes { UniversalHash.hash(UnsafeRawBufferPointer($0), seed: seed).hash }
  }

  package var keyLength: Int { text.utf8.count }

  package var description: String { text }

  private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(text.utf8).withUnsafeBufferPointer(body)
  }
}

extension TextKey {
  /// The mark of a text that stands for bytes which are no text.
  private static var mark: Unicode.Scalar { "\u{F8FF}" }

  /// The text of a key: its bytes where they are UTF-8, else a character for each of them, after a mark.
  init(_ key: some DiskKey) {
    if let text = key as? String {
      self.text = text
      return
    }
    let bytes = key.diskBytes
    if let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.first != TextKey.mark
    {
      self.text = text
      return
    }
    var scalars = String.UnicodeScalarView([TextKey.mark])
    scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    text = String(scalars)
  }

  /// The key of which this is the text; nil if it is no key's.
  func key<Key: DiskKey>(as type: Key.Type) -> Key? {
    if let text = text as? Key { return text }
    if text.unicodeScalars.first != TextKey.mark { return Key(diskBytes: Array(text.utf8)) }
    let bytes = text.unicodeScalars.dropFirst().compactMap { UInt8(exactly: $0.value) }
    guard let key = Key(diskBytes: bytes), TextKey(key) == self else { return nil }
    return key
  }
}
