import Parameters

/// Slots ranked by frequency and a tie-break, with the frequencies of evicted ones remembered.
///
/// The general form of ``FrequencyLists``: it can start a slot at any frequency, which constant time
/// cannot.
///
/// - Complexity: O(log count) per request. Memory: 45 bytes per slot.
@usableFromInline
struct FrequencyRanking: ~Copyable {
  /// The rule by which one of two equally frequent slots ranks lower.
  @usableFromInline
  enum Ties {
    /// The one whose last request is older.
    case recency
    /// The one that was inserted earlier.
    case insertion
  }

  /// By frequency, and by a number of a request among equals.
  @usableFromInline var residents: PriorityRun<SlotRank>
  /// Evicted slots, the most recently evicted at the front.
  @usableFromInline var ghosts: SlotLists<UInt8>
  /// Indexed by slot: the frequency a ghost had.
  @usableFromInline var remembered: [Int]
  @usableFromInline let ties: Ties
  /// The size units of ghosts to remember, as a multiple of the capacity; nil for all.
  @usableFromInline let history: Fraction?
  @usableFromInline var ghostLimit: Int
  @usableFromInline var sequence = 0

  init(slots: Int, capacity: Int, ties: Ties, history: Fraction?) {
    residents = PriorityRun(slots: slots)
    ghosts = SlotLists(count: 1, slots: slots)
    remembered = [Int](repeating: 0, count: slots)
    self.ties = ties
    self.history = history
    ghostLimit = history?.floor(of: capacity) ?? .max
  }

  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Takes `slot` out of the ghosts and returns the frequency it had there, or 0.
  ///
  /// Before room is made for it: a victim's ghost must not push out the newcomer's.
  @inlinable
  mutating func recall(_ slot: Slot, host: borrowing some SlotHost & ~Copyable) -> Int {
    if ghosts.owner(of: slot) == .none { return 0 }
    ghosts.remove(slot, size: host.size(of: slot))
    return remembered[Int(slot)]
  }

  @inlinable
  mutating func insert(_ slot: Slot, frequency: Int) {
    sequence += 1
    residents.insert(slot, priority: SlotRank(frequency, number: sequence))
  }

  @inlinable
  mutating func increment(_ slot: Slot) {
    var rank = residents.priority(of: slot)
    rank.rank += 1
    if ties == .recency {
      sequence += 1
      rank.number = sequence
    }
    residents.raise(slot, priority: rank)
  }

  @inlinable
  mutating func evict(host: inout some SlotHost & ~Copyable) {
    guard let victim = residents.firstUnpinned(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    if !host.mayEvict(victim) { return }
    remembered[Int(victim)] = residents.priority(of: victim).rank
    residents.remove(victim)
    ghosts.prepend(victim, to: .first, size: host.size(of: victim))
    host.didEvict(victim)
    boundGhosts(host: &host)
  }

  @inlinable
  mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if residents.contains(slot) {
      residents.remove(slot)
      host.didForget(slot)
    } else {
      ghosts.forget(slot, host: &host)
    }
  }

  @inlinable
  mutating func removeAll() {
    residents.removeAll()
    ghosts.removeAll()
  }

  @inlinable
  mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    ghostLimit = history?.floor(of: capacity) ?? .max
    boundGhosts(host: &host)
  }

  @inlinable
  mutating func reserve(slots: Int) {
    residents.reserve(slots: slots)
    ghosts.reserve(slots: slots)
    if slots > remembered.count {
      remembered.append(contentsOf: repeatElement(0, count: slots - remembered.count))
    }
  }

  /// Forgets the oldest ghosts beyond the limit; where that is 0 all, also those of empty objects.
  @inlinable
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while ghosts.size(of: .first) > ghostLimit || ghostLimit == 0 && !ghosts.isEmpty(.first) {
      ghosts.forgetBack(of: .first, host: &host)
    }
  }
}
