extension DiskMeasures: Documented {
  package static let blank = DiskMeasures(round: 0, inlineThreshold: 0, pageSize: 0, durability: "")
  package static let fields: [Field<DiskMeasures>] = [
    Field("round", \.round, "the round of the experiment, from 1"),
    Field("inlineThreshold", \.inlineThreshold, "values of more bytes had files of their own"),
    Field("pageSize", \.pageSize, "a database page, in bytes"),
    Field("durability", \.durability, "the promise of the store"),
    .group(
      "latency",
      .constant("unit", "ns", "the unit of times"),
      Field("read", \.read, "gets that hit"),
      Field("coldRead", \.coldRead, "gets of values that the system's memory does not hold"),
      Field("write", \.write, "sets of new keys, with the evictions they bring"),
      Field("replace", \.replace, "sets of keys that have a value")),
    Field("bytesSet", \.bytesSet, "bytes of the values that were set"),
    Field("bytesWritten", \.bytesWritten, "bytes that the process wrote for them"),
    .derived("writeAmplification", \.writeAmplification, "`bytesWritten` / `bytesSet`"),
    Field("commits", \.commits, "transactions"),
    Field("longestLog", \.longestLog, "the longest write-ahead log, in bytes"),
    Field("files", \.files, "files at the end, with the database's"),
    Field("allocatedBytes", \.allocatedBytes, "their disk space, in bytes"),
    Field("recovery", \.recovery, "the opening of the folder as a kill leaves it"),
    Field("sizes", \.sizes, "times by size of value"),
  ]
}

extension DiskRecovery: Documented {
  package static let blank = DiskRecovery(entries: 0, lost: 0, openSeconds: 0, reconciledSeconds: 0)
  package static let fields: [Field<DiskRecovery>] = [
    Field("entries", \.entries, "entries at the time of the kill"),
    Field("lost", \.lost, "those that were gone afterwards"),
    Field("openSeconds", \.openSeconds, "until the cache was open, in seconds"),
    Field("reconciledSeconds", \.reconciledSeconds, "until files and rows agreed, in seconds"),
  ]
}

extension SizeTimes: Documented {
  package static let blank = SizeTimes(from: 0, isInline: false)
  package static let fields: [Field<SizeTimes>] = [
    Field("from", \.from, "the smallest size, in bytes; the largest is one less than twice that"),
    Field("isInline", \.isInline, "the values were in the database"),
    Field("reads", \.reads, "gets of the trace that hit"),
    Field("read", \.read, "their median, in ns"),
    Field("coldRead", \.coldRead, "the median of cold gets, in ns"),
    Field("writes", \.writes, "sets of new keys"),
    Field("write", \.write, "their mean, in ns"),
    Field("replaces", \.replaces, "sets of keys that had a value"),
    Field("replace", \.replace, "their mean, in ns"),
  ]
}
