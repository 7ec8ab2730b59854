/// The expiry of a cache's entries by slot: times to live and to idle, and ages.
///
/// Deadlines wait in a heap. A deadline that a use puts off costs one store: the heap learns of it when
/// the old one is due. Ages need no heap, as the list of entries in the order of their last use (or set)
/// is in the order of their ages. A cache that uses neither has no room for them and reads no clock.
///
/// Nothing is over early by a clock that is behind: a time begins at the exact time at a set, and at the latest time
/// that it may be at a use, which reads no other clock.
///
/// - Complexity: a use is O(1); a set O(1), or O(log n) of the n entries with a deadline; finding
///   what is due is O(log n) for each entry that is, or that a use has put off. Memory per slot, once used: 44
///   bytes for deadlines, 17 for ages, 16 for refreshes.
@usableFromInline
struct EntryLifetimes: ~Copyable {
  /// True if anything here must be asked or told: all that a cache tests on its way.
  @usableFromInline private(set) var isInUse: Bool
  /// True if entries that come and go must be noted: those of times, or with tags.
  @usableFromInline private(set) var followsEntries: Bool
  /// The most entries that a set looks at because their time may be over, unless otherwise something else would have
  /// to leave.
  @usableFromInline static var mostRemovedAtOnce: Int { 64 }

  /// The latest time that was read.
  var now: UInt64 = 0
  let clock: CacheClock
  /// The lifetime of entries that are set without an expiration.
  private let standard: Lifetime
  /// The lifetime of the entry that is being set.
  private var arriving: Lifetime
  /// True if values may discard their own content, which a cache must notice.
  @usableFromInline let holdsDiscardables: Bool

  /// True if slots have terms and a place in the queue.
  var hasDeadlines: Bool
  var terms = SlotArray(repeating: Term())
  /// Each deadline or an earlier one.
  var queue = SlotHeap<UInt64>()

  private(set) var tracksAges = false
  let ageReference: AgeReference
  var ageLimit: UInt64
  var ages = SlotLists<UInt8>(count: 1)
  /// The moment from which an age counts.
  var stamps = SlotArray<UInt64>(repeating: 0)

  /// The times from which entries are to be loaded anew.
  var refreshes: RefreshTimes
  /// The tags of entries, which go when their values go, as their times do.
  var tags = EntryTags()
  /// Those of the entry that is being set.
  private var arrivingTags: Set<String> = []

  private var draws: SplitMix64
  /// The random bits by which the life of the next entry is shortened.
  private var draw: UInt64

  init(
    clock: CacheClock, expiration: Expiration, ageLimit: Duration?, ageReference: AgeReference,
    tracksAges: Bool, holdsDiscardables: Bool, seed: UInt64 = 0
  ) {
    self.clock = clock
    standard = Lifetime(expiration)
    arriving = standard
    hasDeadlines = standard.isLimited
    refreshes = RefreshTimes(isInUse: standard.refresh != .max)
    draws = SplitMix64(seed: seed)
    draw = draws.next()
    self.ageReference = ageReference
    self.ageLimit = ageLimit?.nanoseconds ?? .max
    self.holdsDiscardables = holdsDiscardables
    self.tracksAges = ageLimit != nil || tracksAges
    isInUse = false
    followsEntries = false
    settle()
  }

  /// True if some entry may be over, so that the clock must be read.
  private var isTimed: Bool { tracksAges || queue.count > 0 || arriving.isLimited }

  mutating func settle() {
    isInUse =
      holdsDiscardables || isTimed || refreshes.isInUse || arriving.refresh != .max
    followsEntries = isInUse || !tags.isEmpty || !arrivingTags.isEmpty
  }
}

// MARK: - Time

extension EntryLifetimes {
  /// Reads the clock, unless nothing can be over: exactly if the entry that is being set will expire.
  @usableFromInline
  mutating func readClock() {
    let isStarting = arriving.isLimited || arriving.refresh != .max
    if isTimed || isStarting { now = max(now, isStarting ? clock.exact : clock.now) }
  }

  /// Returns true if the time of the entry in `slot` is over, as the clock says.
  @usableFromInline
  func isOver(_ slot: Slot) -> Bool { isTimed && isOver(slot, at: max(now, clock.now)) }

  /// Returns true if it was over at the last reading of the clock.
  @usableFromInline
  func wasOver(_ slot: Slot) -> Bool { isTimed && isOver(slot, at: now) }

