/// The measurements that only an experiment on disk has.
package struct DiskMeasures: Documented {
  package var setup = DiskSetup()

  package var read: LatencySummary?
  package var coldRead: LatencySummary?
  package var write: LatencySummary?
  package var replace: LatencySummary?

  package var bytesSet = 0
  /// Nil where the system does not say.
  package var bytesWritten: Int?
  package var commits = 0
  package var longestLog = 0
  package var files = 0
  package var allocatedBytes = 0
  package var recovery: DiskRecovery?
  package var sizes: [SizeTimes] = []

  /// Bytes written per byte set; nil where one of them is unknown or none.
  package var writeAmplification: Double? {
    bytesSet == 0 ? nil : bytesWritten.map { Double($0) / Double(bytesSet) }
  }

  package init() {}

  package static let fields: [Field<DiskMeasures>] = [
    Field("round", \.setup.round, "the round of the experiment, from 1", .exact),
    Field(
      "inlineThreshold", \.setup.inlineThreshold, "values of more bytes had files of their own",
      .exact),
    Field("pageSize", \.setup.pageSize, "a database page, in bytes", .exact),
    Field("durability", \.setup.durability, "the promise of the store", .exact),
    .group(
      "latency",
      .constant("unit", "ns", "the unit of times"),
      Field("read", \.read, "gets that hit"),
      Field("coldRead", \.coldRead, "gets of values that the system's memory does not hold"),
      Field("write", \.write, "sets of new keys, with the evictions they bring"),
      Field("replace", \.replace, "sets of keys that have a value")),
    Field("bytesSet", \.bytesSet, "bytes of the values that were set", .exact),
    Field("bytesWritten", \.bytesWritten, "bytes that the process wrote for them", .estimated),
    .derived("writeAmplification", \.writeAmplification, "`bytesWritten` / `bytesSet`", .estimated),
    Field("commits", \.commits, "transactions", .exact),
    Field("longestLog", \.longestLog, "the longest write-ahead log, in bytes", .exact),
    Field("files", \.files, "files at the end, with the database's", .exact),
    Field("allocatedBytes", \.allocatedBytes, "their disk space, in bytes", .estimated),
    Field("recovery", \.recovery, "the opening of the folder as a kill leaves it"),
    Field("sizes", \.sizes, "times by size of value"),
  ]
}

/// The recovery of a store after a kill.
package struct DiskRecovery: Documented {
  package var entries = 0
  package var lost = 0
  package var openSeconds = 0.0
  package var reconciledSeconds = 0.0

  package init() {}

  package static let fields: [Field<DiskRecovery>] = [
    Field("entries", \.entries, "entries at the time of the kill", .exact),
    Field("lost", \.lost, "those that were gone afterwards", .exact),
    Field("openSeconds", \.openSeconds, "until the cache was open, in seconds", .timed),
    Field(
      "reconciledSeconds", \.reconciledSeconds, "until files and rows agreed, in seconds", .timed),
  ]
}

/// The durations of operations on values of some sizes, in nanoseconds; nil for those that did not happen.
package struct SizeTimes: Documented {
  package var from = 0
  package var isInline = false
  package var reads = 0
  package var read: Double?
  package var coldRead: Double?
  package var writes = 0
  package var write: Double?
  package var replaces = 0
  package var replace: Double?

  package init() {}

  package static let fields: [Field<SizeTimes>] = [
    Field(
      "from", \.from, "the smallest size, in bytes; the largest is one less than twice that", .exact
    ),
    Field("isInline", \.isInline, "the values were in the database", .exact),
    Field("reads", \.reads, "gets of the trace that hit", .exact),
    Field("read", \.read, "their median, in ns", .timed),
    Field("coldRead", \.coldRead, "the median of cold gets, in ns", .timed),
    Field("writes", \.writes, "sets of new keys", .exact),
    Field("write", \.write, "their mean, in ns", .timed),
    Field("replaces", \.replaces, "sets of keys that had a value", .exact),
    Field("replace", \.replace, "their mean, in ns", .timed),
  ]
}
