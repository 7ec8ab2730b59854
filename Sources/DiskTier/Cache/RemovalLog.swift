import EvictionCore
import Synchronization

/// The entries that have left a cache, until its callback is called with them: when no lock is held.
///
/// If nothing asks for them, nothing is gathered.
final class RemovalLog: Sendable {
  typealias Removal = (key: TextKey, cause: RemovalCause)

  /// Those that are being reported by one thread, and by what its callbacks call.
  private final class Run: Sendable {
    let log: RemovalLog
    /// The reports of another cache, in one of whose callbacks these are made.
    let outer: Run?
    let isOver = Atomic(false)

    init(_ log: RemovalLog, in outer: Run?) { (self.log, self.outer) = (log, outer) }
  }

  /// A cache in tiers above, which hears of removals as they happen, with locks held.
  struct Listener: Sendable {
    /// Hears of an entry that left without another one in its place.
    var left: @Sendable (TextKey, RemovalCause) -> Void
    var report: @Sendable () -> Void
  }

  @TaskLocal private static var running: Run?

  private let callback: (@Sendable (TextKey, RemovalCause) -> Void)?
  private let waiting = Mutex<[Removal]>([])
  private let count = Atomic(0)
  private let listeners = Mutex<[ObjectIdentifier: Listener]>([:])
  private let listenerCount = Atomic(0)

  init(_ callback: (@Sendable (TextKey, RemovalCause) -> Void)?) { self.callback = callback }

  /// True if anything asks for removals.
  var isInUse: Bool { callback != nil || hasListeners }

  private var hasListeners: Bool { listenerCount.load(ordering: .acquiring) > 0 }

  /// Adds a listener, or, if it is nil, removes that of the same owner.
  func setListener(_ listener: Listener?, of owner: AnyObject) {
    listeners.withLock {
      $0[ObjectIdentifier(owner)] = listener
      listenerCount.store($0.count, ordering: .releasing)
    }
  }

  /// Tells the tiers above of an entry that left: they alone hear of a value that waited and was not written.
  func tellListeners(_ key: TextKey, _ cause: RemovalCause) {
    if !hasListeners { return }
    for listener in listeners.withLock({ Array($0.values) }) { listener.left(key, cause) }
  }

  /// An entry has left. Locks may be held.
  ///
  /// - Parameter isReplaced: True if another one is in its place.
  func note(_ key: TextKey, _ cause: RemovalCause, isReplaced: Bool = false) {
    if !isReplaced { tellListeners(key, cause) }
    if callback == nil { return }
    waiting.withLock {
      $0.append((key, cause))
      count.store($0.count, ordering: .releasing)
    }
  }

  /// Reports what has left. No lock is held.
  ///
  /// Removals that a callback makes are left to the call that reports already on this thread: a chain of them of any
  /// length takes no more of the stack than one.
  func report() {
    if hasListeners {
      for listener in listeners.withLock({ Array($0.values) }) { listener.report() }
    }
    guard let callback, count.load(ordering: .acquiring) > 0 else { return }
    var run = RemovalLog.running
    while let other = run {
      if other.log === self && goesOn(other) { return }
      run = other.outer
    }
    let own = Run(self, in: RemovalLog.running)
    RemovalLog.$running.withValue(own) {
      while let removals = next(own) {
        for (key, cause) in removals { callback(key, cause) }
      }
    }
  }

  /// Returns true if a run will report what waits now: a task that a callback has started may outlive it.
  private func goesOn(_ run: Run) -> Bool {
    waiting.withLock { _ in !run.isOver.load(ordering: .relaxed) }
  }

  /// Returns what waits; nil, and the run is over, if nothing does.
  private func next(_ run: Run) -> [Removal]? {
    waiting.withLock { waiting in
      if waiting.isEmpty {
        run.isOver.store(true, ordering: .relaxed)
        return nil
      }
      defer {
        waiting = []
        count.store(0, ordering: .releasing)
      }
      return waiting
    }
  }
}
