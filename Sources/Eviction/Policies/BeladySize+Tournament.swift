import CInline

/// Residents with next uses and sizes: the one with the largest distance to its next use times size is
/// at hand, though every distance shrinks with every request.
///
/// A tournament tree in which each match knows when its loser will overtake its winner. A change only
/// marks the matches above it as undecided; the champion is looked up when something must leave, and
/// then only matches are played that are undecided or overtaken.
///
/// Of equal products the farther next use wins. Next uses are different and ahead.
///
/// - Complexity: a change marks O(log count) matches at most; ``champion(at:)`` plays O(log count) per
///   change, and in total O(log² count) per change for what is overtaken (Basch, Guibas and Hershberger,
///   “Data structures for mobile data”, SODA 1997). Memory: 4 bytes per slot and up to 64 per resident.
@usableFromInline package struct KineticTournament: ~Copyable {
  @usableFromInline
  struct Entry {
    @usableFromInline var slot: Slot
    @usableFromInline var nextUse: UInt32
    @usableFromInline var size: Int

    @inlinable @inline(__always)
    init(slot: Slot, nextUse: UInt32, size: Int) {
      self.slot = slot
      self.nextUse = nextUse
      self.size = size
    }
  }

  @usableFromInline
  struct Match {
    /// The place of the best entry below, or `none`.
    @usableFromInline var winner: UInt32
    /// The first request at which it may have been overtaken; 0 where the match is undecided.
    @usableFromInline var expiry: UInt32

    @inlinable @inline(__always)
    init(winner: UInt32, expiry: UInt32) {
      self.winner = winner
      self.expiry = expiry
    }
  }

  /// Indexed by place, in no meaningful order.
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  /// Indexed by slot: the place of its entry, or `none`.
  @usableFromInline var places: UnsafeMutablePointer<UInt32>
  @usableFromInline var slots: Int
  /// The root is match 1, below match n are 2 n and 2 n + 1; those from `width` on are the entries.
  @usableFromInline var matches: UnsafeMutablePointer<Match>
  @usableFromInline var width: Int
  @usableFromInline var entryCount: Int

  @inlinable static var none: UInt32 { .max }

  /// Creates an empty tournament with room for `slots` slots.
  @usableFromInline package init(slots: Int = 0) {
    self.slots = 0
    places = .allocate(capacity: 0)
    entries = .allocate(capacity: 2)
    matches = .allocate(capacity: 2)
    width = 1
    entryCount = 0
    fillSeats()
    reserve(slots: slots)
  }

  deinit {
    places.deallocate()
    entries.deallocate()
    matches.deallocate()
  }

  /// The number of slots that take part.
  @inlinable @inline(__always)
  package var count: Int { entryCount }

  /// The slot at a place in 0 ..< ``count``; a slot that leaves is replaced by the last.
  @inlinable @inline(__always)
  package subscript(place: Int) -> Slot {
    assert(place >= 0 && place < entryCount, "place \(place) is not below the count \(entryCount)")
    return entries[place].slot
  }

  /// Returns true if `slot` takes part.
  @inlinable @inline(__always)
  package func contains(_ slot: Slot) -> Bool {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    return places[Int(slot)] != KineticTournament.none
  }

  /// Adds `slot`, which does not take part, at the last place.
  @inlinable
  package mutating func insert(_ slot: Slot, nextUse: Int, size: Int) {
    assert(!contains(slot), "slot \(slot) takes part already")
    precondition(nextUse < Int(UInt32.max), "at most 2^32 − 1 requests")
    if entryCount == width { widen() }
    let entry = Entry(slot: slot, nextUse: UInt32(truncatingIfNeeded: nextUse), size: size)
    (entries + entryCount).initialize(to: entry)
    places[Int(slot)] = UInt32(truncatingIfNeeded: entryCount)
    entryCount &+= 1
    seat(at: entryCount &- 1)
  }

  /// Gives `slot`, which takes part, another next use.
  @inlinable
  package mutating func update(_ slot: Slot, nextUse: Int) {
    precondition(nextUse < Int(UInt32.max), "at most 2^32 − 1 requests")
    let place = Int(places[Int(slot)])
    entries[place].nextUse = UInt32(truncatingIfNeeded: nextUse)
    seat(at: place)
  }

  /// Changes the size of `slot`, which takes part.
  @inlinable
  package mutating func changeSize(of slot: Slot, by difference: Int) {
    let place = Int(places[Int(slot)])
    entries[place].size &+= difference
    seat(at: place)
  }

  /// Takes out `slot`, which takes part; the last one takes its place.
  @inlinable
  package mutating func remove(_ slot: Slot) {
    assert(contains(slot), "slot \(slot) does not take part")
    let place = Int(places[Int(slot)])
    entryCount &-= 1
    let last = entries[entryCount]
    entries[place] = last
    places[Int(last.slot)] = UInt32(truncatingIfNeeded: place)
    places[Int(slot)] = KineticTournament.none
    seat(at: place)
    seat(at: entryCount)
  }

  /// The slot with the largest (next use − `now`) × size; nil if none takes part.
  ///
  /// `now` is not before that of an earlier call, and before every next use.
  @inlinable
  package mutating func champion(at now: Int) -> Slot? {
    if entryCount == 0 { return nil }
    let time = UInt32(truncatingIfNeeded: now)
    play(1, at: time)
    return entries[Int(matches[1].winner)].slot
  }

  /// Returns true if the slot at one place beats the one at another.
  @inlinable
  package func beats(_ place: Int, _ other: Int, at now: Int) -> Bool {
    let (left, right) = (entries[place], entries[other])
    let one = weight(left, at: now)
    let two = weight(right, at: now)
    if one.high != two.high { return one.high > two.high }
    if one.low != two.low { return one.low > two.low }
    return left.nextUse > right.nextUse
  }

  /// Asks the processor to bring near what a request for `slot` will read first.
  @inlinable @inline(__always)
  package func prefetch(_ slot: Slot) { evl_prefetch(places + Int(slot)) }

  /// Empties the tournament.
  @usableFromInline package mutating func removeAll() {
    places.update(repeating: KineticTournament.none, count: slots)
    entryCount = 0
    fillSeats()
  }

  /// Makes room for slots below `slots`; never shrinks.
  @usableFromInline package mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    let newPlaces = UnsafeMutablePointer<UInt32>.allocateRecords(capacity: newSlots)
    newPlaces.moveInitialize(from: places, count: slots)
    (newPlaces + slots).initialize(repeating: KineticTournament.none, count: newSlots - slots)
    places.deallocate()
    places = newPlaces
    slots = newSlots
  }
}