  private func isOver(_ slot: Slot, at time: UInt64) -> Bool {
    if hasDeadlines && terms[slot].deadline <= time { return true }
    return tracksAges && ages.owner(of: slot) != .none && age(of: slot, at: time) >= ageLimit
  }

  func age(of slot: Slot, at time: UInt64) -> UInt64 {
    time > stamps[slot] ? time &- stamps[slot] : 0
  }

  /// An entry that was over at the last reading of the clock, which the caller removes. Nil if there is none, or
  /// none among the first `steps`, which become fewer by those looked at.
  @usableFromInline
  mutating func due(within steps: inout Int) -> Slot? {
    while steps > 0 {
      steps -= 1
      guard let slot = queue.first, queue.priority(of: slot) <= now else {
        return oldest(reaching: ageLimit)
      }
      if terms[slot].deadline <= now { return slot }
      queue.update(slot, priority: terms[slot].deadline)
    }
    return nil
  }

  /// The oldest entry, if its age at the last reading of the clock is `age` nanoseconds or more.
  func oldest(reaching age: UInt64) -> Slot? {
    guard let slot = ages.back(of: .first), self.age(of: slot, at: now) >= age else { return nil }
    return slot
  }

  /// True if the entry that is being set would expire at once.
  @usableFromInline
  var isArrivalOver: Bool { arriving.live == 0 || arriving.idle == 0 }

  /// Returns the number of nanoseconds that the entry in `slot` has left without being used; nil if it does not
  /// expire.
  func remaining(of slot: Slot) -> UInt64? {
    let time = max(now, clock.now)
    var end = hasDeadlines ? terms[slot].deadline : .max
    if tracksAges && ageLimit != .max { end = min(end, stamps[slot].saturatingAdd(ageLimit)) }
    return end == .max ? nil : end > time ? end - time : 0
  }
}

// MARK: - Entries

extension EntryLifetimes {
  /// A get found the entry in `slot`: extends its time to idle.
  ///
  /// - Returns: False, and nothing is extended, if its time is over.
  @usableFromInline
  mutating func use(_ slot: Slot) -> Bool {
    if !isTimed { return true }
    now = max(now, clock.now)
    if isOver(slot, at: now) { return false }
    if hasDeadlines && terms[slot].idle != .max {
      let idleFrom = now.saturatingAdd(clock.leeway)
      terms[slot].deadline = min(terms[slot].end, idleFrom.saturatingAdd(terms[slot].idle))
    }
    if tracksAges && ageReference == .lastUse { stamp(slot) }
    return true
  }

  /// Returns true if a use of the entry in `slot` puts off its end.
  @usableFromInline
  func extends(_ slot: Slot) -> Bool {
    hasDeadlines && terms[slot].idle != .max || tracksAges && ageReference == .lastUse
  }

  /// The entry in `slot` has a value from now on, or another one.
  @usableFromInline
  mutating func start(_ slot: Slot) {
    setLifetime(of: slot, to: arriving)
    if tracksAges { stamp(slot) }
    tags.set(arrivingTags, of: slot)
  }

  /// The entry in `slot` has no value any more.
  @usableFromInline
  mutating func stop(_ slot: Slot) {
    setLifetime(of: slot, to: .unlimited)
    if tracksAges && ages.owner(of: slot) != .none { ages.remove(slot, size: 1) }
    tags.forget(slot)
    settle()
  }

  /// Gives the entry in `slot` a lifetime, from the last reading of the clock.
  private mutating func setLifetime(of slot: Slot, to lifetime: Lifetime) {
    setTerm(of: slot, to: lifetime)
    if refreshes.isInUse {
      let wait = Expiration.shortened(lifetime.refresh, jitter: lifetime.jitter, bits: draw)
      refreshes.set(slot, due: now.saturatingAdd(wait))
    }
    if lifetime.jitter > 0 { draw = draws.next() }
  }

  private mutating func setTerm(of slot: Slot, to lifetime: Lifetime) {
    let wasQueued = hasDeadlines && queue.contains(slot)
    if !lifetime.isLimited {
      if !wasQueued { return }
      terms[slot] = Term()
      queue.remove(slot)
      return
    }
    let term = term(lifetime)
    terms[slot] = term
    if !wasQueued {
      queue.insert(slot, priority: term.deadline)
    } else if term.deadline < queue.priority(of: slot) {
      queue.update(slot, priority: term.deadline)
    }
  }

