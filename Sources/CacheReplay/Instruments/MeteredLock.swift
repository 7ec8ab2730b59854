import EvictionCore

/// A lock that watches another one that can be tried: an acquisition is contended when the try fails, and
/// every wait from there to the entry is recorded.
///
/// The cost of an acquisition that need not wait: one more call, and a count in memory of the thread's own;
/// once in 64 two readings of the clock. What was timed is noted when the lock is free again.
///
/// It is no member of the catalog: it is made around one.
final class MeteredLock: TryableLock, @unchecked Sendable {
  static let information = LockInformation(
    name: "metered", summary: "another lock, with its waits and holdings timed")

  private let base: any TryableLock
  private let index: Int
  private let sharesReads: Bool

  init(_ base: any TryableLock, index: Int) {
    self.base = base
    self.index = index
    sharesReads = type(of: base).information.sharesReads
  }

  convenience init() { self.init(AdaptiveLock(), index: 0) }

  @inline(never)
  func withLock(_ body: () -> Void) { take(isShared: false, body) }

  @inline(never)
  func withSharedLock(_ body: () -> Void) { take(isShared: sharesReads, body) }

  /// A try that its caller makes is no acquisition of a client, and not counted.
  func withLockIfAvailable(_ body: () -> Void) -> Bool { base.withLockIfAvailable(body) }

  @inline(__always)
  private func take(isShared: Bool, _ body: () -> Void) {
    guard let notes = LockNotes.own else { return enter(isShared: isShared, body) }
    if notes.pointee.take(index) {
      time(notes, isShared: isShared, body)
    } else if !tries(isShared: isShared, body) {
      wait(notes, isShared: isShared, body)
    }
  }

  @inline(__always)
  private func tries(isShared: Bool, _ body: () -> Void) -> Bool {
    isShared ? base.withSharedLockIfAvailable(body) : base.withLockIfAvailable(body)
  }

  @inline(__always)
  private func enter(isShared: Bool, _ body: () -> Void) {
    if isShared { base.withSharedLock(body) } else { base.withLock(body) }
  }

  @inline(never)
  private func wait(
    _ notes: UnsafeMutablePointer<LockNotes>, isShared: Bool, _ body: () -> Void
  ) {
    let watch = notes.pointee.watch
    let asked = watch.start()
    var entered: UInt64 = 0
    enter(isShared: isShared) {
      entered = watch.end()
      body()
    }
    notes.pointee.note(wait: watch.nanoseconds(from: asked, to: entered), holding: nil)
  }

  @inline(never)
  private func time(
    _ notes: UnsafeMutablePointer<LockNotes>, isShared: Bool, _ body: () -> Void
  ) {
    let watch = notes.pointee.watch
    var (asked, entered, left): (UInt64?, UInt64, UInt64) = (nil, 0, 0)
    func timed() {
      entered = watch.start()
      body()
      left = watch.end()
    }
    if !tries(isShared: isShared, timed) {
      asked = watch.start()
      enter(isShared: isShared, timed)
    }
    notes.pointee.note(
      wait: asked.map { watch.nanoseconds(from: $0, to: entered) },
      holding: watch.nanoseconds(from: entered, to: left))
  }
}
