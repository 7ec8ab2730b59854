import Foundation
import Laboratory
import Testing

/// `evict replay` as a process: shards, ways of reading, verification.
@Suite struct ReplayLocksTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private static let replay = "evict replay tiny.txt --policy lru --capacity 2 --no-yardstick"

  @Test func locksShardsAndReadsStandSideBySide() async throws {
    let outcome = try await shell.run(
      "\(Self.replay) --lock mutex,sharded:2:big-reader --reads strict,buffered --format json")
    #expect(outcome.errors.isEmpty && outcome.code == 0, "\(outcome)")
    let results = try ResultSet(reading: outcome.output.utf8, file: "replay")
    let replays = results.measurements.compactMap(\.replay)
    #expect(
      replays.map(\.lock) == ["mutex", "mutex", "sharded:2:big-reader", "sharded:2:big-reader"])
    #expect(replays.map(\.reads) == [.strict, .buffered, .strict, .buffered])
    #expect(replays.map(\.contention?.shards.count) == [0, 0, 2, 2])
  }

  @Test func verificationIsATableOfWhatWasJudged() async throws {
    let outcome = try await shell.run(
      "\(Self.replay) --lock mutex,sharded:2:rwlock --threads 2 --verify --verify-for 20ms")
    #expect(outcome.errors.isEmpty && outcome.code == 0, "\(outcome)")
    for text in ["reads judged", "violations", "sharded:2:rwlock", "lru"] {
      #expect(outcome.output.contains(text))
    }
  }

  @Test func verificationOfBytesIsRefused() async throws {
    try shell.write("key,size\na,1\nb,2\n", to: "sized.csv")
    let outcome = try await shell.run(
      "evict replay sized.csv --policy lru --capacity 2 --sized --verify")
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(
      outcome.errors.hasPrefix(
        "evict: --verify counts objects; give capacities in objects, without --sized"),
      "\(outcome)")
  }

  @Test func verificationIsADocumentAsWell() async throws {
    let outcome = try await shell.run(
      "\(Self.replay.replacing("lru", with: "lru,arc")) --reads strict,buffered --verify --format json"
    )
    #expect(outcome.errors.isEmpty && outcome.code == 0, "\(outcome)")
    let document = try JSON(reading: outcome.output.utf8)
    #expect(document["schema"] == "evictionlab.verification/1")
    #expect(document["passed"] == .boolean(true) && document["complete"] == nil)
    guard case .array(let traces) = document["traces"] else {
      Issue.record("no traces in \(outcome)")
      return
    }
    #expect(traces.map { $0["name"] } == ["tiny.txt"] && traces[0]["sha256"] != nil)
    guard case .array(let cells) = document["cells"] else {
      Issue.record("no cells in \(outcome)")
      return
    }
    #expect(cells.map { $0["policy"] } == ["lru", "lru", "arc", "arc"])
    #expect(cells.map { $0["reads"] } == ["strict", "buffered", "strict", "buffered"])
    // One thread alone would prove little.
    #expect(cells.map { $0["threads"] } == [JSON?](repeating: .integer(4), count: 4))
  }

  @Test(arguments: [
    ("--lock sharded:0:mutex", "“sharded:0:mutex” names no lock; give a name or sharded:N:LOCK"),
    ("--lock sharded:2:mutx", "no lock is called “mutx”; known are mutex, "),
    ("--reads eager", "“eager” is no way to read; known are strict, buffered"),
    ("--verify-for 1s", "--verify-for needs --verify"),
    ("--verify --verify-for 0", "--verify-for 0 verifies nothing"),
    (
      "--verify --rate 1e5 --miss-penalty 1ms --share keys --repeat 2 --histograms h --warmup 1",
      "--verify measures nothing; leave out --share, --rate, --miss-penalty, --repeat, --histograms, "
        + "--warmup"
    ),
    (
      "--verify --pace trace --arrivals uniform --sample 2 --cut fill --resources --count-sets",
      "--verify measures nothing; leave out --pace, --arrivals, --sample, --cut, --resources, "
        + "--count-sets"
    ),
    ("--verify --format html", "--verify has no form html; give table or json"),
    ("--verify --lock none", "lru: the lock “none” is for one thread, not 4"),
    ("--lock sharded:4097:mutex", "or sharded:N:LOCK with 1 to 4096 shards"),
    ("--lock sharded:4:mutex", "lru: a capacity of 2 is too small for 4 shards"),
  ])
  func wrongUsageIsOneLine(options: String, message: String) async throws {
    let outcome = try await shell.run("\(Self.replay) \(options)")
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }
}
