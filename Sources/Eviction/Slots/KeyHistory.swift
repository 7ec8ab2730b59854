/// A queue of keys that are not in the cache, by their hashes, each with the hits it had and a size.
///
/// For policies that remember keys which never were resident: those have no slots to be ghosts in.
///
/// - Complexity: every operation is O(1) expected, growth O(count). Memory: 25 bytes per key, and 8 to 20
///   of a table that is at most half full.
@usableFromInline
struct KeyHistory: ~Copyable {
  /// A remembered key.
  @usableFromInline
  struct Entry: BitwiseCopyable {
    @usableFromInline var hash: UInt64
    @usableFromInline var size: Int32
    @usableFromInline var hits: UInt32

    @inlinable @inline(__always)
    init(hash: UInt64 = 0, size: Int = 0, hits: UInt32 = 0) {
      self.hash = hash
      self.size = Int32(clamping: size)
      self.hits = hits
    }
  }

  /// The order, the front the newest; the second list has the places that are free.
  @usableFromInline var order: SlotLists<UInt8>
  @usableFromInline var entries: SlotArray<Entry>
  /// The places of the entries, each at its hash's home or behind.
  @usableFromInline var table: SlotArray<UInt32>
  @usableFromInline var mask: UInt64
  @usableFromInline var room = 0

  @inlinable static var free: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(2) }
  @inlinable static var empty: UInt32 { .max }

  @usableFromInline
  init() {
    order = SlotLists(count: 2)
    entries = SlotArray(repeating: Entry())
    table = SlotArray(repeating: .max, slots: 16)
    mask = 15
  }

  /// The number of keys.
  @inlinable @inline(__always)
  var count: Int { order.count(of: .first) }

  /// Adds a key that it does not have, as the newest.
  @inlinable
  mutating func append(_ entry: Entry) {
    if order.isEmpty(KeyHistory.free) { grow() }
    guard let place = order.back(of: KeyHistory.free) else { return }
    order.move(place, toFrontOf: .first, size: 0)
    entries[place] = entry
    index(place)
  }

  /// Takes out the entry of a hash; nil if there is none.
  @inlinable
  mutating func take(_ hash: UInt64) -> Entry? {
    var position = hash & mask
    while table[Slot(position)] != KeyHistory.empty {
      let place = table[Slot(position)]
      if entries[place].hash == hash {
        closeGap(at: position)
        order.move(place, toFrontOf: KeyHistory.free, size: 0)
        return entries[place]
      }
      position = (position &+ 1) & mask
    }
    return nil
  }

  /// The hits of the oldest entry; nil if there is none.
  @inlinable @inline(__always)
  var oldestHits: UInt32? { order.back(of: .first).map { entries.records[Int($0)].hits } }

  /// Makes the oldest entry, which there is, the newest, with these hits.
  @inlinable @inline(__always)
  mutating func renewOldest(hits: UInt32) {
    guard let place = order.back(of: .first) else { return }
    entries[place].hits = hits
    order.moveToFront(place, of: .first)
  }

  /// Takes out the oldest entry; nil if there is none.
  @inlinable
  mutating func takeOldest() -> Entry? {
    guard let place = order.back(of: .first) else { return nil }
    return take(entries[place].hash)
  }

  /// Forgets every key.
  @inlinable
  mutating func removeAll() {
    while takeOldest() != nil {}
  }

  @inlinable @inline(__always)
  mutating func index(_ place: UInt32) {
    var position = entries[place].hash & mask
    while table[Slot(position)] != KeyHistory.empty { position = (position &+ 1) & mask }
    table[Slot(position)] = place
  }

  /// Empties a word, and moves back what its gap would cut off from its home.
  @inlinable
  mutating func closeGap(at start: UInt64) {
    var gap = start
    var position = (start &+ 1) & mask
    while table[Slot(position)] != KeyHistory.empty {
      let home = entries[table[Slot(position)]].hash & mask
      if (position &- home) & mask >= (position &- gap) & mask {
        table[Slot(gap)] = table[Slot(position)]
        gap = position
      }
      position = (position &+ 1) & mask
    }
    table[Slot(gap)] = KeyHistory.empty
  }

  /// Makes room for an eighth more keys.
  @usableFromInline @inline(never)
  mutating func grow() {
    let old = room
    room += max(8, room / 8)
    order.reserve(slots: room)
    entries.reserve(slots: room)
    for place in old..<room { order.prepend(Slot(place), to: KeyHistory.free, size: 0) }
    if UInt64(2 * room) <= mask { return }
    while UInt64(2 * room) > mask { mask = 2 * mask + 1 }
    table.reserve(slots: Int(mask) + 1)
    table.removeAll()
    var place = order.back(of: .first)
    while let next = place {
      index(next)
      place = order.newer(than: next)
    }
  }
}
