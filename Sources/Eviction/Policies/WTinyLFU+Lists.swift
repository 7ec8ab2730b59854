import Parameters

extension WTinyLFU {
  /// The values of `main`: what the main cache is.
  public enum Main: String, CaseIterable, Sendable {
    /// A probationary and a protected segment.
    case slru
    /// Four segments of equal size.
    case s4lru
    /// A cache that evicts at random, behind a window that does.
    case random
  }
}

/// The other forms of main cache, window and feedback, out of the way of the plain one.
extension WindowTinyLFU {
  static func checkConflicts(_ arguments: Arguments) throws(PolicyError) {
    func conflict(_ isConflict: Bool, _ explanation: String) throws(PolicyError) {
      if isConflict { throw .conflict(policy: "wtinylfu", explanation: explanation) }
    }
    let (climbs, followsDensity) = (arguments.flag("climb"), arguments.flag("density"))
    let isVaried =
      climbs || followsDensity || arguments.text("victims") != WTinyLFU.Victims.caffeine.rawValue
    let segmentsWindow = arguments.fraction("windowProtected").numerator > 0
    let feedback = arguments.text("feedback")
    try conflict(arguments.given["step"] != nil && !climbs, "step needs climb=true")
    try conflict(arguments.given["dense"] != nil && !followsDensity, "dense needs density=true")
    try conflict(climbs && followsDensity, "climb=true and density=true exclude each other")
    try conflict(arguments.given["climber"] != nil && !climbs, "climber needs climb=true")
    let followsIndicator = arguments.text("climber") == WTinyLFU.Climber.indicator.rawValue
    try conflict(
      arguments.given["period"] != nil && !followsIndicator, "period needs climber=indicator")
    try conflict(
      arguments.given["step"] != nil && followsIndicator, "climber=indicator goes without step")
    try conflict(
      segmentsWindow && isVaried,
      "windowProtected goes with neither climb=true, density=true nor victims")
    try conflict(
      feedback != "off" && isVaried,
      "feedback goes with neither climb=true, density=true nor victims")
    try conflict(
      feedback == "window" && segmentsWindow, "feedback=window goes without windowProtected")
    try conflict(
      arguments.text("main") != "slru"
        && (isVaried || segmentsWindow || feedback == "window"
          || arguments.given["protected"] != nil),
      "another main goes with neither climb=true, density=true, victims, protected, "
        + "windowProtected nor feedback=window")
  }

  @inlinable @inline(never)
  mutating func hitVaried<Lists: RecencyLists & ~Copyable>(
    _ slot: Slot, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let list = lists.owner(of: slot)
    switch main {
    case .random: return
    case .s4lru:
      if list == .window || list == .level(3) || host.size(of: slot) > protectedQuota {
        return lists.moveToFront(slot, of: list)
      }
      let above: ListID = list == .level(0) ? .level(1) : list == .level(1) ? .level(2) : .level(3)
      lists.move(slot, from: list, toFrontOf: above, size: host.size(of: slot))
      demoteLevels(lists: &lists, host: host)
    case .slru:
      if list == .window && host.size(of: slot) <= windowProtectedQuota {
        lists.move(slot, from: list, toFrontOf: .windowProtected, size: host.size(of: slot))
        demoteWithinWindow(lists: &lists, host: host)
      } else {
        hitPlainly(slot, lists: &lists, host: &host)
      }
    }
  }

