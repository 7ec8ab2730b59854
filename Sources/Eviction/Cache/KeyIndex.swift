/// An open-addressing table from keys' hashes to slots.
///
/// An entry is one 32-bit word: the low bits are the slot, the rest a fingerprint of the hash, so that
/// a probe compares keys only where they are almost surely equal. Collisions go to the next word;
/// removal closes the gap, so there are no tombstones and lookups never slow down.
///
/// - Complexity: O(1) expected. Memory: 4 bytes per word, at most two thirds of them in use.
@usableFromInline
struct KeyIndex: ~Copyable {
  @usableFromInline var words: UnsafeMutablePointer<UInt32>
  /// log₂ of the number of words; also how many bits of a word are the slot.
  @usableFromInline var bits: Int
  @usableFromInline var count: Int

  /// No slot is that large while the table is at most two thirds full.
  @inlinable static var empty: UInt32 { .max }

  @inlinable
  init() {
    bits = 4
    count = 0
    words = .allocate(capacity: 16)
    words.initialize(repeating: KeyIndex.empty, count: 16)
  }

  @inlinable deinit { words.deallocate() }

  @inlinable @inline(__always)
  var wordCount: Int { 1 &<< bits }

  @inlinable @inline(__always)
  var slotMask: UInt32 { UInt32(truncatingIfNeeded: wordCount &- 1) }

  /// Where a hash's probe begins: its high bits. The fingerprint is made of the low ones.
  @inlinable @inline(__always)
  func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> UInt64(64 &- bits)) }

  @inlinable @inline(__always)
  func next(after position: Int) -> Int { (position &+ 1) & (wordCount &- 1) }

  /// The slot whose hash is `hash` and for which `matches` holds, or nil.
  @inlinable @inline(__always)
  func find(_ hash: UInt64, matches: (Slot) -> Bool) -> Slot? {
    let fingerprint = UInt32(truncatingIfNeeded: hash) & ~slotMask
    var position = home(of: hash)
    while true {
      let word = words[position]
      if word == KeyIndex.empty { return nil }
      if word & ~slotMask == fingerprint && matches(word & slotMask) { return word & slotMask }
      position = next(after: position)
    }
  }

  /// Adds `slot`, which is not in the table.
  ///
  /// - Parameter hashOf: The hash of every slot in the table, for when it must grow.
  @inlinable
  mutating func insert(_ slot: Slot, hash: UInt64, hashOf: (Slot) -> UInt64) {
    if 3 &* (count &+ 1) > 2 &* wordCount || slot >= slotMask { grow(hashOf: hashOf) }
    place(slot, hash: hash)
    count &+= 1
  }

  @inlinable @inline(__always)
  mutating func place(_ slot: Slot, hash: UInt64) {
    var position = home(of: hash)
    while words[position] != KeyIndex.empty { position = next(after: position) }
    words[position] = UInt32(truncatingIfNeeded: hash) & ~slotMask | slot
  }

  /// Removes `slot`, which is in the table, and moves back what its gap would cut off.
  @inlinable
  mutating func remove(_ slot: Slot, hash: UInt64, hashOf: (Slot) -> UInt64) {
    var gap = home(of: hash)
    while words[gap] & slotMask != slot {
      assert(words[gap] != KeyIndex.empty, "slot \(slot) is not in the index")
      gap = next(after: gap)
    }
    var position = next(after: gap)
    while words[position] != KeyIndex.empty {
      let start = home(of: hashOf(words[position] & slotMask))
      let distance = (position &- start) & (wordCount &- 1)
      if distance >= (position &- gap) & (wordCount &- 1) {
        words[gap] = words[position]
        gap = position
      }
      position = next(after: position)
    }
    words[gap] = KeyIndex.empty
    count &-= 1
  }

  /// Empties the table, keeping its memory.
  @inlinable
  mutating func removeAll() {
    words.update(repeating: KeyIndex.empty, count: wordCount)
    count = 0
  }

  @inlinable
  mutating func grow(hashOf: (Slot) -> UInt64) {
    let old = words
    let oldCount = wordCount
    let oldMask = slotMask
    precondition(bits < 32, "the index holds at most 2^31 slots")
    bits += 1
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: KeyIndex.empty, count: wordCount)
    for position in 0..<oldCount where old[position] != KeyIndex.empty {
      let slot = old[position] & oldMask
      place(slot, hash: hashOf(slot))
    }
    old.deallocate()
  }
}
