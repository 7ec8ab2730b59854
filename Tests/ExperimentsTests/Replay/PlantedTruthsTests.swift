import CacheReplay
import Eviction
import EvictionCore
import Experiments
import Foundation
import Requests
import Results
import Runner
import Synchronization
import Testing
import Traces

/// Instruments find what is planted in a run, and disturbances are said.
@Suite struct PlantedTruthsTests {
  private static func spin(nanoseconds: UInt64) {
    let end = Clock.now() + nanoseconds
    while Clock.now() < end {}
  }

  /// Replays through a cache that takes its lock for each get and works there.
  private static func replay(
    _ trace: Trace, made: @escaping (any CacheLock) -> Void = { _ in },
    work: @escaping @Sendable (UInt32) -> Void = { _ in }
  ) throws -> ReplayOutcome {
    let policy = try #require(try PolicyChoice.parse(["lru"]).first)
    let options = ReplayOptions(run: RunOptions(capacity: 10, arguments: policy.arguments))
    let passes = ReplayPasses(stream: RequestStream(trace, needs: .keyHash), options: options) {
      let lock = $0()
      made(lock)
      return ReplayedCache(
        value: { key in
          lock.withLock { work(key.id) }
          return key.id
        },
        set: { _, _, _, _ in }, removeValue: { _ in }, cost: { _ in nil }, setCost: { _, _ in },
        statistics: { CacheStatistics() })
    }
    return try #require(passes.run { _ in true })
  }

  /// The lock is held 100 µs for one key in ten.
  @Test func longHoldingsAreFound() throws {
    let outcome = try Self.replay(
      .of((0..<2_000).map { $0 % 10 }),
      work: { if $0 == 7 { Self.spin(nanoseconds: 100_000) } })
    let contention = outcome.contention
    #expect(contention.acquisitions == 2_000 && contention.contended == 0)
    #expect(contention.hold.p50 < 90_000 && contention.hold.max >= 99_000)
    let get = try #require(outcome.latency.get)
    #expect(get.p50 < 90_000 && get.p99 >= 99_000)
  }

  /// Every fiftieth request is paused 5 ms.
  @Test func pausesShowInTheTailAndNotInTheMedian() throws {
    let asked = Atomic(0)
    let cache = ReplayedCache {
      if asked.add(1, ordering: .relaxed).oldValue % 50 == 0 { usleep(5_000) }
    }
    let get = try #require(try cache.replay(.of((0..<500).map { $0 })).latency.get)
    #expect(get.count == 500 && get.p99 >= 4_990_000 && get.p50 < 4_990_000)
  }

  @Test func instrumentsAreApart() throws {
    let kinds = Mutex<[String]>([])
    let outcome = try Self.replay(
      .of((0..<20_000).map { $0 % 10 }),
      made: { lock in kinds.withLock { $0.append(type(of: lock).information.name) } })
    #expect(kinds.withLock { $0 } == ["adaptive", "adaptive", "metered"])
    #expect(outcome.latency.clock != nil && outcome.latency.slowdown != nil)
    #expect(outcome.contention.slowdown != nil && outcome.contention.criterion == .failedTry)
    #expect(outcome.machine.seconds > 0)
  }

  private static func quiet(
    _ change: (inout Replay, inout MachineReport) -> Void = { _, _ in }
  ) -> Replay {
    var replay = Replay {
      $0.threads = 2
      $0.lock = "mutex"
      $0.latency = LatencyReport {
        $0.timerOverhead = 20
        $0.slowdown = 0.25
      }
    }
    var machine = MachineReport {
      $0.pinned = true
      $0.seconds = 2
    }
    machine.overlap = 0.9
    machine.waiting = 0.05
    machine.hiccups = 0.02
    machine.steal = 0.02
    machine.frequency = 2.8e9...3e9
    change(&replay, &machine)
    replay.machine = machine
    return replay
  }

  @Test func machineWithinItsLimitsIsQuiet() {
    #expect(Disturbances.found(in: Self.quiet()).isEmpty)
    #expect(
      Disturbances.found(
        in: Replay {
          $0.threads = 1
          $0.lock = "mutex"
        }
      ).isEmpty)
  }

  @Test func everyLimitHasAReason() {
    func found(_ change: (inout Replay, inout MachineReport) -> Void) -> [String] {
      Disturbances.found(in: Self.quiet(change))
    }
    #expect(found { $1.overlap = 0.41 } == ["overlap: 41 % (at least 90 %)"])
    #expect(found { $1.waiting = 0.3 } == ["waiting: 30 % (at most 5 %)"])
    #expect(found { $1.hiccups = 0.05 } == ["hiccups: 5 % (at most 2 %)"])
    #expect(found { $1.steal = 0.1 } == ["steal: 10 % (at most 2 %)"])
    #expect(found { $1.clockDrift = 0.02 } == ["clock: 2.00 % (at most 0.1 %)"])
    #expect(found { $1.frequency = 2e9...3e9 } == ["frequency: 33 % (at most 10 %)"])
    #expect(
      found { replay, _ in replay.latency?.slowdown = 0.4 } == ["timing: 40 % (at most 25 %)"])
    func metering(_ slowdown: Double) -> [String] {
      found { replay, _ in
        let none = DurationSummary {
          $0.p50 = 0
          $0.p99 = 0
          $0.max = 0
          $0.total = 0
        }
        replay.contention = ContentionSummary {
          $0.acquisitions = 1
          $0.contended = 0
          $0.wait = none
          $0.hold = none
        }
        replay.contention?.slowdown = slowdown
      }
    }
    #expect(metering(0.25).isEmpty && metering(0.3) == ["metering: 30 % (at most 25 %)"])
    func throughput(within half: Double) -> [String] {
      found { replay, _ in
        replay.repetitions = Repetitions {
          $0.count = 6
          $0.figures = [
            Repetitions.Figure {
              $0.name = "requestsPerSecond"
              $0.values = []
              $0.mean = 10
              $0.interval = 10 - half...10 + half
            }
          ]
        }
      }
    }
    #expect(throughput(within: 2).isEmpty)
    #expect(throughput(within: 4) == ["unsettled: 40 % (at most 25 %)"])
    #expect(found { $1.seconds = 0.002 } == ["short: 2.0 ms in all passes (at least 10 ms)"])
    let oversubscribed = found { replay, machine in
      replay.isOversubscribed = true
      machine.overlap = 0.1
      machine.waiting = 0.5
    }
    #expect(oversubscribed.isEmpty)
  }

  @Test func responseThatIsTheMachinesIsMarked() {
    func summary(p99: Int) -> LatencySummary {
      LatencySummary {
        $0.count = 10
        $0.mean = 1
        $0.p50 = 1
        $0.p90 = 1
        $0.p99 = p99
        $0.p999 = p99
        $0.max = p99
      }
    }
    func found(idle: Int) -> [String] {
      Disturbances.found(
        in: Self.quiet { replay, _ in
          replay.idle = summary(p99: idle)
          replay.response = ResponseSummary {
            $0.whole = summary(p99: 20_000)
            $0.quarters = [1, 1, 1, 1]
          }
        })
    }
    #expect(found(idle: 10_000).isEmpty)
    #expect(found(idle: 12_000) == ["no cache: 60 % (at most 50 %)"])
  }
}
