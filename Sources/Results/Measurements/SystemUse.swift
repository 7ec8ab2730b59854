/// The room that a system under test took at the end of a replay.
package struct SystemUse: Documented {
  /// Nil for a system that does not say.
  package var residents: Int?
  /// Nil for a system that is not driven.
  package var lruHitRatioAtResidents: Double?
  /// Nil for a system that is not driven.
  package var lruHitRatioAtMemory: Double?
  /// Nil where that is unknown.
  package var memory: Int?
  /// Nil for a system in memory.
  package var diskBytes: Int?
  /// Nil for a system in memory.
  package var files: Int?
  /// Nil for a system in memory, or where that is unknown.
  package var bytesWritten: Int?
  package var bytesSet = 0

  package init() {}

  package static let fields: [Field<SystemUse>] = [
    Field(
      "residents", \.residents,
      "the entries that the system held at the end, of `exec:` on average", .estimated),
    Field(
      "lruHitRatioAtResidents", \.lruHitRatioAtResidents,
      "with `exec:`, the hit ratio of exact LRU with as many entries", .estimated),
    Field(
      "lruHitRatioAtMemory", \.lruHitRatioAtMemory,
      "with `exec:`, the hit ratio of exact LRU whose values alone take as much memory", .estimated),
    Field(
      "memory", \.memory, "the memory that it allocated and still held at the end, in bytes",
      .estimated),
    .derived("bytesPerEntry", \.bytesPerEntry, "`memory` / `residents`", .estimated),
    Field("diskBytes", \.diskBytes, "the blocks of its files, in bytes", .estimated),
    Field("files", \.files, "its files", .estimated),
    Field("bytesWritten", \.bytesWritten, "bytes handed to the operating system", .estimated),
    Field("bytesSet", \.bytesSet, "bytes of the values that were set", .exact),
    .derived("writeAmplification", \.writeAmplification, "`bytesWritten` / `bytesSet`", .estimated),
  ]

  /// The memory that an entry takes, its value included; nil where that is unknown.
  package var bytesPerEntry: Double? {
    guard let memory, let residents, residents > 0 else { return nil }
    return Double(memory) / Double(residents)
  }

  /// The bytes written for each byte set; nil where that is unknown.
  package var writeAmplification: Double? {
    bytesWritten.flatMap { bytesSet > 0 ? Double($0) / Double(bytesSet) : nil }
  }
}
