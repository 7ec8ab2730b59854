import Dispatch
import Synchronization

extension SingleFlight {
  /// A load under way.
  public final class Flight: Load {
    private struct Waiter {
      let tell: @Sendable (Result<Value, any Error>) -> Void
      /// The time at which it gives up; nil for never.
      let deadline: DispatchTime?
    }

    private struct State {
      /// The callers that have joined and not left, with the number of tags that had been removed.
      var passengers: [Int: Int] = [:]
      var lastWaiter = 0
      var waiters: [Int: Waiter] = [:]
      var cancel: (@Sendable () -> Void)?
      var timer: (any DispatchSourceTimer)?
      /// The time at which the timer looks for those who are late.
      var tick = DispatchTime.distantFuture
      var result: Result<Value, any Error>?
      /// The removal of a tag that made the result outdated for those who joined after it; 0 for none.
      var outdating = 0

      /// True if a caller joined after that.
      func isLate(_ waiter: Int) -> Bool {
        outdating > 0 && passengers[waiter, default: 0] >= outdating
      }
    }

    private let key: Key
    /// True if it is a task, and not a thread's.
    let isTask: Bool
    /// True if it loads a key that may have a value.
    let isRefresh: Bool
    /// The number of tags that had been removed when it began.
    let start: Int
    private let current = Atomic(true)
    private let isFound = Atomic(false)
    private let state = Mutex(State())

    init(key: Key, isTask: Bool, isRefresh: Bool, start: Int) {
      self.start = start
      self.key = key
      self.isTask = isTask
      self.isRefresh = isRefresh
    }

    /// False once the key was forgotten, or the load abandoned: the result is still for those who wait, but
    /// out of date.
    public var isCurrent: Bool { current.load(ordering: .acquiring) }

    /// The result is not loaded, as the key has a value by now.
    @usableFromInline
    package func endsWithoutLoad() { isFound.store(true, ordering: .releasing) }

    /// True if the result was loaded, as far as is known.
    var isLoad: Bool { !isFound.load(ordering: .acquiring) }

    func forget() { current.store(false, ordering: .releasing) }

    /// The result is out of date since the removal of a tag.
    func outdate(by removal: Int) { state.withLock { $0.outdating = removal } }

    var keyText: String { "\(key)" }

    var isOver: Bool { state.withLock { $0.result != nil } }

    /// Counts in one who wants the result, with the number of removals of tags by then.
    func board(at removals: Int) -> Int {
      state.withLock { state in
        state.lastWaiter += 1
        state.passengers[state.lastWaiter] = removals
        return state.lastWaiter
      }
    }

    /// Has `tell` called with the result, at once if there is one or if the waiter left.
    ///
    /// - Parameters:
    ///   - waiter: The number of the one who waits.
    ///   - limit: The time after which `giveUp` is called with the number; nil for never.
    func wait(
      as waiter: Int, atMost limit: Duration? = nil,
      giveUp: @escaping @Sendable (Int) -> Void = { _ in },
      _ tell: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
      let deadline = limit.map { DispatchTime.now() + $0.dispatchInterval }
      let result = state.withLock { state -> Result<Value, any Error>? in
        if state.passengers[waiter] == nil { return .failure(CancellationError()) }
        if let result = state.result { return state.isLate(waiter) ? .late : result }
        state.waiters[waiter] = Waiter(tell: tell, deadline: deadline)
        if let limit, let deadline {
          if state.timer == nil {
            state.timer = makeTimer(limit, giveUp)
            state.tick = deadline
          } else if deadline < state.tick {
            // One whose time began earlier, with another key.
            state.timer?.schedule(deadline: deadline)
            state.tick = deadline
          }
        }
        return nil
      }
      if let result { tell(result) }
    }

    /// A waiter gives up. The last one to do so abandons a load that is a task, which is out of date from
    /// then on, as no change of the key would tell it.
    ///
    /// - Returns: True if the load was abandoned, and what is to be done then without a lock.
    func leave(
      _ waiter: Int, throwing error: any Error
    ) -> (isAbandoned: Bool, finish: @Sendable () -> Void) {
      state.withLock { state in
        let tell = state.waiters.removeValue(forKey: waiter)?.tell
        // Who was too late may be cancelled besides.
        let isAbandoned =
          state.passengers.removeValue(forKey: waiter) != nil && state.passengers.isEmpty
          && state.result == nil && isTask
        if isAbandoned { forget() }
        let cancel = isAbandoned ? state.cancel : nil
        return (
          isAbandoned,
          {
            cancel?()
            tell?(.failure(error))
          }
        )
      }
    }

    /// The load has become a task, which `cancel` cancels if the flight is abandoned.
    func depart(_ cancel: @escaping @Sendable () -> Void) {
      state.withLock { state in
        if state.result == nil { state.cancel = cancel }
      }
    }

    /// The load is over: all who wait have the result.
    func land(_ result: Result<Value, any Error>) {
      let waiters = state.withLock { state in
        let waiters = state.waiters.map { number, waiter in
          (tell: waiter.tell, isLate: state.isLate(number))
        }
        state.waiters = [:]
        state.cancel = nil
        state.timer?.cancel()
        state.timer = nil
        state.result = result
        return waiters
      }
      for waiter in waiters { waiter.tell(waiter.isLate ? .late : result) }
    }

    /// A timer for all who wait, as seldom as twenty times in the limit.
    private func makeTimer(
      _ limit: Duration, _ giveUp: @escaping @Sendable (Int) -> Void
    ) -> any DispatchSourceTimer {
      let timer = DispatchSource.makeTimerSource(queue: BackgroundThreads.ticks)
      let pause = (limit / 20).dispatchInterval
      timer.setEventHandler { [weak self] in
        for waiter in self?.lateWaiters(pause: pause) ?? [] { giveUp(waiter) }
      }
      timer.schedule(deadline: .now() + limit.dispatchInterval)
      timer.activate()
      return timer
    }

    /// Returns those whose time is over, and sets the timer to when that of another one will be.
    private func lateWaiters(pause: DispatchTimeInterval) -> [Int] {
      state.withLock { state in
        let now = DispatchTime.now()
        let deadlines = state.waiters.compactMapValues(\.deadline)
        if let next = deadlines.values.filter({ $0 > now }).min() {
          state.tick = max(next, now + pause)
          state.timer?.schedule(deadline: state.tick)
        } else {
          state.timer?.cancel()
          state.timer = nil
        }
        return deadlines.filter { $0.value <= now }.map(\.key)
      }
    }
  }
}

extension Result where Failure == any Error {
  /// The answer to one who must load the key himself.
  fileprivate static var late: Result { .failure(KeyWasLeftOut()) }
}