  /// The time of a request, for a policy that looks at expiries.
  @usableFromInline var policyTime: Int64 { Int64(clamping: max(now, clock.now)) }

  /// The time at which the entry that is being set expires, for such a policy.
  @usableFromInline var expiryOfArrival: Int64 { Int64(clamping: term(arriving).deadline) }

  /// Returns the time at which the entry in `slot` expires after a use, for such a policy: `Int64.max` if as
  /// before.
  @usableFromInline
  func expiryAfterUse(_ slot: Slot) -> Int64 {
    guard hasDeadlines, terms[slot].idle != .max else { return .max }
    return expiry(of: slot)
  }

  /// Returns the time at which the entry in `slot` expires if it is not used, for such a policy: `Int64.max` if
  /// never.
  func expiry(of slot: Slot) -> Int64 {
    Int64(clamping: hasDeadlines ? terms[slot].deadline : .max)
  }

  private func term(_ lifetime: Lifetime) -> Term {
    let life = Expiration.shortened(lifetime.live, jitter: lifetime.jitter, bits: draw)
    let end = now.saturatingAdd(life)
    return Term(
      end: end, idle: lifetime.idle, deadline: min(end, now.saturatingAdd(lifetime.idle)))
  }

  private mutating func stamp(_ slot: Slot) {
    stamps[slot] = now.saturatingAdd(clock.leeway)
    if ages.owner(of: slot) == .none {
      ages.prepend(slot, to: .first, size: 1)
    } else {
      ages.moveToFront(slot, of: .first)
    }
  }

  /// Every entry is gone, and so is the room for them.
  @usableFromInline
  mutating func removeAll() {
    hasDeadlines = standard.isLimited
    refreshes.removeAll(isInUse: standard.refresh != .max)
    terms = SlotArray(repeating: Term())
    queue = SlotHeap()
    ages = SlotLists(count: 1)
    stamps = SlotArray(repeating: 0)
    tags.removeAll()
    settle()
  }
}

// MARK: - Refreshing

extension EntryLifetimes {
  /// Returns true if a load that finds the entry in `slot` is to renew it.
  func isRefreshDue(_ slot: Slot) -> Bool {
    refreshes.isInUse && refreshes.isDue(slot, at: max(now, clock.now))
  }

  /// A load that renews the entry in `slot` begins, or has failed: the next one waits.
  mutating func postponeRefresh(of slot: Slot) {
    if refreshes.isInUse { refreshes.postpone(slot, at: max(now, clock.now)) }
  }
}

// MARK: - Beginning

extension EntryLifetimes {
  /// Until ``endArrival()``, entries that are set get `expiration`.
  mutating func beginArrival(_ expiration: Expiration, slots: Int) {
    arriving = Lifetime(expiration)
    settle()
    reserve(slots: slots)
  }

  /// Until ``endTagging()``, entries that are set get these tags.
  mutating func beginTagging(_ tags: Set<String>) {
    arrivingTags = tags
    settle()
  }

  /// Entries get no tags again.
  mutating func endTagging() {
    arrivingTags = []
    settle()
  }

  /// Gives the entry in `slot` what entries get that are set now, and leaves its age as it is.
  mutating func renew(_ slot: Slot) {
    readClock()
    setLifetime(of: slot, to: arriving)
  }

  /// Entries get the standard expiration again.
  mutating func endArrival() {
    arriving = standard
    settle()
  }

  /// Ages count from now on; the caller stamps what is resident by ``start(_:)``.
  mutating func trackAges(slots: Int) {
    tracksAges = true
    settle()
    reserve(slots: slots)
    readClock()
  }

  /// Counts the age of the entry in `slot` from now.
  mutating func startAge(of slot: Slot) { stamp(slot) }

  /// Makes room for slots below `slots` in what is used.
  @usableFromInline
  mutating func reserve(slots: Int) {
    if refreshes.isInUse || arriving.refresh != .max { refreshes.reserve(slots: slots) }
    if hasDeadlines || arriving.isLimited {
      hasDeadlines = true
      terms.reserve(slots: slots)
      queue.reserve(slots: slots)
    }
    if tracksAges {
      ages.reserve(slots: slots)
      stamps.reserve(slots: slots)
    }
  }
}

extension FixedWidthInteger {
  /// The sum of two numbers that are not negative, or the largest number: as a time, never.
  func saturatingAdd(_ other: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