  /// Makes room, and enters the object into the window, or into the main cache if it is larger than the window's quota;
  /// then it must be more frequent than every victim, or be let in by the feedback.
  @inlinable @inline(never)
  mutating func admitVaried<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    var stays = false
    while !host.hasRoom(for: request) {
      if stays || request.size <= windowQuota {
        evictVaried(for: request, lists: &lists, host: &host)
      } else {
        hasFilled = true
        let victim = victimOfMain(lists, host: host) ?? victimOfWindow(lists, host: host)
        var growth = 0
        if frequency(of: victim) >= sketch.frequency(of: request.keyHash) {
          (stays, growth) =
            hasFeedback ? feedback.judge(request.keyHash) : (false, 0)
          if !stays {
            follow(growth, taken: 0, lists: &lists, host: &host)
            return false
          }
        }
        evict(victim, lists: &lists, host: &host)
        follow(growth, taken: request.size, lists: &lists, host: &host)
      }
      if host.hasRefused { return false }
    }
    hashes[request.slot] = request.keyHash
    let entersMain = request.size > windowQuota
    if !entersMain {
      demoteWindowVaried(to: windowQuota - request.size, lists: &lists, host: host)
    }
    lists.prepend(request.slot, to: entersMain ? .probation : .window, size: request.size)
    if main == .random {
      if entersMain { mainSet.insert(request.slot) } else { windowSet.insert(request.slot) }
    }
    return true
  }

  /// Lets the window's overflow and the main cache's victim compete, as the plain form does.
  @inlinable @inline(never)
  mutating func evictVaried<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    hasFilled = true
    let newSize = request?.size ?? 1
    let overflows = newSize <= windowQuota && windowSize(lists) + newSize > windowQuota
    let candidate = overflows ? candidate(lists, host: host) : nil
    guard let victim = victimOfMain(lists, host: host) else {
      return evict(
        candidate ?? victimOfWindow(lists, host: host), lists: &lists, host: &host)
    }
    guard let candidate else { return evict(victim, lists: &lists, host: &host) }
    var (stays, growth) = (true, 0)
    if frequency(of: candidate) <= frequency(of: victim) {
      let hash = hashes[candidate]
      (stays, growth) = hasFeedback ? feedback.judge(hash) : (false, 0)
    }
    evict(stays ? victim : candidate, lists: &lists, host: &host)
    // Whatever the host said: the level has moved.
    if growth != 0 && feedback.form == .window {
      if stays { lists.moveToFront(candidate, of: .window) }
      let taken = stays ? host.size(of: candidate) : 0
      follow(growth, taken: taken, lists: &lists, host: &host)
    } else if stays && !host.hasRefused {
      moveToMain(candidate, lists: &lists, host: host)
    }
  }

  @inlinable
  mutating func evict<Lists: RecencyLists & ~Copyable>(
    _ victim: Slot, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.evict(victim, host: &host)
    if main == .random && lists.owner(of: victim) == .none { removeFromSets(victim) }
  }

  @inlinable
  mutating func removeFromSets(_ slot: Slot) {
    if windowSet.contains(slot) { windowSet.remove(slot) } else { mainSet.remove(slot) }
  }

  /// The window's object that competes, or nil if none may leave.
  @inlinable
  mutating func candidate<Lists: RecencyLists & ~Copyable>(
    _ lists: borrowing Lists, host: borrowing some SlotHost & ~Copyable
  ) -> Slot? {
    if main == .random {
      if lists.lacksVictim(.window, host: host) { return nil }
      return windowSet.draw(&generator, host: host)
    }
    return lists.unpinnedBack(of: .window, host: host)
  }

  /// The main cache's object that leaves next, or nil if none may leave.
  @inlinable
  mutating func victimOfMain<Lists: RecencyLists & ~Copyable>(
    _ lists: borrowing Lists, host: borrowing some SlotHost & ~Copyable
  ) -> Slot? {
    if main == .random {
      if lists.lacksVictim(.probation, host: host) { return nil }
      return mainSet.draw(&generator, host: host)
    }
    for number in 0..<(main == .s4lru ? UInt8(4) : 2) {
      if let slot = lists.unpinnedBack(of: .level(number), host: host) { return slot }
    }
    return nil
  }

  /// The window's object that leaves next where the main cache has none that may.
  @inlinable
  mutating func victimOfWindow<Lists: RecencyLists & ~Copyable>(
    _ lists: borrowing Lists, host: borrowing some SlotHost & ~Copyable
  ) -> Slot {
    let slot =
      candidate(lists, host: host)
      ?? (segmentsWindow ? lists.unpinnedBack(of: .windowProtected, host: host) : nil)
    guard let slot else { preconditionFailure("the cache to evict from is empty") }
    return slot
  }

  @inlinable
  mutating func moveToMain<Lists: RecencyLists & ~Copyable>(
    _ slot: Slot, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    lists.move(
      slot, from: lists.owner(of: slot), toFrontOf: .probation, size: host.size(of: slot))
    if main == .random {
      windowSet.remove(slot)
      mainSet.insert(slot)
    }
  }

  /// Restores the quotas.
  @inlinable @inline(never)
  mutating func restoreVaried<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if segmentsWindow { demoteWithinWindow(lists: &lists, host: host) }
    demoteWindowVaried(to: windowQuota, lists: &lists, host: host)
    switch main {
    case .slru: demote(from: .protected, to: protectedQuota, lists: &lists, host: &host)
    case .s4lru: demoteLevels(lists: &lists, host: host)
    case .random: break
    }
  }

  @inlinable
  func windowSize<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> Int {
    lists.size(of: .window) &+ (segmentsWindow ? lists.size(of: .windowProtected) : 0)
  }

  /// The objects in the lists that the plain form does not have.
  @inlinable
  func residentsElsewhere<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> Int {
    switch main {
    case .slru: lists.count(of: .windowProtected)
    case .s4lru: lists.count(of: .level(2)) &+ lists.count(of: .level(3))
    case .random: 0
    }
  }

  /// The window's overflow moves to the most recent end of the lowest segment: the window's protected segment last; of a
  /// random window, what is drawn.
  @inlinable
  mutating func demoteWindowVaried<Lists: RecencyLists & ~Copyable>(
    to quota: Int, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while windowSize(lists) > quota {
      if main == .random {
        let slot = windowSet[generator.index(below: windowSet.count)]
        moveToMain(slot, lists: &lists, host: host)
      } else {
        let isProtected = segmentsWindow && lists.isEmpty(.window)
        lists.moveBack(
          of: isProtected ? .windowProtected : .window, toFrontOf: .probation, host: host)
      }
    }
  }

  /// The overflow of the window's protected segment moves to the most recent end of the window.
  @inlinable
  func demoteWithinWindow<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while lists.size(of: .windowProtected) > windowProtectedQuota {
      lists.moveBack(of: .windowProtected, toFrontOf: .window, host: host)
    }
  }

  /// Each segment's overflow moves to the most recent end of the one below, from the highest down.
  @inlinable
  func demoteLevels<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    var number: UInt8 = 3
    while number > 0 {
      while lists.size(of: .level(number)) > protectedQuota {
        lists.moveBack(of: .level(number), toFrontOf: .level(number &- 1), host: host)
      }
      number &-= 1
    }
  }
}

extension ListID {
  @inlinable @inline(__always)
  static var probation: ListID { ListID(1) }
  @inlinable @inline(__always)
  static var protected: ListID { ListID(2) }
  @inlinable @inline(__always)
  static var window: ListID { ListID(3) }
  /// Objects on their way from the window to the main cache, the last to leave it at the front.
  @inlinable @inline(__always)
  static var candidates: ListID { ListID(4) }
  @inlinable @inline(__always)
  static var windowProtected: ListID { ListID(5) }
  /// The segments of an S4LRU in the main cache, the lowest first: 0 … 3.
  @inlinable @inline(__always)
  static func level(_ number: UInt8) -> ListID { ListID(number < 2 ? number &+ 1 : number &+ 3) }
}
