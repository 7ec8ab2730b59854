import CInline
import Synchronization

/// Hits that the policy has not heard of yet, in a few small buffers that threads write side by side.
///
/// Readers record under the cache's shared lock, and anyone who holds it alone drains first of all. So
/// nothing can happen to a slot between its touch and the drain: it still stands for the key that was
/// hit, its value is resident, and no record needs to be checked. Draining is also ordered after every
/// record, by the lock, so that only readers of one stripe meet, and each has a place of its own.
///
/// A set that only replaces a value does nothing to any slot: then the writer drains the buffer of its own
/// thread, and leaves the others' in their caches.
///
/// A buffer that is full takes no more until it is drained: its touches are lost, though still counted
/// as hits. The reader that fills one has it drained; the others lose touches meanwhile rather than wait.
/// One thread alone loses none, and its policy sees what a strict cache's would.
@usableFromInline
struct TouchBuffers {
  /// Gets of one stripe; then come the slots.
  @usableFromInline
  struct Header: ~Copyable {
    /// Touches since the cache was created, lost ones included.
    @usableFromInline let touches = Atomic(0)
    /// Hits that the policy need not hear of.
    @usableFromInline let ignored = Atomic(0)
    @usableFromInline let misses = Atomic(0)
    /// The number of ``touches`` that were drained or lost.
    @usableFromInline var done = 0
  }

  /// Touches that a stripe has room for.
  @inlinable static var room: Int { 64 }
  /// The offset of the slots: in a cache line that headers are not in.
  @inlinable static var headerSize: Int { 128 }

  @usableFromInline let stripes: ThreadStripes

  init() {
    stripes = ThreadStripes(
      bytes: TouchBuffers.headerSize + TouchBuffers.room * MemoryLayout<Slot>.stride)
    for index in 0..<stripes.count {
      TouchBuffers.header(stripes[index]).initialize(to: Header())
    }
  }

  func deallocate() { stripes.deallocate() }

  @inlinable @inline(__always)
  static func header(_ stripe: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    stripe.assumingMemoryBound(to: Header.self)
  }

  @inlinable @inline(__always)
  static func slots(_ stripe: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Slot> {
    (stripe + headerSize).assumingMemoryBound(to: Slot.self)
  }

  /// Records a hit of `slot`, under the shared lock.
  ///
  /// - Returns: True if this filled the buffer: then the caller has it drained when it is out of the lock.
  @inlinable @inline(__always)
  func recordHit(_ slot: Slot) -> Bool {
    let stripe = stripes.own
    let header = TouchBuffers.header(stripe)
    let earlier = header.pointee.touches.wrappingAdd(1, ordering: .relaxed).oldValue
    let place = earlier &- header.pointee.done
    if place < TouchBuffers.room { TouchBuffers.slots(stripe)[place] = slot }
    return place == TouchBuffers.room &- 1
  }

  /// Counts a hit that would change nothing, under the shared lock.
  @inlinable @inline(__always)
  func countHit() {
    TouchBuffers.header(stripes.own).pointee.ignored.wrappingAdd(1, ordering: .relaxed)
  }

  /// Records a get that found nothing, under the shared lock.
  @inlinable @inline(__always)
  func recordMiss() {
    TouchBuffers.header(stripes.own).pointee.misses.wrappingAdd(1, ordering: .relaxed)
  }

  /// Tells `body` of every touch recorded, each thread's in their order, while the lock is held alone.
  @inlinable
  func drain(_ body: (Slot) -> Void) {
    for index in 0..<stripes.count { TouchBuffers.drain(stripes[index], body) }
  }

  /// Tells `body` of the touches of this thread, and of those that share its buffer, likewise.
  @inlinable
  func drainOwn(_ body: (Slot) -> Void) { TouchBuffers.drain(stripes.own, body) }

  @inlinable
  static func drain(_ stripe: UnsafeMutableRawPointer, _ body: (Slot) -> Void) {
    let header = header(stripe)
    let touches = header.pointee.touches.load(ordering: .relaxed)
    let recorded = touches &- header.pointee.done
    if recorded == 0 { return }
    header.pointee.done = touches
    let slots = slots(stripe)
    for place in 0..<min(recorded, room) { body(slots[place]) }
  }

  /// Adds the gets that were recorded, drained or not.
  func count(into statistics: inout CacheStatistics) {
    for index in 0..<stripes.count {
      let header = TouchBuffers.header(stripes[index])
      statistics.hits += header.pointee.touches.load(ordering: .relaxed)
      statistics.hits += header.pointee.ignored.load(ordering: .relaxed)
      statistics.misses += header.pointee.misses.load(ordering: .relaxed)
    }
  }
}
