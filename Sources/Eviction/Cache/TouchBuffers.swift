import CInline
import Synchronization

/// Hits that the policy has not heard of yet, in a few small buffers that threads write side by side.
///
/// Readers record under the cache's shared lock, and whoever holds it alone drains first of all. So
/// nothing can happen to a slot between its touch and the drain: it still stands for the key that was
/// hit, its value is resident, and no record needs to be checked. Draining is also ordered after every
/// record, by the lock, so that only readers of one stripe meet, and each has a place of its own.
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
    @usableFromInline let hits = Atomic(0)
    @usableFromInline let misses = Atomic(0)
    /// How many of ``hits`` were drained or lost.
    @usableFromInline var done = 0
  }

  /// Touches that a stripe has room for.
  @inlinable static var room: Int { 64 }
  /// Where the slots begin: in a cache line that headers are not in.
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
  /// - Returns: Whether this filled the buffer: then the caller has it drained when it is out of the lock.
  @inlinable @inline(__always)
  func recordHit(_ slot: Slot) -> Bool {
    let stripe = stripes.own
    let header = TouchBuffers.header(stripe)
    let place = header.pointee.hits.add(1, ordering: .relaxed).oldValue &- header.pointee.done
    if place < TouchBuffers.room { TouchBuffers.slots(stripe)[place] = slot }
    return place == TouchBuffers.room &- 1
  }

  /// Records a get that found nothing, under the shared lock.
  @inlinable @inline(__always)
  func recordMiss() {
    TouchBuffers.header(stripes.own).pointee.misses.add(1, ordering: .relaxed)
  }

  /// Tells `body` of every touch recorded, each thread's in their order, while the lock is held alone.
  @inlinable
  func drain(_ body: (Slot) -> Void) {
    for index in 0..<stripes.count {
      let header = TouchBuffers.header(stripes[index])
      let hits = header.pointee.hits.load(ordering: .relaxed)
      let recorded = hits &- header.pointee.done
      if recorded == 0 { continue }
      header.pointee.done = hits
      let slots = TouchBuffers.slots(stripes[index])
      for place in 0..<min(recorded, TouchBuffers.room) { body(slots[place]) }
    }
  }

  /// Adds the gets that were recorded, drained or not.
  func count(into statistics: inout CacheStatistics) {
    for index in 0..<stripes.count {
      let header = TouchBuffers.header(stripes[index])
      statistics.hits += header.pointee.hits.load(ordering: .relaxed)
      statistics.misses += header.pointee.misses.load(ordering: .relaxed)
    }
  }
}
