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

/// A cache that holds everything or nothing, takes its time, and remembers who asked for what.
final class FakeCache: Sendable {
  struct Call: Sendable {
    let thread: Int
    let key: UInt32
    let isSet: Bool
    let time: UInt64
  }

  private let hits: Bool
  /// The sleep of a get, in nanoseconds.
  private let pause: Int
  private let log = Mutex([Call]())

  init(hits: Bool = true, pause: Int = 0) {
    self.hits = hits
    self.pause = pause
  }

  var calls: [Call] { log.withLock { $0 } }

  private func note(_ key: UInt32, isSet: Bool) {
    // That of no other thread of a pass, as all of them live when the first one asks.
    let thread = Int(bitPattern: pthread_self())
    let call = Call(thread: thread, key: key, isSet: isSet, time: Clock.now())
    log.withLock { $0.append(call) }
  }

  var replayed: ReplayedCache {
    ReplayedCache(
      value: { key in
        self.note(key.id, isSet: false)
        if self.pause > 0 { Thread.sleep(forTimeInterval: Double(self.pause) / 1e9) }
        return self.hits ? key.id : nil
      },
      set: { key, _, _, _ in self.note(key.id, isSet: true) }, removeValue: { _ in },
      cost: { _ in nil }, setCost: { _, _ in }, statistics: { CacheStatistics() })
  }

  /// Replays a trace through this cache.
  func replay(
    _ trace: Trace, threads: Int = 1, pace: ReplayPace = .closed,
    conditions: ReplayConditions = ReplayConditions()
  ) throws -> ReplayOutcome {
    try replayed.replay(trace, threads: threads, pace: pace, conditions: conditions)
  }
}

extension ReplayedCache {
  /// A cache that hits always, after some work.
  init(work: @escaping @Sendable () -> Void) {
    self.init(
      value: { key in
        work()
        return key.id
      },
      set: { _, _, _, _ in }, removeValue: { _ in }, cost: { _ in nil }, setCost: { _, _ in },
      statistics: { CacheStatistics() })
  }

  /// Replays a trace through this cache.
  func replay(
    _ trace: Trace, threads: Int = 1, pace: ReplayPace = .closed,
    conditions: ReplayConditions = ReplayConditions(), warmup: Int = 0
  ) throws -> ReplayOutcome {
    let policy = try #require(try PolicyChoice.parse(["lru"]).first)
    var run = RunOptions(capacity: 1, arguments: policy.arguments)
    run.warmup = warmup
    let options = ReplayOptions(run: run, threads: threads, pace: pace, conditions: conditions)
    let replay = ReplayPasses(
      stream: RequestStream(trace, needs: .keyHash), options: options,
      makeCache: { _ in self })
    return try #require(replay.run { _ in true })
  }
}
