import EvictionCore

/// A cache of blocks as a policy sees it: every block counts one.
@usableFromInline
protocol BlockHost: SlotHost, ~Copyable {
  var capacity: Int { get }
  var used: Int { get }
  var evictions: Int { get }

  /// The block is resident now.
  mutating func entered(_ slot: Slot)
  /// Pins or releases a block of the request's own chain.
  func pin(_ slot: Slot, by difference: Int32)
  /// A block of the request's own chain that has entered leaves again.
  mutating func left(_ slot: Slot)
  /// True if the policy has evicted a block that was pinned.
  var hasLostPinned: Bool { get }
}

/// A cache that knows no chains: nothing is pinned.
@usableFromInline
struct FreeHost: BlockHost, ~Copyable {
  @usableFromInline let capacity: Int
  @usableFromInline var used = 0
  @usableFromInline var evictions = 0

  @inlinable
  init(capacity: Int) { self.capacity = capacity }

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool { used < capacity }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { 1 }

  @inlinable @inline(__always)
  mutating func didEvict(_ slot: Slot) { left(slot) }

  @inlinable @inline(__always)
  mutating func didForget(_ slot: Slot) {}

  @inlinable @inline(__always)
  mutating func left(_ slot: Slot) {
    used &-= 1
    evictions &+= 1
  }

  @inlinable @inline(__always)
  var hasLostPinned: Bool { false }

  @inlinable @inline(__always)
  mutating func entered(_ slot: Slot) { used &+= 1 }

  @inlinable @inline(__always)
  func pin(_ slot: Slot, by difference: Int32) {}
}

/// A cache of prefixes: blocks that others need are pinned.
///
/// The forest is two flat arrays by slot: the parent of each block, and its pins, one for each resident child.
/// The deepest block of the request's own chain has one more while it is served.
@usableFromInline
struct PrefixHost: BlockHost, ~Copyable {
  @usableFromInline let capacity: Int
  @usableFromInline var used = 0
  @usableFromInline var evictions = 0
  @usableFromInline var hasLostPinned = false
  @usableFromInline let parents: UnsafeBufferPointer<UInt32>
  @usableFromInline let pins: UnsafeMutablePointer<UInt32>
  /// The slots whose last pin went, the latest of them; not initialized beyond the number of releases.
  @usableFromInline let log: UnsafeMutablePointer<Slot>
  @usableFromInline let count: UnsafeMutablePointer<Int>
  @usableFromInline let pinnedCount: UnsafeMutablePointer<Int>
  /// Nil if no policy draws from them.
  @usableFromInline let leaves: UnpinnedBlocks?

  @inlinable
  init(capacity: Int, parents: UnsafeBufferPointer<UInt32>, listsUnpinned: Bool) {
    self.capacity = capacity
    self.parents = parents
    pins = .allocate(capacity: parents.count)
    pins.initialize(repeating: 0, count: parents.count)
    log = .allocate(capacity: PrefixHost.releasesKept)
    count = .allocate(capacity: 1)
    count.initialize(to: 0)
    pinnedCount = .allocate(capacity: 1)
    pinnedCount.initialize(to: 0)
    leaves = listsUnpinned ? UnpinnedBlocks(slots: parents.count) : nil
  }

  @inlinable
  deinit {
    pins.deallocate()
    log.deallocate()
    count.deallocate()
    pinnedCount.deallocate()
    leaves?.deallocate()
  }

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool { used < capacity }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { 1 }

  @inlinable @inline(__always)
  static var pinsSlots: Bool { true }

  @inlinable @inline(__always)
  func isPinned(_ slot: Slot) -> Bool { pins[Int(slot)] != 0 }

  @inlinable @inline(__always)
  var pinned: Int? { pinnedCount.pointee }

  @inlinable @inline(__always)
  var unpinned: Int? { leaves?.count.pointee }

  @inlinable @inline(__always)
  func unpinned(at index: Int) -> Slot { leaves?.slots[index] ?? .max }

  @inlinable @inline(__always)
  var releases: Int? { count.pointee }

  @inlinable @inline(__always)
  func released(_ number: Int) -> Slot { log[number & (PrefixHost.releasesKept &- 1)] }

  @inlinable @inline(__always)
  mutating func didEvict(_ slot: Slot) {
    if isPinned(slot) { hasLostPinned = true }
    left(slot)
  }

  @inlinable @inline(__always)
  mutating func left(_ slot: Slot) {
    used &-= 1
    evictions &+= 1
    leaves?.left(slot)
    pinParent(of: slot, by: -1)
  }

  @inlinable @inline(__always)
  mutating func didForget(_ slot: Slot) {}

  @inlinable @inline(__always)
  mutating func entered(_ slot: Slot) {
    used &+= 1
    leaves?.entered(slot, isPinned: isPinned(slot))
    pinParent(of: slot, by: 1)
  }

  @inlinable @inline(__always)
  func pinParent(of slot: Slot, by difference: Int32) {
    let parent = parents[Int(slot)]
    if parent != PromptForest.root { pin(parent, by: difference) }
  }

  @inlinable @inline(__always)
  func pin(_ slot: Slot, by difference: Int32) {
    let before = pins[Int(slot)]
    pins[Int(slot)] = before &+ UInt32(bitPattern: difference)
    if difference > 0 {
      pinnedCount.pointee &+= before == 0 ? 1 : 0
      if before == 0 { leaves?.pinned(slot) }
      return
    }
    if pins[Int(slot)] != 0 { return }
    pinnedCount.pointee &-= 1
    leaves?.released(slot)
    log[count.pointee & (PrefixHost.releasesKept &- 1)] = slot
    count.pointee &+= 1
  }
}
