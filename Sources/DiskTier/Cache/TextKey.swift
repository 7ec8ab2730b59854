import EvictionCore

/// A string as a cache's key: compared and hashed by its UTF-8 bytes, as ``HybridStore`` does.
package struct TextKey: CacheKey {
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

  private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(text.utf8).withUnsafeBufferPointer(body)
  }
}
