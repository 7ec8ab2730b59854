import Laboratory
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
