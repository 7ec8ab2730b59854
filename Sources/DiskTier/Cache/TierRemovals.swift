import EvictionCore
import Synchronization

/// The entries that have left both tiers of a cache, until its callback is called with them.
///
/// An entry is in the cache while it has a row, waits to be written, or is in memory. Of an entry with a row or that waits,
/// the tier below tells when it leaves; one that is in memory alone is known here, and leaves when the memory says so.
/// While the tiers change a key, neither is heard: the outcome is seen at the end.
final class TierRemovals: Sendable {
  /// The row of a key.
  enum Row {
    case none, present
    /// It is to be removed.
    case leaving(RemovalCause)
  }

  /// The tiers, by what is asked of them.
  struct Tiers: Sendable {
    var isInMemory: @Sendable (TextKey) -> Bool
    /// `replaced` for a value that waits to be written, `expired` for one whose time is over meanwhile.
    var waiting: @Sendable (TextKey) -> RemovalCause?
    var row: @Sendable (TextKey) -> Row
    /// Runs a body while no row changes.
    var whileRowsStay: @Sendable (() -> Void) -> Void
  }

  /// A change of a key that has begun.
  struct Change {
    fileprivate let key: TextKey
    /// The cause by which the entry that was there leaves if another one comes; nil if there was none.
    fileprivate var former: RemovalCause?

    /// True if there was an entry.
    var wasThere: Bool { former != nil }
  }

  private struct State {
    /// The keys of the entries that are in memory alone.
    var memoryOnly: Set<TextKey> = []
    var changing: Set<TextKey> = []
    var isEmptying = false

    func isChanging(_ key: TextKey) -> Bool { isEmptying || changing.contains(key) }
  }

  private let log: RemovalLog
  private let state = Mutex(State())
  private let tiers = Mutex<Tiers?>(nil)

  init(_ callback: @escaping @Sendable (TextKey, RemovalCause) -> Void) {
    log = RemovalLog(callback)
  }

  func begin(with tiers: Tiers) { self.tiers.withLock { $0 = tiers } }

  private var current: Tiers? { tiers.withLock { $0 } }

  /// Reports what has left. No lock is held.
  func report() { log.report() }

  // MARK: - Departures by themselves

  /// A row is gone, or a value that waited was not written.
  func leftDisk(_ key: TextKey, _ cause: RemovalCause) {
    guard let tiers = current else { return }
    state.withLock { state in
      // The row of a value that waits was that of an older one, which was replaced.
      if state.isChanging(key) || tiers.waiting(key) != nil { return }
      if tiers.isInMemory(key) { state.memoryOnly.insert(key) } else { log.note(key, cause) }
    }
  }

  /// A value has left the memory, in which there may be another one by now.
  func leftMemory(_ key: TextKey, _ cause: RemovalCause) {
    guard cause != .replaced, let tiers = current else { return }
    state.withLock { state in
      if state.isChanging(key) || tiers.isInMemory(key) { return }
      if state.memoryOnly.remove(key) != nil { log.note(key, cause) }
    }
    // Whoever has removed it with a key locked reports later.
    if RemovedValues.current == nil { log.report() }
  }

  // MARK: - Changes

  /// The tiers are about to change a key, which is locked.
  func beginChange(of key: TextKey) -> Change {
    var change = Change(key: key)
    guard let tiers = current else { return change }
    tiers.whileRowsStay {
      state.withLock { state in
        state.changing.insert(key)
        change.former = state.memoryOnly.contains(key) ? .replaced : tiers.waiting(key)
        if change.former != nil { return }
        switch tiers.row(key) {
        case .none: break
        case .present: change.former = .replaced
        case .leaving(let cause): change.former = cause
        }
      }
    }
    return change
  }

  /// The tiers have changed the key.
  ///
  /// - Parameters:
  ///   - isStored: True if it has got another value.
  ///   - cause: The cause if it has none any more.
  func end(_ change: Change, isStored: Bool, otherwise cause: RemovalCause) {
    guard let tiers = current else { return }
    let key = change.key
    tiers.whileRowsStay {
      state.withLock { state in
        state.changing.remove(key)
        var (isBelow, isPending) = (tiers.waiting(key) != nil, false)
        switch tiers.row(key) {
        case .none: break
        case .present: isBelow = true
        case .leaving: isPending = true
        }
        let isInMemory = tiers.isInMemory(key)
        if isInMemory && !isBelow {
          state.memoryOnly.insert(key)
        } else {
          state.memoryOnly.remove(key)
        }
        let isThere = isBelow || isInMemory
        if isStored {
          if let former = change.former { log.note(key, former) }
          // It has left by itself meanwhile.
          if !isThere && !isPending { log.note(key, .size) }
        } else if !isThere, !isPending, let former = change.former {
          log.note(key, former == .replaced ? cause : former)
        }
      }
    }
  }

  /// Runs `body`, which removes everything while all keys are locked; `rows` are the keys of the rows, and `above` those
  /// of what waits.
  func removingAll(
    rows: [TextKey], above: [TextKey], _ body: () throws(DiskCacheError) -> Void
  ) throws(DiskCacheError) {
    state.withLock { $0.isEmptying = true }
    var gone = Set(above)
    defer {
      state.withLock { state in
        state.isEmptying = false
        for key in gone.union(state.memoryOnly) { log.note(key, .removed) }
        state.memoryOnly = []
      }
    }
    try body()
    gone.formUnion(rows)
  }
}
