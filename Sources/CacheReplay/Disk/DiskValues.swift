import EvictionCore

/// The bytes of the values that experiments write: the same for the same key and version, others for any
/// other, and incompressible.
struct DiskValues {
  /// The number of writes of each key.
  private var versions: [UInt32]

  /// Values of keys with ids below `keys`, none written yet.
  init(keys: Int) { versions = Array(repeating: 0, count: keys) }

  /// The next version of a key's value.
  mutating func next(_ id: UInt32, size: Int) -> [UInt8] {
    versions[Int(id)] &+= 1
    return DiskValues.bytes(id: id, version: versions[Int(id)], size: size)
  }

  /// The bytes of one version.
  static func bytes(id: UInt32, version: UInt32, size: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(id) << 32 | UInt64(version))
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      var position = 0
      while position + 8 <= size {
        raw.storeBytes(of: random.next(), toByteOffset: position, as: UInt64.self)
        position += 8
      }
      var rest = random.next()
      while position < size {
        raw[position] = UInt8(truncatingIfNeeded: rest)
        rest >>= 8
        position += 1
      }
      count = size
    }
  }
}
