import EvictionCore

/// A key of bytes.
struct CacheKey: StablyHashable {
  let bytes: [UInt8]

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

  func stableHash(seed: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { UniversalHash.hash($0, seed: seed).hash }
  }

  var keyLength: Int { bytes.count }
}
