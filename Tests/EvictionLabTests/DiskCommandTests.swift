import Results
import Testing

/// `evict disk` as a process.
@Suite struct DiskCommandTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
    let requests = (0..<200).map { "\($0 * $0 % 37),\($0),\(1 << ($0 * $0 % 37 % 14))\n" }
    try shell.write("key,time,size\n" + requests.joined(), to: "sized.csv")
  }

  @Test func aSweepRecommendsAThreshold() async throws {
    let outcome = try await shell.run(
      "evict disk sized.csv --policy lru,sieve --capacity 100% --sized --threshold 0,64KiB"
        + " --rounds 2 --recommend --durability none --folder . --format json")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "disk")
    #expect(results.measurements.count == 8)
    for measurement in results.measurements {
      let disk = try #require(measurement.disk)
      #expect(measurement.hits > 0 && disk.recovery?.lost == 0)
      #expect((disk.read?.p99 ?? 0) > 0 && (disk.write?.p99 ?? 0) > 0 && disk.longestLog > 0)
    }
    let recommendation = try #require(results.recommendations.first)
    #expect(recommendation.interval.contains(recommendation.inlineThreshold))
    #expect(recommendation.rounds == 2)
    #expect(try shell.files() == ["sized.csv", "tiny.txt"])
  }

  @Test func theDocumentHasItsCommandAndEqualThresholdsOnce() async throws {
    let options =
      "disk sized.csv --capacity 1MiB --threshold 4KiB,4096 --page-size 1KiB,1024 --warmup 10"
      + " --limit 100 --durability none,none --format json"
    let outcome = try await shell.run("evict \(options)")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "disk")
    #expect(results.measurements.map(\.requests) == [90])
    #expect(results.commands == ["evict \(options)"])
  }

  @Test func moreFilesThanMayBeOpenAreReadCold() async throws {
    let requests = (0..<200).map { "\($0),\($0),100\n" }
    try shell.write("key,time,size\n" + requests.joined(), to: "many.csv")
    let outcome = try await shell.run(
      "ulimit -n 64; evict disk many.csv --capacity 1MiB --threshold 0 --durability none"
        + " --format json")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "disk")
    let disk = try #require(results.measurements.first?.disk)
    #expect(disk.files > 200)
    #if os(Linux)
      #expect(disk.coldRead?.count == 24)
    #endif
  }

  /// The first cell has only files; the second's log passes the limit of a file's size.
  @Test func whatIsFinishedBeforeAFailureIsWritten() async throws {
    let requests = (0..<10).map { "\($0),\($0),200000\n" }
    try shell.write("key,time,size\n" + requests.joined(), to: "large.csv")
    let outcome = try await shell.run(
      "trap '' XFSZ; ulimit -f 2400; evict disk large.csv --capacity 64MiB --threshold 0,1MiB"
        + " --durability none --format json --output large.json")
    #expect(outcome.code == 74)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(outcome)")
    #expect(lines.first == "evict: ended by a failure; 1 of 2 cells are written")
    #expect(lines.last?.contains("/manifest.sqlite: cannot ") == true, "\(outcome)")
    let results = try ResultSet(reading: shell.read("large.json").utf8, file: "large.json")
    #expect(!results.isComplete)
    #expect(results.measurements.map(\.disk?.setup.inlineThreshold) == [0])
  }

  @Test func oneThresholdRecommendsNothing() async throws {
    let outcome = try await shell.run(
      "evict disk sized.csv --capacity 1KiB --threshold 4KiB --recommend")
    #expect(outcome.code == 64)
    #expect(
      outcome.errors.contains(
        "--recommend compares the database with files; give --threshold two sizes or more"))
  }

  @Test func thresholdsThatMissEverySizeRecommendNothing() async throws {
    let outcome = try await shell.run(
      "evict disk sized.csv --capacity 1MiB --threshold 1MiB,2MiB --rounds 1 --recommend"
        + " --durability none")
    #expect(outcome.code == 0)
    #expect(
      outcome.errors
        == "evict: nothing to recommend: no size of value was in the database and in files; "
        + "give --threshold sizes below and above those of the trace\n")
  }

  @Test(arguments: [
    ("--threshold 4q", "“4q” is no threshold; give bytes, such as 16KiB"),
    ("--page-size 1000", "“1000” is no page size; give a power of two from 512 to 65536"),
    (
      "--durability most",
      "“most” is no durability; known are none, process-crash, power-loss"
    ),
    (
      "--policy lru:resize=true",
      "lru: a get leaves a value on disk as it is, a set always resizes it; leave out resize"
    ),
    ("--rounds 0", "--rounds 0 is out of range; give 1 to 1000"),
  ])
  func whatCannotBeRunIsRefused(option: String, message: String) async throws {
    let outcome = try await shell.run("evict disk sized.csv --capacity 1KiB \(option)")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains(message), "\(outcome)")
  }

  @Test func aTraceWithoutSizesIsBadData() async throws {
    let outcome = try await shell.run("evict disk tiny.txt --capacity 2")
    #expect(outcome.code == 65)
    #expect(
      outcome.errors
        == "evict: tiny.txt has no sizes, so there is nothing to write; give a trace with sizes\n")
  }
}
