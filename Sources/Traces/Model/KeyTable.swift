import CInline
import Parameters

/// A key that a ``KeyTable`` can hold.
package protocol TableKey: BitwiseCopyable, Equatable, Sendable {
  /// A hash whose every bit is good; the table places a key by the highest bits.
  var tableHash: UInt64 { get }
  /// The key itself where it is a number, which may be small; nil where it never is.
  var number: UInt64? { get }
  /// The key that is a number; nil where none is.
  init?(number: UInt64)
}

extension UInt64: TableKey {
  @inline(__always)
  package var tableHash: UInt64 { KeyHash.finish(self) }
  @inline(__always)
  package var number: UInt64? { self }
  package init(number: UInt64) { self = number }
}

extension KeyHash: TableKey {
  @inline(__always)
  package var tableHash: UInt64 { high }
  @inline(__always)
  package var number: UInt64? { nil }
  package init?(number: UInt64) { nil }
}

/// Numbers keys in order of first appearance: open addressing over 4-byte entries.
///
/// An entry holds a key's id plus one in its low bits, as many as the table's size has, and bits
/// of the key's hash in the rest; 0 is empty. What identifies a key stands in an array by id and
/// is looked at only when those bits agree. A block of keys is resolved in three rounds (hash
/// and prefetch the entry; read the entry and prefetch the identity; compare), so that the
/// memory's latency is paid once per block and not per key.
///
/// At most half of the entries are taken, so a key costs at most 16 bytes of table, 24 while the
/// table doubles, and at most 1.5 identities. (Fuller tables are slower: what a look-up passes by
/// is hard to predict.)
///
/// Many traces number their objects or blocks themselves. While all keys are small numbers, for which an array by key
/// takes at most 4 MiB or 16 bytes each, their ids stand in such an array, without a hash and without a comparison.
/// Both are held only while one takes the place of the other. Where identities are not wanted there are none meanwhile:
/// the array tells them.
package struct KeyTable<Key: TableKey>: ~Copyable {
  /// Keys resolved at a time, at most.
  package static var block: Int { 512 }
  private static var smallest: Int { 10 }

  private var entries = RawMemory()
  /// By key, the id plus one while all keys are small; 0 is unknown. The entries are empty then.
  private var smallIDs = RawMemory()
  /// The keys that it has room for: a power of two; 0 where keys are hashed.
  private var smallKeys: UInt64 = 0
  /// The bits that are set in any key so far.
  private var seenBits: UInt64 = 0
  /// True once keys are no longer small; they are hashed from then on.
  private var hasLargeKeys = false
  private var hashes = RawMemory()
  private var identities = ColumnBuffer<Key>()
  private var bits = 0
  private let most: Int
  private let keepsIdentities: Bool

  /// Distinct keys so far.
  package private(set) var count = 0

  /// An empty table that refuses more than `most` keys.
  ///
  /// - Parameter keepsIdentities: False if they are not needed.
  package init(most: Int = Int(UInt32.max), keepsIdentities: Bool = true) {
    self.most = most
    self.keepsIdentities = keepsIdentities
  }

  /// The identities of keys, by id, where they are kept; valid until the next one is added.
  var known: UnsafePointer<Key>? {
    precondition(keepsIdentities, "identities were not wanted")
    return identities.elements.map { UnsafePointer($0) }
  }

  /// Bytes held now, used or not.
  var allocatedBytes: Int {
    entries.byteCount + smallIDs.byteCount + hashes.byteCount + identities.allocatedBytes
  }

  /// The most bytes ever held at once, the old and the new table while it doubles included.
  private(set) var peakBytes = 0

  /// Writes the id of each key of a block of at most ``block``; false when there are too many
  /// distinct keys. O(count), or O(distinct) when the table doubles.
  package mutating func resolve(
    _ keys: UnsafePointer<Key>, count: Int, into ids: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    assert(count <= Self.block)
    if count == 0 { return true }
    let before = self.count
    if areSmall(keys, count: count) {
      resolveSmall(keys, count: count, into: ids)
    } else {
      resolveHashed(keys, count: count, into: ids)
    }
    if self.count <= most { return true }
    self.count = before
    identities.truncate(to: before)
    return false
  }

  /// Decides if the table goes on, with these keys, as an array of small ones, and makes room in it.
  @inline(__always)
  private mutating func areSmall(_ keys: UnsafePointer<Key>, count: Int) -> Bool {
    var bits: UInt64 = 0
    for index in 0..<count { bits |= keys[index].number ?? .max }
    seenBits |= bits
    return seenBits < smallKeys || (!hasLargeKeys && growSmall())
  }

  /// Makes room for all small keys; hashes them if an array is not worth it, or no longer.
  ///
  /// - Returns: True if there is room.
  @inline(never)
  private mutating func growSmall() -> Bool {
    let most = 4 * UInt64(max(count, Self.fewKeys))
    let needed = seenBits < most ? UInt64(1) << UInt64(64 - seenBits.leadingZeroBitCount) : .max
    guard needed <= most, let larger = RawMemory(zeroed: Int(needed) * 4) else {
      if smallKeys > 0 {
        hasLargeKeys = true
        findIdentities()
        smallKeys = 0
        grow(toHold: count + Self.block)
        smallIDs = RawMemory()
      }
      return false
    }
    peakBytes = max(peakBytes, allocatedBytes + larger.byteCount)
    let ids = larger.base.unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self)
    if let smaller = smallIDs.base {
      ids.update(from: smaller.assumingMemoryBound(to: UInt32.self), count: Int(smallKeys))
    } else if let known = identities.elements {
      for id in 0..<count { ids[Int(known[id].number ?? 0)] = UInt32(truncatingIfNeeded: id + 1) }
    }
    if !keepsIdentities { identities = ColumnBuffer() }
    smallIDs = larger
    smallKeys = needed
    entries = RawMemory()
    bits = 0
    return true
  }

  /// A quarter of the keys that have an array from the beginning: 2^20 take 4 MiB, of which the system gives what is
  /// touched.
  private static var fewKeys: Int { 1 << 18 }

  /// Puts the identities of small keys together, where they were not kept.
  private mutating func findIdentities() {
    guard !keepsIdentities, smallKeys > 0, let ids = smallIDs.base else { return }
    let known = identities.reserve(count)
    for key in 0..<Int(smallKeys) {
      let id = ids.load(fromByteOffset: 4 * key, as: UInt32.self)
      if id > 0, let identity = Key(number: UInt64(key)) { known[Int(id) - 1] = identity }
    }
    identities.commit(count)
  }

  private mutating func resolveSmall(
    _ keys: UnsafePointer<Key>, count: Int, into ids: UnsafeMutablePointer<UInt32>
  ) {
    if !keepsIdentities { return resolveSmall(keys, count: count, into: ids, known: nil) }
    resolveSmall(keys, count: count, into: ids, known: identities.reserve(count) - self.count)
    identities.commit(self.count - identities.count)
  }

  /// - Parameter known: The identities by id; nil where they are not kept.
  @inline(__always)
  private mutating func resolveSmall(
    _ keys: UnsafePointer<Key>, count: Int, into ids: UnsafeMutablePointer<UInt32>,
    known: UnsafeMutablePointer<Key>?
  ) {
    let smallIDs = smallIDs.base.unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self)
    var next = UInt32(truncatingIfNeeded: self.count)
    for index in 0..<count { evl_prefetch(smallIDs + Int(keys[index].number ?? 0)) }
    for index in 0..<count {
      let place = Int(truncatingIfNeeded: keys[index].number ?? 0)
      let id = smallIDs[place] &- 1
      // No branch, as new keys come in no order; what is written behind the last identity does not count.
      let isNew: UInt32 = id == .max ? 1 : 0
      if let known { known[Int(next)] = keys[index] }
      let own = isNew == 1 ? next : id
      smallIDs[place] = own &+ 1
      ids[index] = own
      next &+= isNew
    }
    self.count = Int(next)
  }

  private mutating func resolveHashed(
    _ keys: UnsafePointer<Key>, count: Int, into ids: UnsafeMutablePointer<UInt32>
  ) {
    if bits == 0 || self.count + count > capacity / 2 { grow(toHold: self.count + count) }
    let known = identities.reserve(count) - self.count
    let table = entries.base.unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self)
    let hashes = hashes.base.unsafelyUnwrapped.assumingMemoryBound(to: UInt64.self)
    let shift = UInt64(64 - bits)
    let last = capacity - 1
    let idMask = idMask
    var next = UInt32(truncatingIfNeeded: self.count)

    for index in 0..<count {
      let hash = keys[index].tableHash
      hashes[index] = hash
      evl_prefetch(table + Int(truncatingIfNeeded: hash &>> shift))
    }
    for index in 0..<count {
      let entry = table[Int(truncatingIfNeeded: hashes[index] &>> shift)]
      // An empty entry leads before the first identity: harmless to prefetch, never read.
      evl_prefetch(known + (Int(entry & idMask) &- 1))
    }
    for index in 0..<count {
      let hash = hashes[index]
      let tag = UInt32(truncatingIfNeeded: hash) & ~idMask
      var place = Int(truncatingIfNeeded: hash &>> shift)
      while true {
        let entry = table[place]
        if entry == 0 {
          known[Int(next)] = keys[index]
          ids[index] = next
          next &+= 1
          table[place] = tag | next
          break
        }
        if entry & ~idMask == tag {
          let id = (entry & idMask) &- 1
          if known[Int(id)] == keys[index] {
            ids[index] = id
            break
          }
        }
        place = (place &+ 1) & last
      }
    }
    identities.commit(Int(next) - self.count)
    self.count = Int(next)
  }

  private var capacity: Int { 1 << bits }

  private var idMask: UInt32 { bits >= 32 ? .max : UInt32(1) << UInt32(bits) &- 1 }

  @inline(never)
  private mutating func grow(toHold keys: Int) {
    bits = max(bits, Self.smallest)
    while keys > capacity / 2 { bits += 1 }
    guard let larger = RawMemory(zeroed: capacity * 4) else {
      MemoryShortage.end("a table of \(capacity) keys")
    }
    if hashes.byteCount == 0 { _ = hashes.resize(to: Self.block * 8) }
    peakBytes = max(peakBytes, allocatedBytes + larger.byteCount)
    entries = larger
    var first = 0
    while first < count {
      let size = min(Self.block, count - first)
      enter(first, size)
      first += size
    }
  }

  /// Enters the keys of `size` ids from `first` on, which the table doesn't hold yet.
  private func enter(_ first: Int, _ size: Int) {
    let known = identities.elements.unsafelyUnwrapped + first
    let table = entries.base.unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self)
    let hashes = hashes.base.unsafelyUnwrapped.assumingMemoryBound(to: UInt64.self)
    let shift = UInt64(64 - bits)
    for index in 0..<size {
      let hash = known[index].tableHash
      hashes[index] = hash
      evl_prefetch(table + Int(truncatingIfNeeded: hash &>> shift))
    }
    for index in 0..<size {
      var place = Int(truncatingIfNeeded: hashes[index] &>> shift)
      while table[place] != 0 { place = (place &+ 1) & (capacity - 1) }
      let tag = UInt32(truncatingIfNeeded: hashes[index]) & ~idMask
      table[place] = tag | UInt32(truncatingIfNeeded: first + index + 1)
    }
  }

  /// The identities of the keys, by id; the table is gone.
  package consuming func takeIdentities() -> Column<Key> {
    precondition(keepsIdentities, "identities were not wanted")
    return identities.freeze()
  }
}
