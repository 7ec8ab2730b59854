/// The tags of a cache's entries by slot: texts by which several entries are removed at once.
///
/// - Complexity: giving and taking O(an entry's tags) expected; the entries of a tag are found in O(their number). Nothing
///   is allocated before there is a tag, and nothing is kept of one without entries.
struct EntryTags {
  private var slots: [String: Set<Slot>] = [:]
  private var tags: [Slot: Set<String>] = [:]

  /// True if no entry has a tag.
  var isEmpty: Bool { tags.isEmpty }

  /// Returns the tags of the entry in `slot`.
  func tags(of slot: Slot) -> Set<String> { tags[slot] ?? [] }

  /// Returns the slots of the entries that have `tag`, in their order.
  func slots(of tag: String) -> [Slot] { slots[tag].map { $0.sorted() } ?? [] }

  /// The entry in `slot` has these tags and no others.
  mutating func set(_ new: Set<String>, of slot: Slot) {
    forget(slot)
    if new.isEmpty { return }
    tags[slot] = new
    for tag in new { slots[tag, default: []].insert(slot) }
  }

  /// The entry in `slot` has none any more.
  mutating func forget(_ slot: Slot) {
    // An empty dictionary hashes the slot nevertheless.
    if tags.isEmpty { return }
    guard let old = tags.removeValue(forKey: slot) else { return }
    for tag in old {
      slots[tag]?.remove(slot)
      if slots[tag]?.isEmpty ?? false { slots[tag] = nil }
    }
  }

  mutating func removeAll() { self = EntryTags() }
}
