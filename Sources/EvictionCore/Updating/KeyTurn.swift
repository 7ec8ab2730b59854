import CInline
import Synchronization

/// The turn of a key, which one update has at a time.
@usableFromInline
package final class KeyTurn: Sendable {
  /// The fate of the value that an update has read.
  private enum State: UInt8 {
    case current
    /// Another thread has set or removed it.
    case outdated
    /// The update itself has.
    case decided
  }

  /// The number of the thread whose closure runs; 0 for none.
  private let thread = Atomic<UInt32>(0)
  private let state = Atomic(State.current.rawValue)

  /// An update reads the value from now on.
  @usableFromInline
  package func beginReading() {
    state.store(State.current.rawValue, ordering: .sequentiallyConsistent)
  }

  /// True if no other thread has set or removed the value since it was read.
  @usableFromInline
  package var isCurrent: Bool {
    state.load(ordering: .sequentiallyConsistent) != State.outdated.rawValue
  }

  /// True if the closure of the update has set or removed the value itself.
  @usableFromInline
  package var isDecided: Bool {
    state.load(ordering: .sequentiallyConsistent) == State.decided.rawValue
  }

  /// The value was set or removed: the first time since it was read counts.
  func valueChanges() {
    let isOwn = running == evl_thread_number()
    _ = state.compareExchange(
      expected: State.current.rawValue,
      desired: (isOwn ? State.decided : .outdated).rawValue, ordering: .sequentiallyConsistent)
  }

  /// Runs the closure of an update.
  @usableFromInline
  package func run<Value, Result, Failure: Error>(
    _ value: inout Value?, _ body: (inout Value?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    thread.store(evl_thread_number(), ordering: .releasing)
    defer { thread.store(0, ordering: .releasing) }
    return try body(&value)
  }

  /// The number of the thread whose closure runs; 0 for none.
  var running: UInt32 { thread.load(ordering: .acquiring) }
}

/// The threads that wait for a turn.
enum TurnWait {
  /// By their numbers.
  private static let turns = Mutex<[UInt32: KeyTurn]>([:])

  /// This thread is about to wait for `turn`.
  ///
  /// - Precondition: The update that has it is not this thread's, and does not wait for one that is.
  static func begin(for turn: KeyTurn, key: @autoclosure () -> String) {
    let own = evl_thread_number()
    let isCircle = turns.withLock { turns in
      turns[own] = turn
      var next = turns[own]
      // A thread that waits no more may still be among them.
      for _ in 0..<turns.count {
        guard let running = next?.running, running != 0 else { return false }
        if running == own { return true }
        next = turns[running]
      }
      return false
    }
    if isCircle {
      fatalError(
        "an update of “\(key())” waits for itself: its closure updates the key, or a key whose update does"
      )
    }
  }

  /// This thread waits no more.
  static func end() { _ = turns.withLock { $0.removeValue(forKey: evl_thread_number()) } }
}
