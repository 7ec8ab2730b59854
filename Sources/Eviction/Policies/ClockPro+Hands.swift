extension ClockPro {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    self.capacity = capacity
    leastCold = max(1, coldShare.floor(of: capacity))
    mostCold = min(mostColdShare.floor(of: capacity), capacity - leastCold)
    ghostLimit = ghostShare.floor(of: capacity)
    adjustTarget(by: 0)
  }

  /// Moves the target of the cold pages within its bounds.
  @inlinable @inline(__always)
  mutating func adjustTarget(by difference: Int) {
    coldTarget = max(leastCold, min(coldTarget + difference, mostCold))
  }

  /// The step of CLOCK-Pro+ for a page of that size: its size times the whole ratio of two sums, at least 1.
  @inlinable @inline(__always)
  func step(_ numerator: Int, over denominator: Int, size: Int) -> Int {
    size == 0 ? 0 : max(1, numerator / max(size, denominator)) * size
  }

  /// A demoted page was requested: the target falls, and the page counts as demoted no longer.
  @inlinable
  mutating func noteReturn(of page: Slot, size: Int) {
    adjustTarget(by: -step(ghostSize, over: demotedSize, size: size))
    demotedSize -= size
    clock.setFrequency(of: page, to: state(of: page) & ~ClockPro.demoted)
  }

  // MARK: The list

  /// Returns the state of a page in the clock.
  @inlinable @inline(__always)
  func state(of page: Slot) -> State { clock.frequency(of: page) }

  /// Returns true if the page, of which nothing need be known, is in its test period.
  @inlinable @inline(__always)
  func isInTest(_ page: Slot) -> Bool {
    clock.owner(of: page) != .none && state(of: page) & ClockPro.inTest != 0
  }

  /// Puts the page at the head of the list; a hand that had none of its kind takes it.
  @inlinable @inline(__always)
  mutating func enter(_ slot: Slot, as state: State, size: Int) {
    clock.append(slot, to: .first, size: size, frequency: state)
    if state & ClockPro.hot != 0 {
      hotPages += 1
      hotSize += size
    } else {
      coldSize += size
      if state & ClockPro.demoted != 0 { demotedSize += size }
      if handCold == nil { handCold = clock.place(of: slot) }
      if state & ClockPro.inTest != 0 && handTest == nil { handTest = clock.place(of: slot) }
    }
  }

  /// Takes the page out of the list; the hands that point to it move on.
  @inlinable @inline(__always)
  mutating func takeOut(_ place: SlotQueues.Place, size: Int) {
    if handHot == place { handHot = clock.newer(than: place) }
    if handCold == place { handCold = clock.newer(than: place) }
    if handTest == place { handTest = clock.newer(than: place) }
    let state = state(of: place.slot)
    if state & ClockPro.hot != 0 {
      hotPages -= 1
      hotSize -= size
    } else if state & ClockPro.cold != 0 {
      coldSize -= size
      if state & ClockPro.demoted != 0 { demotedSize -= size }
    } else {
      ghostSize -= size
    }
    clock.remove(at: place, of: .first, size: size)
  }

  /// The unreferenced cold page leaves; in its test period it stays in the list without its object.
  @inlinable @inline(__always)
  mutating func replace(_ place: SlotQueues.Place, host: inout some SlotHost & ~Copyable) {
    let page = place.slot
    let size = host.size(of: page)
    if state(of: page) & ClockPro.inTest == 0 {
      takeOut(place, size: size)
      host.didEvictAndForget(page)
      return
    }
    clock.setFrequency(of: page, to: ClockPro.inTest)
    coldSize -= size
    ghostSize += size
    host.didEvict(page)
    boundGhosts(host: &host)
  }

  // MARK: HANDcold

  /// The oldest resident cold page.
  @inlinable @inline(__always)
  mutating func oldestCold() -> SlotQueues.Place? {
    handCold = handCold.flatMap { clock.first(from: $0, having: ClockPro.cold) }
    return handCold
  }

  /// Returns true if a page that was requested in its test period becomes hot: the target of the cold pages
  /// grows, and hot pages older than this one must make the room.
  @inlinable
  mutating func mayBecomeHot(
    _ page: Slot, size: Int, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if !isInTest(page) { return false }
    if !adaptsByUtility {
      adjustTarget(by: size)
    } else if state(of: page) & ClockPro.resident == 0 {
      adjustTarget(by: step(demotedSize, over: ghostSize, size: size))
    }
    while hotSize + size > capacity - coldTarget {
      if !demoteHot(olderThan: page, host: &host) { return false }
    }
    return true
  }

  // MARK: HANDhot

  /// Demotes a hot page that is older than `page`; none is once the hand has ended its test period.
  @inlinable
  mutating func demoteHot(
    olderThan page: Slot, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while hotPages > 0 && isInTest(page) {
      if moveHandHot(towards: page, host: &host) { return true }
    }
    return false
  }

  /// Demotes the oldest hot page without a reference bit.
  @inlinable
  mutating func demoteHot(host: inout some SlotHost & ~Copyable) {
    while !moveHandHot(host: &host) {}
  }

  /// The oldest hot page goes to the head of the list: as a cold page, or if its reference bit was set as
  /// a hot one.
  ///
  /// - Parameters:
  ///   - candidate: The page that needs the room. When the hand has spared a page and goes on to the next hot one,
  ///     CLOCK-Pro+ looks at the pages that it passes before the candidate.
  ///   - host: Told what is forgotten.
  /// - Returns: True if it is cold.
  @inlinable
  mutating func moveHandHot(
    towards candidate: Slot? = nil, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard let place = handHot else { preconditionFailure("there is no hot page") }
    let page = place.slot
    let isDemoted = state(of: page) & ClockPro.referenced == 0
    let size = host.size(of: page)
    takeOut(place, size: size)
    let demoted = adaptsByUtility ? ClockPro.cold | ClockPro.demoted : ClockPro.cold
    enter(page, as: isDemoted ? demoted : ClockPro.hot, size: size)
    settleHandHot(towards: isDemoted ? nil : candidate, host: &host)
    return isDemoted
  }

  /// Moves the hand on if it has left its hot page.
  @inlinable @inline(__always)
  mutating func settleHandHot(
    towards candidate: Slot? = nil, host: inout some SlotHost & ~Copyable
  ) {
    if let place = handHot, state(of: place.slot) & ClockPro.hot != 0 { return }
    moveHandHotToNext(towards: candidate, host: &host)
  }

  /// The hand moves on to the oldest hot page, and ends the test periods that it passes.
  @inlinable @inline(never)
  mutating func moveHandHotToNext(
    towards candidate: Slot?, host: inout some SlotHost & ~Copyable
  ) {
    if hotPages == 0 {
      handHot = nil
      return
    }
    var next = handHot ?? clock.oldestPlace(of: .first)
    var searches = candidate != nil
    while let place = next, state(of: place.slot) & ClockPro.hot == 0 {
      next = clock.newer(than: place)
      searches = searches && place.slot != candidate
      if searches && state(of: place.slot) & ClockPro.returned == ClockPro.returned {
        noteReturn(of: place.slot, size: host.size(of: place.slot))
      }
      endTest(at: place, host: &host)
    }
    handHot = next
  }

  // MARK: HANDtest

  /// Ends test periods, from the oldest on, while there are too many ghosts.
  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while ghostSize > ghostLimit {
      handTest = handTest.flatMap { clock.first(from: $0, having: ClockPro.inTest) }
      guard let place = handTest else { preconditionFailure("ghosts are in their test periods") }
      endTest(at: place, host: &host)
    }
  }

  /// The page was not requested in its test period, or so it seems: a ghost leaves the list.
  @inlinable @inline(__always)
  mutating func endTest(at place: SlotQueues.Place, host: inout some SlotHost & ~Copyable) {
    let page = place.slot
    let state = state(of: page)
    if state & ClockPro.inTest == 0 { return }
    let size = host.size(of: page)
    if !adaptsByUtility { adjustTarget(by: state & ClockPro.referenced != 0 ? size : -size) }
    if state & ClockPro.cold != 0 {
      clock.setFrequency(of: page, to: state & ~ClockPro.inTest)
    } else {
      takeOut(place, size: size)
      if page != newcomer { host.didForget(page) }
    }
  }
}
