import Synchronization

/// The times from which entries are to be loaded anew, by slot.
///
/// - Complexity: O(1) an operation. Memory per slot, once used: 16 bytes.
struct RefreshTimes: ~Copyable {
  struct Term: BitwiseCopyable {
    /// The time from which the entry is to be loaded anew; `UInt64.max` is never.
    var due = UInt64.max
    /// The time of the next try.
    var next = UInt64.max
  }

  /// True once there was one, for loads, which do not hold the cache's lock.
  let use = RefreshUse()
  private(set) var isInUse = false
  private var terms = SlotArray(repeating: Term())

  init(isInUse: Bool) { if isInUse { begin() } }

  private mutating func begin() {
    isInUse = true
    use.begin()
  }

  /// Makes room for slots below `slots`.
  mutating func reserve(slots: Int) {
    begin()
    terms.reserve(slots: slots)
  }

  /// The entry in `slot` is to be loaded anew from `due` on.
  mutating func set(_ slot: Slot, due: UInt64) { terms[slot] = Term(due: due, next: due) }

  /// Returns the time from which the entry in `slot` is to be loaded anew.
  func due(_ slot: Slot) -> UInt64 { terms[slot].due }

  /// Returns true if the entry in `slot` is to be loaded anew.
  func isDue(_ slot: Slot, at now: UInt64) -> Bool { terms[slot].next <= now }

  /// A try begins or has failed at `now`.
  mutating func postpone(_ slot: Slot, at now: UInt64) {
    let term = terms[slot]
    if term.due == .max { return }
    let late = now > term.due ? now - term.due : 0
    terms[slot].next = now.saturatingAdd(Expiration.pauseOfRefreshes(late: late))
  }

  /// Every entry is gone, and so is the room for them.
  mutating func removeAll(isInUse: Bool) {
    self.isInUse = isInUse
    terms = SlotArray(repeating: Term())
  }
}

/// True once an entry of a cache is to be refreshed; it may be read without the cache's lock.
@usableFromInline
final class RefreshUse: Sendable {
  @usableFromInline let flag = Atomic(false)

  @inlinable @inline(__always)
  var hasBegun: Bool { flag.load(ordering: .relaxed) }

  func begin() { if !hasBegun { flag.store(true, ordering: .relaxed) } }
}
