import Parameters

/// libCacheSim's binary records of 24 bytes, little-endian:
///
///     0   uint32  time, seconds
///     4   uint64  object
///     12  uint32  size, bytes
///     16  int64   the request that asks for the object next (not read)
struct OracleGeneralFormat: RecordFormat {
  static let information = CatalogEntry(
    name: "oracleGeneral",
    summary: "libCacheSim's binary records of time, id, size and next access; told by its name")

  static let layout = RecordLayout(
    size: 24, key: .unsigned(8, at: 4), sizes: [.unsigned(4, at: 12)], time: .unsigned(4, at: 0))

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.recognition(ofBinary: sample.name.contains("oraclegeneral"))
  }
}
