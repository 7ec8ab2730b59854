/// The most frequent keys of a stream, by Space-Saving: a fixed number of counters, each with a key.
///
/// A key that has no counter takes over the one with the smallest count, of equals the one least recently raised, and
/// raises it. Counters are linked by rising counts, equals by when they were raised; those of one count are a *group*,
/// which knows its last, so that a raised counter finds its place.
///
/// - Paper: A. Metwally, D. Agrawal and A. El Abbadi, “Efficient computation of frequent and top-k elements in data
///   streams”, ICDT 2005.
/// - Complexity: ``record(_:)`` O(1) expected; ``removeAll()`` O(counters). Nothing is allocated after the start.
@usableFromInline
struct HeavyHitters: ~Copyable {
  @usableFromInline
  struct Counter: BitwiseCopyable {
    var lower = HeavyHitters.none
    var higher = HeavyHitters.none
    var group = HeavyHitters.none
  }

  @usableFromInline
  struct Group: BitwiseCopyable {
    var count: UInt32 = 0
    /// The counter that was raised to the count most recently; of an unused group, the next unused one.
    var last = HeavyHitters.none
  }

  private static let none = Slot.max

  private let counterCount: Int
  private var used = 0
  private var lowest = HeavyHitters.none
  private var highest = HeavyHitters.none
  private var unusedGroup = HeavyHitters.none
  private var index = KeyIndex()
  private var keys: SlotArray<UInt64>
  private var counters: SlotArray<Counter>
  private var groups: SlotArray<Group>

  init(counters counterCount: Int) {
    self.counterCount = counterCount
    index.reserve(slots: counterCount)
    keys = SlotArray(repeating: 0, slots: counterCount)
    counters = SlotArray(repeating: Counter(), slots: counterCount)
    groups = SlotArray(repeating: Group(), slots: counterCount)
    removeAll()
  }

  mutating func visitState(_ state: inout PolicyState) {
    if state.isReading { emptyIndex() }
    state.visit(&used)
    state.visit(&lowest)
    state.visit(&highest)
    state.visit(&unusedGroup)
    keys.visitState(&state)
    counters.visitState(&state)
    groups.visitState(&state)
    if !state.isReading { return }
    if used < 0 || used > counterCount { return state.refuse() }
    for counter in 0..<Slot(used) { index.insert(counter, hash: keys[counter]) }
  }

  mutating func removeAll() {
    emptyIndex()
    used = 0
    lowest = HeavyHitters.none
    highest = HeavyHitters.none
    unusedGroup = 0
    for group in 0..<Slot(counterCount) {
      groups[group].last = Int(group) + 1 < counterCount ? group + 1 : HeavyHitters.none
    }
  }

  /// Counts a request of the key with that hash.
  mutating func record(_ key: UInt64) {
    if let counter = counter(of: key) {
      raise(counter)
    } else if used < counterCount {
      add(key)
    } else {
      let counter = lowest
      index.remove(counter)
      keys[counter] = key
      index.insert(counter, hash: key)
      raise(counter)
    }
  }

  /// Passes the largest counts to `body`, at most `number`, the largest first.
  func forEachHighest(_ number: Int, _ body: (_ count: UInt32) -> Void) {
    var counter = highest
    for _ in 0..<min(number, used) {
      body(groups[counters[counter].group].count)
      counter = counters[counter].lower
    }
  }

  private mutating func emptyIndex() {
    for counter in 0..<Slot(used) { index.remove(counter) }
  }

  private func counter(of key: UInt64) -> Slot? {
    let keys = keys.records
    return index.find(key) { keys[Int($0)] == key }
  }

  private mutating func add(_ key: UInt64) {
    let counter = Slot(used)
    used += 1
    keys[counter] = key
    index.insert(counter, hash: key)
    if lowest != HeavyHitters.none, groups[counters[lowest].group].count == 1 {
      enter(counter, counters[lowest].group, after: groups[counters[lowest].group].last)
    } else {
      enter(counter, newGroup(1), after: HeavyHitters.none)
    }
  }

  private mutating func raise(_ counter: Slot) {
    let group = counters[counter].group
    let count = groups[group].count + 1
    let last = groups[group].last
    let lower = counters[counter].lower
    let isFirst = lower == HeavyHitters.none || counters[lower].group != group
    let above = counters[last].higher
    if above != HeavyHitters.none, groups[counters[above].group].count == count {
      leave(counter, isAlone: isFirst && counter == last)
      enter(counter, counters[above].group, after: groups[counters[above].group].last)
    } else if isFirst && counter == last {
      groups[group].count = count
    } else {
      leave(counter, isAlone: false)
      enter(counter, newGroup(count), after: groups[group].last)
    }
  }

  private mutating func newGroup(_ count: UInt32) -> Slot {
    let group = unusedGroup
    unusedGroup = groups[group].last
    groups[group].count = count
    return group
  }

  /// Makes the counter the last of a group, whose last was `place` (or one that begins after it).
  private mutating func enter(_ counter: Slot, _ group: Slot, after place: Slot) {
    let higher = place == HeavyHitters.none ? lowest : counters[place].higher
    counters[counter] = Counter(lower: place, higher: higher, group: group)
    if place == HeavyHitters.none { lowest = counter } else { counters[place].higher = counter }
    if higher == HeavyHitters.none { highest = counter } else { counters[higher].lower = counter }
    groups[group].last = counter
  }

  private mutating func leave(_ counter: Slot, isAlone: Bool) {
    let (lower, higher) = (counters[counter].lower, counters[counter].higher)
    let group = counters[counter].group
    if lower == HeavyHitters.none { lowest = higher } else { counters[lower].higher = higher }
    if higher == HeavyHitters.none { highest = lower } else { counters[higher].lower = lower }
    if isAlone {
      groups[group].last = unusedGroup
      unusedGroup = group
    } else if groups[group].last == counter {
      groups[group].last = lower
    }
  }
}
