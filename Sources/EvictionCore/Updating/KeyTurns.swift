import CInline
import Dispatch
import Synchronization

/// The updates of a cache: those of one key run one at a time, in the order in which they came; those of other keys
/// run beside them.
@usableFromInline
package final class KeyTurns<Key: Hashable & Sendable>: Sendable {
  /// The turn of a key, and those that wait for it: each is called once, when it has the turn.
  private struct Line {
    let turn: KeyTurn
    var waiting: [@Sendable (KeyTurn) -> Void] = []
  }

  private let lines = Mutex<[Key: Line]>([:])
  /// The number of keys in it.
  private let keyCount = Atomic(0)

  package init() {}

  /// Waits for the turn of `key`, and takes it.
  ///
  /// - Precondition: The thread has not taken it already, nor does an update that has it wait for this thread.
  package func begin(_ key: Key) -> KeyTurn {
    var arrival: DispatchSemaphore?
    let turn = join(key) {
      let semaphore = DispatchSemaphore(value: 0)
      arrival = semaphore
      return { _ in semaphore.signal() }
    }
    if let arrival {
      TurnWait.begin(for: turn, key: "\(key)")
      arrival.wait()
      TurnWait.end()
    }
    return turn
  }

  /// Suspends until it is the turn of `key` for this task, and takes it.
  package func begin(_ key: Key) async -> KeyTurn {
    await withCheckedContinuation { continuation in
      var isWaiting = false
      let turn = join(key) {
        isWaiting = true
        return { continuation.resume(returning: $0) }
      }
      if !isWaiting { continuation.resume(returning: turn) }
    }
  }

  /// Returns the turn of `key`: the caller's, unless it must wait, and then it is called when the turn is its own.
  private func join(_ key: Key, _ wait: () -> @Sendable (KeyTurn) -> Void) -> KeyTurn {
    lines.withLock { lines in
      if let turn = lines[key]?.turn {
        lines[key]?.waiting.append(wait())
        return turn
      }
      let turn = KeyTurn()
      lines[key] = Line(turn: turn)
      keyCount.store(lines.count, ordering: .sequentiallyConsistent)
      return turn
    }
  }

  /// Gives the turn of `key` to the next that waits for it.
  package func end(_ turn: KeyTurn, of key: Key) {
    let next = lines.withLock { lines -> (@Sendable (KeyTurn) -> Void)? in
      if lines[key]?.waiting.isEmpty ?? true {
        lines[key] = nil
        keyCount.store(lines.count, ordering: .sequentiallyConsistent)
        return nil
      }
      return lines[key]?.waiting.removeFirst()
    }
    next?(turn)
  }

  /// Returns true if an update of `key` runs or waits.
  package func contains(_ key: Key) -> Bool { !isEmpty && lines.withLock { $0[key] != nil } }

  private var isEmpty: Bool { keyCount.load(ordering: .sequentiallyConsistent) == 0 }

  /// The value of `key` was set or removed: what an update of it has read is out of date.
  package func forget(_ key: Key) {
    if !isEmpty { lines.withLock { $0[key]?.turn }?.valueChanges() }
  }

  /// All values were removed.
  package func forgetAll() {
    for turn in lines.withLock({ $0.values.map(\.turn) }) { turn.valueChanges() }
  }
}
