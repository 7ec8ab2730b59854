import EvictionCore
import Synchronization

/// A lock that watches another one that can't be tried, and so counts its takers: one is contended that comes
/// while another one, which excludes it, is inside or waiting.
///
/// The cost of an acquisition: two atomic additions on a line that all takers share.
///
/// It is no member of the catalog: it is made around one.
final class CountedLock: CacheLock, @unchecked Sendable {
  static let information = LockInformation(
    name: "counted", summary: "another lock, with its takers counted and timed")

  private let base: any CacheLock
  private let index: Int
  private let sharesReads: Bool
  private let exclusive = Atomic(0)
  private let shared = Atomic(0)

  init(_ base: any CacheLock, index: Int) {
    self.base = base
    self.index = index
    sharesReads = type(of: base).information.sharesReads
  }

  convenience init() { self.init(SerialQueueLock(), index: 0) }

  func withLock(_ body: () -> Void) { take(isShared: false, body) }

  func withSharedLock(_ body: () -> Void) { take(isShared: sharesReads, body) }

  private func take(isShared: Bool, _ body: () -> Void) {
    guard let notes = LockNotes.own else { return enter(isShared: isShared, body) }
    let isTimed = notes.pointee.take(index)
    let isContended = arrive(isShared: isShared)
    let watch = notes.pointee.watch
    let asked = isContended ? watch.start() : 0
    var (entered, left): (UInt64, UInt64) = (0, 0)
    enter(isShared: isShared) {
      if isContended || isTimed { entered = watch.start() }
      body()
      if isTimed { left = watch.end() }
    }
    leave(isShared: isShared)
    if !isContended && !isTimed { return }
    notes.pointee.note(
      wait: isContended ? watch.nanoseconds(from: asked, to: entered) : nil,
      holding: isTimed ? watch.nanoseconds(from: entered, to: left) : nil)
  }

  private func enter(isShared: Bool, _ body: () -> Void) {
    if isShared { base.withSharedLock(body) } else { base.withLock(body) }
  }

  /// Counts a taker. Returns whether one that excludes it was counted already.
  private func arrive(isShared: Bool) -> Bool {
    if isShared {
      shared.wrappingAdd(1, ordering: .sequentiallyConsistent)
      return exclusive.load(ordering: .sequentiallyConsistent) > 0
    }
    return exclusive.add(1, ordering: .sequentiallyConsistent).oldValue > 0
      || shared.load(ordering: .sequentiallyConsistent) > 0
  }

  private func leave(isShared: Bool) {
    if isShared {
      shared.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    } else {
      exclusive.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }
}
