import Foundation
import Results
import Testing

/// `evict replay` as a process: shards, ways of reading.
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
    #expect(replays.map(\.reads) == ["strict", "buffered", "strict", "buffered"])
    #expect(replays.map(\.contention?.shards.count) == [0, 0, 2, 2])
  }

  @Test(arguments: [
    ("--lock sharded:0:mutex", "“sharded:0:mutex” names no lock; give a name or sharded:N:LOCK"),
    ("--lock sharded:2:mutx", "no lock is called “mutx”; did you mean mutex?"),
    ("--reads eager", "“eager” is no way to read; known are strict, buffered"),
    ("--threads 4 --lock none", "lru: the lock “none” is for one thread, not 4"),
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
