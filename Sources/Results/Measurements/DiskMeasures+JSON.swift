extension DiskMeasures: Documented {
  package static let blank = DiskMeasures(round: 0, inlineThreshold: 0, pageSize: 0, durability: "")
  package static let fields: [Field<DiskMeasures>] = [
    Field("round", \.round, .exact, "the round of the experiment, from 1"),
    Field(
      "inlineThreshold", \.inlineThreshold, .exact, "values of more bytes had files of their own"),
    Field("pageSize", \.pageSize, .exact, "a database page, in bytes"),
    Field("durability", \.durability, .exact, "the promise of the store"),
    .group(
      "latency",
      .constant("unit", "ns", "the unit of times"),
      Field("read", \.read, "gets that hit"),
      Field("coldRead", \.coldRead, "gets of values that the system's memory does not hold"),
      Field("write", \.write, "sets of new keys, with the evictions they bring"),
      Field("replace", \.replace, "sets of keys that have a value")),
    Field("bytesSet", \.bytesSet, .exact, "bytes of the values that were set"),
    Field("bytesWritten", \.bytesWritten, .estimated, "bytes that the process wrote for them"),
    .derived("writeAmplification", \.writeAmplification, .estimated, "`bytesWritten` / `bytesSet`"),
    Field("commits", \.commits, .exact, "transactions"),
    Field("longestLog", \.longestLog, .exact, "the longest write-ahead log, in bytes"),
    Field("files", \.files, .exact, "files at the end, with the database's"),
    Field("allocatedBytes", \.allocatedBytes, .estimated, "their disk space, in bytes"),
    Field("recovery", \.recovery, "the opening of the folder as a kill leaves it"),
    Field("sizes", \.sizes, "times by size of value"),
  ]
}

extension DiskRecovery: Documented {
  package static let blank = DiskRecovery(entries: 0, lost: 0, openSeconds: 0, reconciledSeconds: 0)
  package static let fields: [Field<DiskRecovery>] = [
    Field("entries", \.entries, .exact, "entries at the time of the kill"),
    Field("lost", \.lost, .exact, "those that were gone afterwards"),
    Field("openSeconds", \.openSeconds, .timed, "until the cache was open, in seconds"),
    Field(
      "reconciledSeconds", \.reconciledSeconds, .timed, "until files and rows agreed, in seconds"),
  ]
}

extension SizeTimes: Documented {
  package static let blank = SizeTimes(from: 0, isInline: false)
  package static let fields: [Field<SizeTimes>] = [
    Field(
      "from", \.from, .exact, "the smallest size, in bytes; the largest is one less than twice that"
    ),
    Field("isInline", \.isInline, .exact, "the values were in the database"),
    Field("reads", \.reads, .exact, "gets of the trace that hit"),
    Field("read", \.read, .timed, "their median, in ns"),
    Field("coldRead", \.coldRead, .timed, "the median of cold gets, in ns"),
    Field("writes", \.writes, .exact, "sets of new keys"),
    Field("write", \.write, .timed, "their mean, in ns"),
    Field("replaces", \.replaces, .exact, "sets of keys that had a value"),
    Field("replace", \.replace, .timed, "their mean, in ns"),
  ]
}
