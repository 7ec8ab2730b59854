extension ClockPro {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    self.capacity = capacity
    leastCold = max(1, coldShare.floor(of: capacity))
    ghostLimit = ghostShare.floor(of: capacity)
    adjustTarget(by: 0)
  }

  /// Moves the target of the cold pages within its bounds.
  @inlinable @inline(__always)
  mutating func adjustTarget(by difference: Int) {
    coldTarget = max(leastCold, min(coldTarget + difference, capacity - leastCold))
  }

  // MARK: The list

  /// Puts the page at the head of the list; a hand that had none of its kind takes it.
  @inlinable @inline(__always)
  mutating func enter(_ slot: Slot, as state: State, size: Int) {
    clock.prepend(slot, to: .first, size: size)
    states[slot] = state
    if state & ClockPro.hot != 0 {
      hotPages += 1
      hotSize += size
    } else {
      coldSize += size
      if handCold == nil { handCold = slot }
      if state & ClockPro.inTest != 0 && handTest == nil { handTest = slot }
    }
  }

  /// Takes the page out of the list; the hands that point to it move on.
  @inlinable @inline(__always)
  mutating func takeOut(_ slot: Slot, size: Int) {
    let newer = clock.newer(than: slot)
    if handHot == slot { handHot = newer }
    if handCold == slot { handCold = newer }
    if handTest == slot { handTest = newer }
    let state = states[slot]
    if state & ClockPro.hot != 0 {
      hotPages -= 1
      hotSize -= size
    } else if state & ClockPro.cold != 0 {
      coldSize -= size
    } else {
      ghostSize -= size
    }
    clock.remove(slot, size: size)
    states[slot] = 0
  }

  /// The unreferenced cold page leaves; in its test period it stays in the list without its object.
  @inlinable @inline(__always)
  mutating func replace(_ page: Slot, host: inout some SlotHost & ~Copyable) {
    let size = host.size(of: page)
    if states[page] & ClockPro.inTest == 0 {
      takeOut(page, size: size)
      host.evictedAndForgot(page)
      return
    }
    states[page] = ClockPro.inTest
    coldSize -= size
    ghostSize += size
    host.evicted(page)
    boundGhosts(host: &host)
  }

  // MARK: HANDcold

  /// The oldest resident cold page.
  @inlinable @inline(__always)
  mutating func oldestCold() -> Slot? {
    while let page = handCold, states[page] & ClockPro.cold == 0 {
      handCold = clock.newer(than: page)
    }
    return handCold
  }

  /// Whether a page that was requested in its test period becomes hot: the target of the cold pages
  /// grows, and hot pages older than this one must make the room.
  @inlinable
  mutating func mayBecomeHot(
    _ page: Slot, size: Int, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if states[page] & ClockPro.inTest == 0 { return false }
    adjustTarget(by: size)
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
    while hotPages > 0 && states[page] & ClockPro.inTest != 0 {
      if moveHandHot(host: &host) { return true }
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
  /// - Returns: Whether it is cold.
  @inlinable
  mutating func moveHandHot(host: inout some SlotHost & ~Copyable) -> Bool {
    guard let page = handHot else { preconditionFailure("there is no hot page") }
    let isDemoted = states[page] & ClockPro.referenced == 0
    let size = host.size(of: page)
    takeOut(page, size: size)
    enter(page, as: isDemoted ? ClockPro.cold : ClockPro.hot, size: size)
    settleHandHot(host: &host)
    return isDemoted
  }

  /// The hand moves on to the oldest hot page, and ends the test periods that it passes.
  @inlinable @inline(__always)
  mutating func settleHandHot(host: inout some SlotHost & ~Copyable) {
    if hotPages == 0 {
      handHot = nil
      return
    }
    var next = handHot ?? clock.back(of: .first)
    while let page = next, states[page] & ClockPro.hot == 0 {
      next = clock.newer(than: page)
      endTest(of: page, host: &host)
    }
    handHot = next
  }

  // MARK: HANDtest

  /// Ends test periods, from the oldest on, while there are too many ghosts.
  @inlinable @inline(__always)
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while ghostSize > ghostLimit {
      while let page = handTest, states[page] & ClockPro.inTest == 0 {
        handTest = clock.newer(than: page)
      }
      guard let page = handTest else { preconditionFailure("ghosts are in their test periods") }
      endTest(of: page, host: &host)
    }
  }

  /// The page was not requested in its test period, or so it seems: a ghost leaves the list.
  @inlinable @inline(__always)
  mutating func endTest(of page: Slot, host: inout some SlotHost & ~Copyable) {
    if states[page] & ClockPro.inTest == 0 { return }
    let size = host.size(of: page)
    adjustTarget(by: states[page] & ClockPro.referenced != 0 ? size : -size)
    if states[page] & ClockPro.cold != 0 {
      states[page] &= ~ClockPro.inTest
    } else {
      takeOut(page, size: size)
      if page != newcomer { host.forgot(page) }
    }
  }
}
