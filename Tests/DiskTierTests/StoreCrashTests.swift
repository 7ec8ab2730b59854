import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import TestConditions
import Testing

/// The process dies: at each call to the disk, and at random moments by SIGKILL.
///
/// SIGKILL leaves to the kernel what was written: it tests the promise ``Durability/processCrash``, and says
/// nothing of a power loss.
@Suite struct StoreCrashTests {
  private let folder = TemporaryFolder()

  /// From one call on the disk does nothing any more, as if the process had died before it.
  @Test(arguments: StoreFaultTests.steps)
  func deathBeforeAnyCallLosesNothing(step: StoreStep) throws {
    var number = 0
    var isOver = false
    while !isOver {
      let place = TemporaryFolder()
      let disk = FaultyDisk()
      var store: HybridStore? = try HybridStore(
        path: place.store, options: StoreFaultTests.options(), environment: disk.environment)
      try StoreFaultTests.fill(store!)
      disk.restart { [number] count, _ in
        count >= number ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil
      }
      var expected = ExpectedValues(values: StoreFaultTests.before)
      do throws(StoreError) {
        try step.run(on: store!)
        step.apply(to: &expected.values)
      } catch {
        expected.underWay = step
      }
      isOver = disk.count <= number
      store?.waitForBackgroundWork()
      store = nil
      let again = try HybridStore(path: place.store, options: .testing())
      again.waitForBackgroundWork()
      let comment = Comment(rawValue: "\(step.line), call \(number)")
      #expect(try expected.problems(of: again, keys: 10) == [], comment)
      #expect(again.statistics.setAsides == 0, comment)
      try again.close()
      number += 1
    }
  }

  @Test func deathWhileOpeningLeavesAStoreThatOpens() throws {
    var number = 0
    var isOver = false
    while !isOver {
      let disk = FaultyDisk { [number] count, _ in
        count >= number ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil
      }
      let place = TemporaryFolder()
      _ = try? HybridStore(
        path: place.store, options: StoreFaultTests.options(), environment: disk.environment)
      isOver = disk.count <= number
      let store = try HybridStore(path: place.store, options: .testing())
      try store.put([1], forKey: "a")
      #expect(try store.check(repair: false).isClean)
      #expect(store.statistics.setAsides == 0)
      number += 1
    }
    #expect(number > 20)
  }

  /// Kills a worker again and again; each time everything it was told is done must be there.
  ///
  /// The number of kills is small unless EVICTIONLAB_THOROUGH is 1.
  @Test(arguments: Durability.allCases)
  func everythingAcknowledgedSurvivesSIGKILL(durability: Durability) throws {
    let keys = 20
    var expected = ExpectedValues()
    var kills = 0
    var round = 0
    let wanted = isThorough ? 200 : 4
    var moments = SplitMix64(seed: 1)
    while kills < wanted {
      let log = folder.path + "/log-\(round)"
      let worker = try Worker([
        folder.store, log, "\(round)", "2000", "\(round * 2_000)", "\(keys)", durability.rawValue,
      ])
      usleep(UInt32.random(in: 5_000...90_000, using: &moments))
      if worker.kill() { kills += 1 }
      try Self.follow(log, &expected)
      let store = try HybridStore(path: folder.store, options: .testing())
      store.waitForBackgroundWork()
      let comment = Comment(rawValue: "round \(round)")
      #expect(try expected.problems(of: store, keys: keys) == [], comment)
      #expect(store.statistics.setAsides == 0, comment)
      expected = ExpectedValues(values: try ExpectedValues.held(by: store, keys: keys).values)
      try store.close()
      round += 1
    }
    #expect(round > 0)
  }

  /// Kills a worker before one call to the disk after the other.
  @Test func everythingAcknowledgedSurvivesSIGKILLAtEachCall() throws {
    let calls = isThorough ? Array(0..<400) : [0, 25, 60, 110, 170]
    for call in calls {
      let place = TemporaryFolder()
      let log = place.path + "/log"
      let worker = try Worker([
        place.store, log, "7", "60", "0", "6", Durability.processCrash.rawValue, "\(call)",
      ])
      worker.wait()
      var expected = ExpectedValues()
      try Self.follow(log, &expected)
      let store = try HybridStore(path: place.store, options: .testing())
      store.waitForBackgroundWork()
      #expect(try expected.problems(of: store, keys: 6) == [], "call \(call)")
      #expect(store.statistics.setAsides == 0, "call \(call)")
      try store.close()
    }
  }

  /// Applies what a worker's log says was done.
  private static func follow(_ log: String, _ expected: inout ExpectedValues) throws {
    // A worker that was killed at its start has none.
    guard let data = FileManager.default.contents(atPath: log) else { return }
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      if line == "done", let step = expected.underWay {
        step.apply(to: &expected.values)
        expected.underWay = nil
      } else if line != "closed" {
        let begun: StoreStep = try #require(StoreStep(line: line))
        expected.underWay = begun
      }
    }
  }
}
