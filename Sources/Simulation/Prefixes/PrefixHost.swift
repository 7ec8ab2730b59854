import EvictionCore
import Requests

/// A cache of prefixes as a policy sees it: every block counts one, and blocks that others need are pinned.
///
/// The forest is two flat arrays by slot: the parent of each block, and its pins, one for each resident child.
/// The deepest block of the request's own chain has one more while it is served.
@usableFromInline
struct PrefixHost: SlotHost, ~Copyable {
  @usableFromInline let capacity: Int
  @usableFromInline var used = 0
  @usableFromInline var evictions = 0
  @usableFromInline let parents: UnsafePointer<UInt32>
  @usableFromInline let pins: UnsafeMutablePointer<UInt32>
  /// The slots whose last pin went, the latest of them.
  @usableFromInline let log: UnsafeMutablePointer<Slot>
  @usableFromInline let count: UnsafeMutablePointer<Int>
  /// False in a cache that knows no chains: nothing is pinned there.
  @usableFromInline let keepsChains: Bool

  @inlinable
  init(capacity: Int, slots: Int, parents: UnsafePointer<UInt32>, keepsChains: Bool) {
    self.capacity = capacity
    self.parents = parents
    self.keepsChains = keepsChains
    pins = .allocate(capacity: slots)
    pins.initialize(repeating: 0, count: slots)
    log = .allocate(capacity: PrefixHost.releasesKept)
    log.initialize(repeating: 0, count: PrefixHost.releasesKept)
    count = .allocate(capacity: 1)
    count.initialize(to: 0)
  }

  @inlinable
  deinit {
    pins.deallocate()
    log.deallocate()
    count.deallocate()
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
  var releases: Int? { count.pointee }

  @inlinable @inline(__always)
  func released(_ number: Int) -> Slot { log[number & (PrefixHost.releasesKept &- 1)] }

  @inlinable @inline(__always)
  mutating func evicted(_ slot: Slot) {
    left(slot)
    evictions &+= 1
  }

  @inlinable @inline(__always)
  mutating func forgot(_ slot: Slot) {}

  /// The block is resident now.
  @inlinable @inline(__always)
  mutating func entered(_ slot: Slot) {
    used &+= 1
    if keepsChains { pinParent(of: slot, by: 1) }
  }

  /// The block is resident no more.
  @inlinable @inline(__always)
  mutating func left(_ slot: Slot) {
    used &-= 1
    if keepsChains { pinParent(of: slot, by: -1) }
  }

  @inlinable @inline(__always)
  func pinParent(of slot: Slot, by difference: Int32) {
    let parent = parents[Int(slot)]
    if parent != PromptForest.root { pin(parent, by: difference) }
  }

  /// Pins or releases a block of the request's own chain.
  @inlinable @inline(__always)
  func pin(_ slot: Slot, by difference: Int32) {
    pins[Int(slot)] &+= UInt32(bitPattern: difference)
    if difference > 0 || pins[Int(slot)] != 0 { return }
    log[count.pointee & (PrefixHost.releasesKept &- 1)] = slot
    count.pointee &+= 1
  }
}
