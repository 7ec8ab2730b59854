import Parameters

/// Twitter's cache traces as libCacheSim's binary records of 20 bytes, little-endian.
///
///     0   uint32  time, seconds
///     4   uint64  object
///     12  uint32  bytes of the key in the highest 10 bits, bytes of the value below
///     16  uint32  operation in the highest 8 bits, time to live in seconds below, 0 for none
///
/// The size is the key's and the value's together. As `twrBin.h` in
/// https://github.com/1a1a11a/libCacheSim reads it, which skips gets of no value unless told
/// otherwise; here they are requests.
struct TwrFormat: RecordFormat {
  static let information = CatalogEntry(
    name: "twr", summary: "Twitter's traces as libCacheSim's binary records; told by its name")

  static let layout = RecordLayout(
    size: 20, key: .unsigned(8, at: 4),
    sizes: [.unsigned(4, at: 12, shift: 22), .unsigned(4, at: 12, mask: 0x3F_FFFF)],
    time: .unsigned(4, at: 0), ttl: .unsigned(4, at: 16, mask: 0xFF_FFFF),
    operation: .unsigned(1, at: 19), keyLength: .unsigned(4, at: 12, shift: 22))

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.recognition(ofBinary: sample.isNamed("twr"))
  }
}
