/// An open-addressing table from keys' hashes to slots.
///
/// A hash is 32 bits here: its high ones say where a probe begins, and the rest is the fingerprint in a
/// word beside the slot, so that a probe compares keys only where they are almost surely equal.
/// Collisions go to the next word; removal closes the gap, so there are no tombstones and lookups never
/// slow down. Each slot's hash is kept in an array of its own, small enough to stay near.
///
/// - Complexity: O(1) expected. Memory: 4 bytes per slot, and 4 per word, of which at most two thirds
///   are in use.
@usableFromInline
package struct KeyIndex: ~Copyable {
  @usableFromInline var words: UnsafeMutablePointer<UInt32>
  /// log₂ of the number of words; also how many bits of a word are the slot.
  @usableFromInline var bits: Int
  /// Indexed by slot.
  @usableFromInline var hashes: UnsafeMutablePointer<UInt32>
  @usableFromInline var slots: Int

  /// No slot is that large while the table is at most two thirds full.
  @inlinable static var empty: UInt32 { .max }

  @inlinable
  package init() {
    bits = 4
    words = .allocate(capacity: 16)
    words.initialize(repeating: KeyIndex.empty, count: 16)
    hashes = .allocate(capacity: 0)
    slots = 0
  }

  @inlinable deinit {
    words.deallocate()
    hashes.deallocate()
  }

  @inlinable @inline(__always)
  var wordCount: Int { 1 &<< bits }

  @inlinable @inline(__always)
  var slotMask: UInt32 { UInt32(truncatingIfNeeded: wordCount &- 1) }

  /// The bits of a key's hash that the index uses.
  @inlinable @inline(__always)
  static func short(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

  /// Returns the place where a hash's probe begins: its high bits.
  @inlinable @inline(__always)
  func home(of hash: UInt32) -> Int { Int(hash &>> UInt32(truncatingIfNeeded: 32 &- bits)) }

  /// The rest of a hash, where a word keeps it.
  @inlinable @inline(__always)
  func fingerprint(of hash: UInt32) -> UInt32 { hash &<< UInt32(truncatingIfNeeded: bits) }

  @inlinable @inline(__always)
  func next(after position: Int) -> Int { (position &+ 1) & (wordCount &- 1) }

  /// The slot whose hash is `hash` and for which `matches` holds, or nil.
  @inlinable @inline(__always)
  package func find(_ hash: UInt64, matches: (Slot) -> Bool) -> Slot? {
    let hash = KeyIndex.short(hash)
    let fingerprint = fingerprint(of: hash)
    var position = home(of: hash)
    while true {
      let word = words[position]
      if word == KeyIndex.empty { return nil }
      if word & ~slotMask == fingerprint && matches(word & slotMask) { return word & slotMask }
      position = next(after: position)
    }
  }

  /// Adds `slot`, which is below the number reserved and not in the table.
  @inlinable
  package mutating func insert(_ slot: Slot, hash: UInt64) {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    hashes[Int(slot)] = KeyIndex.short(hash)
    place(slot)
  }

  @inlinable @inline(__always)
  mutating func place(_ slot: Slot) {
    let hash = hashes[Int(slot)]
    var position = home(of: hash)
    while words[position] != KeyIndex.empty { position = next(after: position) }
    words[position] = fingerprint(of: hash) | slot
  }

  /// Removes `slot`, which is in the table, and moves back what its gap would cut off.
  @inlinable
  package mutating func remove(_ slot: Slot) {
    var gap = home(of: hashes[Int(slot)])
    while words[gap] & slotMask != slot {
      assert(words[gap] != KeyIndex.empty, "slot \(slot) is not in the index")
      gap = next(after: gap)
    }
    var position = next(after: gap)
    while words[position] != KeyIndex.empty {
      let start = home(of: hashes[Int(words[position] & slotMask)])
      let distance = (position &- start) & (wordCount &- 1)
      if distance >= (position &- gap) & (wordCount &- 1) {
        words[gap] = words[position]
        gap = position
      }
      position = next(after: position)
    }
    words[gap] = KeyIndex.empty
  }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  package mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    let newHashes = UnsafeMutablePointer<UInt32>.allocateRecords(capacity: newSlots)
    newHashes.moveInitialize(from: hashes, count: slots)
    (newHashes + slots).initialize(repeating: 0, count: newSlots - slots)
    hashes.deallocate()
    hashes = newHashes
    slots = newSlots
    while 2 &* wordCount < 3 &* slots { grow() }
  }

  @inlinable
  mutating func grow() {
    let old = words
    let oldCount = wordCount
    let oldMask = slotMask
    precondition(bits < 31, "the index holds at most 2^30 slots")
    bits += 1
    words = .allocateRecords(capacity: wordCount)
    words.initialize(repeating: KeyIndex.empty, count: wordCount)
    for position in 0..<oldCount where old[position] != KeyIndex.empty {
      place(old[position] & oldMask)
    }
    old.deallocate()
  }
}
