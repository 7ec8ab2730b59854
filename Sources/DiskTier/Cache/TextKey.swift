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

  /// Eight bytes a step, each mixed into all bits.
  package func stableHash(seed: UInt64) -> UInt64 {
    withBytes { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      var hash = SplitMix64.mix(UInt64(raw.count) &+ seed)
      var position = 0
      while position &+ 8 <= raw.count {
        let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        hash = SplitMix64.mix(hash ^ UInt64(littleEndian: word))
        position &+= 8
      }
      var rest: UInt64 = 0
      while position < raw.count {
        rest = rest << 8 | UInt64(raw[position])
        position &+= 1
      }
      return SplitMix64.mix(hash ^ rest)
    }
  }

  package var keyLength: Int { text.utf8.count }

  private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(text.utf8).withUnsafeBufferPointer(body)
  }
}
