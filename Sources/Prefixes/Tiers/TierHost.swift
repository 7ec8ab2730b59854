import EvictionCore

/// One tier of several as its policy sees it: a cache of prefixes that notes where each block is, and what it evicts.
@usableFromInline
struct TierHost: BlockHost, ~Copyable {
  /// The bit of a block's places that is no tier: set by the block's first hit below the device since it entered any tier.
  @usableFromInline static var mark: UInt8 { 0x80 }

  @usableFromInline var base: PrefixHost
  /// By block: a bit for each tier that has it, and ``mark``. All tiers share it.
  @usableFromInline let places: UnsafeMutablePointer<UInt8>
  @usableFromInline let forest: PromptForest
  /// The tokens of the blocks that have entered, all whole.
  @usableFromInline var enteredTokens = 0
  /// The bit of this tier.
  @usableFromInline let bit: UInt8
  /// The blocks that were evicted since this was emptied, in their order.
  @usableFromInline var evicted: [Slot] = []

  @inlinable
  init(
    _ forest: PromptForest, capacity: Int, parents: UnsafeBufferPointer<UInt32>,
    places: UnsafeMutablePointer<UInt8>, bit: UInt8, listsUnpinned: Bool
  ) {
    self.forest = forest
    base = PrefixHost(capacity: capacity, parents: parents, listsUnpinned: listsUnpinned)
    self.places = places
    self.bit = bit
  }

  @inlinable @inline(__always)
  var capacity: Int { base.capacity }

  @inlinable @inline(__always)
  var used: Int { base.used }

  @inlinable @inline(__always)
  var evictions: Int { base.evictions }

  @inlinable @inline(__always)
  var hasLostPinned: Bool { base.hasLostPinned }

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool { base.hasRoom(for: request) }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { 1 }

  @inlinable @inline(__always)
  static var pinsSlots: Bool { true }

  @inlinable @inline(__always)
  func isPinned(_ slot: Slot) -> Bool { base.isPinned(slot) }

  @inlinable @inline(__always)
  var unpinned: Int? { base.unpinned }

  @inlinable @inline(__always)
  func unpinned(at index: Int) -> Slot { base.unpinned(at: index) }

  @inlinable @inline(__always)
  var releases: Int? { base.releases }

  @inlinable @inline(__always)
  func released(_ number: Int) -> Slot { base.released(number) }

  /// Returns true if the block is in this tier.
  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool { places[Int(slot)] & bit != 0 }

  @inlinable @inline(__always)
  mutating func didEvict(_ slot: Slot) {
    base.didEvict(slot)
    places[Int(slot)] &= ~bit
    evicted.append(slot)
  }

  @inlinable @inline(__always)
  mutating func left(_ slot: Slot) {
    base.left(slot)
    places[Int(slot)] &= ~bit
  }

  @inlinable @inline(__always)
  mutating func didForget(_ slot: Slot) {}

  @inlinable @inline(__always)
  mutating func entered(_ slot: Slot) {
    base.entered(slot)
    places[Int(slot)] = (places[Int(slot)] | bit) & ~TierHost.mark
    enteredTokens &+= forest.wholeTokens(of: slot)
  }

  @inlinable @inline(__always)
  func pin(_ slot: Slot, by difference: Int32) { base.pin(slot, by: difference) }
}
