/// The room that a system under test took at the end of a replay.
package struct SystemUse: Sendable, Equatable {
  /// The entries that it held, of a driven cache on average; nil for a system that does not say.
  package var residents: Int?
  /// The hit ratio of exact LRU with as many entries; nil for a system that is not driven.
  package var lruHitRatioAtResidents: Double?
  /// The hit ratio of exact LRU whose values alone take as much memory; nil for a system that is not driven.
  package var lruHitRatioAtMemory: Double?
  /// The memory that the system added, in bytes; nil where that is unknown.
  package var memory: Int?
  /// The blocks of its files, in bytes; nil for a system in memory.
  package var diskBytes: Int?
  /// Its files; nil for a system in memory.
  package var files: Int?
  /// Bytes that the process handed to the operating system; nil for a system in memory, or where that is unknown.
  package var bytesWritten: Int?
  /// Bytes of the values that were set.
  package var bytesSet: Int

  /// The use of a system.
  package init(
    residents: Int? = nil, memory: Int? = nil, diskBytes: Int? = nil, files: Int? = nil,
    bytesWritten: Int? = nil, bytesSet: Int
  ) {
    self.residents = residents
    self.memory = memory
    self.diskBytes = diskBytes
    self.files = files
    self.bytesWritten = bytesWritten
    self.bytesSet = bytesSet
  }

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
