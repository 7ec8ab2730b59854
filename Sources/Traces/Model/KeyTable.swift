import CInline

/// A key that a ``KeyTable`` can hold.
package protocol TableKey: BitwiseCopyable, Equatable, Sendable {
  /// A hash whose every bit is good; the table places a key by the highest bits.
  var tableHash: UInt64 { get }
}

extension UInt64: TableKey {
  @inline(__always)
  package var tableHash: UInt64 { KeyHash.finish(self) }
}

extension KeyHash: TableKey {
  @inline(__always)
  package var tableHash: UInt64 { high }
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
package struct KeyTable<Key: TableKey>: ~Copyable {
  /// Keys resolved at a time, at most.
  package static var block: Int { 512 }
  private static var smallest: Int { 10 }

  private var entries = RawMemory()
  private var hashes = RawMemory()
  private var identities = ColumnBuffer<Key>()
  private var bits = 0
  private let most: Int

  /// An empty table that refuses more than `most` keys.
  package init(most: Int = Int(UInt32.max)) { self.most = most }

  /// Distinct keys so far.
  package var count: Int { identities.count }

  /// The identities of keys, by id; valid until the next one is added.
  var known: UnsafePointer<Key>? { identities.elements.map { UnsafePointer($0) } }

  /// Bytes held now, used or not.
  var allocatedBytes: Int {
    entries.byteCount + hashes.byteCount + identities.allocatedBytes
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
    if bits == 0 || self.count + count > capacity / 2 { grow() }
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
    let added = Int(next) - self.count
    guard self.count + added <= most else { return false }
    identities.commit(added)
    return true
  }

  private var capacity: Int { 1 << bits }

  private var idMask: UInt32 { bits >= 32 ? .max : UInt32(1) << UInt32(bits) &- 1 }

  @inline(never)
  private mutating func grow() {
    bits = bits == 0 ? Self.smallest : bits + 1
    guard let larger = RawMemory(zeroed: capacity * 4) else {
      MemoryShortage.end("a table of \(capacity) keys")
    }
    if hashes.byteCount == 0 { _ = hashes.resize(to: Self.block * 8) }
    larger.populate()
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
  package consuming func takeIdentities() -> Column<Key> { identities.freeze() }
}
