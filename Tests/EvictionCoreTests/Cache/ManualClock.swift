import Eviction
import Synchronization
import Testing

extension Trait where Self == TimeLimitTrait {
  /// For a test whose failure would be that it never ends. While it is suspended others run, so that it may
  /// take as long as all of them.
  static var endsWhenItHangs: Self { .timeLimit(.minutes(30)) }
}

/// A clock that a test moves.
final class ManualClock: Sendable {
  private let time = Atomic<UInt64>(1_000_000_000)

  var clock: CacheClock { CacheClock { [self] in now } }

  var now: UInt64 { time.load(ordering: .relaxed) }

  func advance(bySeconds seconds: Double) {
    time.add(UInt64(seconds * 1_000_000_000), ordering: .relaxed)
  }

  /// Options of a cache that tells time by this clock, and whose loads may take as long as the other tests keep
  /// their tasks waiting.
  func options(_ change: (inout MemoryCacheOptions) -> Void = { _ in }) -> MemoryCacheOptions {
    var options = MemoryCacheOptions()
    options.clock = clock
    options.loadWaitLimit = nil
    change(&options)
    return options
  }
}

/// Gathers what a removal callback is told.
final class Removals<Value: Sendable>: Sendable {
  struct Removal: Sendable {
    let key: Int
    let value: Value
    let cause: RemovalCause
  }

  private let all = Mutex<[Removal]>([])

  func append(_ key: Int, _ value: Value, _ cause: RemovalCause) {
    all.withLock { $0.append(Removal(key: key, value: value, cause: cause)) }
  }

  /// Returns the removals since the last call.
  func take() -> [Removal] {
    all.withLock { all in
      let taken = all
      all = []
      return taken
    }
  }

  /// The same in words: `1 expired`.
  func takeTexts() -> [String] { take().map { "\($0.key) \($0.cause)" } }
}

/// Waits until something holds; a test that has used up its time throws instead.
func waitUntil(_ holds: () -> Bool) async throws {
  while !holds() { try await Task.sleep(for: .milliseconds(1)) }
}

/// A number that any thread or task may raise.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .acquiring) }

  func add() { number.add(1, ordering: .acquiringAndReleasing) }
}