extension KineticTournament {
  @inlinable @inline(__always)
  func weight(_ entry: Entry, at now: Int) -> (high: UInt, low: UInt) {
    UInt(bitPattern: Int(entry.nextUse) &- now).multipliedFullWidth(
      by: UInt(bitPattern: entry.size))
  }

  /// The entry at `place` is another, or gone: what it plays in is undecided.
  @inlinable
  mutating func seat(at place: Int) {
    let winner =
      place < entryCount ? UInt32(truncatingIfNeeded: place) : KineticTournament.none
    matches[width &+ place] = Match(winner: winner, expiry: .max)
    var match = (width &+ place) >> 1
    while match > 0 && matches[match].expiry != 0 {
      matches[match].expiry = 0
      match >>= 1
    }
  }

  /// Plays what is undecided or overtaken below `match`.
  @inlinable
  mutating func play(_ match: Int, at now: UInt32) {
    if matches[match].expiry > now { return }
    let (left, right) = (2 &* match, 2 &* match &+ 1)
    play(left, at: now)
    play(right, at: now)
    let (one, two) = (matches[left], matches[right])
    var decided = Match(winner: one.winner, expiry: min(one.expiry, two.expiry))
    if one.winner == KineticTournament.none {
      decided.winner = two.winner
    } else if two.winner != KineticTournament.none {
      let isOne = beats(Int(one.winner), Int(two.winner), at: Int(now))
      decided.winner = isOne ? one.winner : two.winner
      let loser = entries[Int(isOne ? two.winner : one.winner)]
      let overtaken = overtaking(of: entries[Int(decided.winner)], by: loser, at: now)
      decided.expiry = min(decided.expiry, overtaken)
    }
    matches[match] = decided
  }

  /// The first request at which `loser` beats `winner`; only a smaller one ever does.
  @inlinable
  func overtaking(of winner: Entry, by loser: Entry, at now: UInt32) -> UInt32 {
    let gain = UInt(bitPattern: winner.size &- loser.size)
    if winner.size <= loser.size { return .max }
    let one = weight(winner, at: Int(now))
    let two = weight(loser, at: Int(now))
    let (low, borrows) = one.low.subtractingReportingOverflow(two.low)
    let high = one.high &- two.high &- (borrows ? 1 : 0)
    if high >= gain { return .max }
    var (steps, rest) =
      high == 0
      ? low.quotientAndRemainder(dividingBy: gain)
      : gain.dividingFullWidth((high, low))
    if rest > 0 { steps &+= 1 }
    return steps < UInt(UInt32.max &- now) ? now &+ UInt32(steps) : .max
  }

  /// Doubles the room for entries.
  @usableFromInline
  mutating func widen() {
    let newEntries = UnsafeMutablePointer<Entry>.allocateRecords(capacity: 2 * width)
    newEntries.moveInitialize(from: entries, count: entryCount)
    entries.deallocate()
    entries = newEntries
    width *= 2
    matches.deallocate()
    matches = .allocate(capacity: 2 * width)
    fillSeats()
  }

  /// Seats every entry, with every match undecided.
  private mutating func fillSeats() {
    let empty = Match(winner: KineticTournament.none, expiry: .max)
    let undecided = Match(winner: KineticTournament.none, expiry: 0)
    matches.initialize(repeating: undecided, count: width)
    (matches + width).initialize(repeating: empty, count: width)
    for place in 0..<entryCount { matches[width + place].winner = UInt32(place) }
  }
}
