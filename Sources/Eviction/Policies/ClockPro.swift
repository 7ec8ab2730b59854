import Parameters

/// CLOCK-Pro: LIRS by clock hands, with a share of cold pages that adapts.
///
/// Not a `PinnablePolicy`: the hands push each other over the pages between them.
public struct ClockPro: ReplacementPolicy, ~Copyable {
  /// Bits of a page in the clock.
  @usableFromInline typealias State = UInt8

  /// All pages in one queue, each with its state as its frequency.
  @usableFromInline var clock: SlotQueues
  /// HANDhot: the oldest hot page.
  @usableFromInline var handHot: SlotQueues.Place?
  /// HANDcold: no resident cold page is older.
  @usableFromInline var handCold: SlotQueues.Place?
  /// HANDtest: no page in its test period is older.
  @usableFromInline var handTest: SlotQueues.Place?

  @usableFromInline var capacity = 0
  /// The target of resident cold pages, in size units.
  @usableFromInline var coldTarget = 0
  @usableFromInline var leastCold = 0
  @usableFromInline var mostCold = 0
  @usableFromInline var ghostLimit = 0
  @usableFromInline var hotPages = 0
  @usableFromInline var hotSize = 0
  @usableFromInline var coldSize = 0
  @usableFromInline var ghostSize = 0
  /// Of the cold pages, those that were hot and have not been requested since, as far as the hands know.
  @usableFromInline var demotedSize = 0
  /// The page being inserted, whose end as a ghost is not reported.
  @usableFromInline var newcomer: Slot = .max
  @usableFromInline let coldShare: Fraction
  @usableFromInline let mostColdShare: Fraction
  /// True for CLOCK-Pro+.
  @usableFromInline let adaptsByUtility: Bool
  @usableFromInline let ghostShare: Fraction

  @inlinable static var hot: State { 1 }
  @inlinable static var cold: State { 2 }
  @inlinable static var resident: State { 3 }
  @inlinable static var inTest: State { 4 }
  @inlinable static var referenced: State { 8 }
  @inlinable static var demoted: State { 16 }
  @inlinable static var returned: State { referenced | demoted }

  /// Creates an empty cache's policy, with the smallest target for cold pages.
  public init(_ configuration: PolicyConfiguration) {
    clock = SlotQueues(count: 1, slots: configuration.slots)
    let arguments = configuration.arguments
    adaptsByUtility = arguments.text("adapt") == "utility"
    coldShare = arguments.fraction("cold")
    mostColdShare =
      if case .fraction(let share) = arguments.value("most") {
        share
      } else {
        adaptsByUtility ? Fraction(5, 10) : Fraction(1)
      }
    ghostShare = arguments.fraction("ghosts")
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    clock.visitState(&state)
    state.visit(&handHot)
    state.visit(&handCold)
    state.visit(&handTest)
    state.visit(&capacity)
    state.visit(&coldTarget)
    state.visit(&leastCold)
    state.visit(&mostCold)
    state.visit(&ghostLimit)
    state.visit(&hotPages)
    state.visit(&hotSize)
    state.visit(&coldSize)
    state.visit(&ghostSize)
    state.visit(&demotedSize)
    state.visit(&newcomer)
  }

  /// Returns true if the page in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool {
    clock.owner(of: slot) != .none && state(of: slot) & ClockPro.resident != 0
  }

  /// Prefetches the slot's state, which is all that a hit reads.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { clock.prefetchMark(slot) }

  /// Prefetches the place of a page that will move.
  @inlinable @inline(__always)
  public func prefetchFurther(_ slot: Slot, keyHash: UInt64) {
    if !contains(slot) { clock.prefetch(slot) }
  }

  /// Sets the reference bit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    clock.setFrequency(of: request.slot, to: state(of: request.slot) | ClockPro.referenced)
  }

  /// One of a page whose reference bit is set.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { state(of: slot) & ClockPro.referenced != 0 }

  /// Enters a page as hot while the clock fills, or if it was in its test period; else as cold.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let slot = request.slot
    newcomer = slot
    var entersHot = hotSize + coldSize + request.size <= capacity - leastCold
    if !entersHot {
      guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
      entersHot = mayBecomeHot(slot, size: request.size, host: &host)
    }
    if clock.owner(of: slot) != .none {
      takeOut(clock.place(of: slot), size: host.size(of: slot))
    }
    enter(
      slot, as: entersHot ? ClockPro.hot : ClockPro.cold | ClockPro.inTest, size: request.size)
    settleHandHot(host: &host)
    newcomer = .max
    return true
  }

  /// HANDcold moves until it finds a cold page without a reference bit.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    while true {
      guard let place = oldestCold() else {
        demoteHot(host: &host)
        continue
      }
      let page = place.slot
      if state(of: page) & ClockPro.referenced == 0 {
        if host.mayEvict(page) { replace(place, host: &host) }
        return
      }
      let size = host.size(of: page)
      if state(of: page) & ClockPro.demoted != 0 { noteReturn(of: page, size: size) }
      let becomesHot = mayBecomeHot(page, size: size, host: &host)
      takeOut(place, size: size)
      enter(page, as: becomesHot ? ClockPro.hot : ClockPro.cold | ClockPro.inTest, size: size)
      settleHandHot(host: &host)
    }
  }

  /// Takes the page out of the clock; a hand that pointed to it moves on.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if clock.owner(of: slot) == .none { return }
    takeOut(clock.place(of: slot), size: host.size(of: slot))
    host.didForget(slot)
    settleHandHot(host: &host)
  }

  /// Empties the clock; the target stays.
  @inlinable
  public mutating func removeAll() {
    clock.removeAll()
    handHot = nil
    handCold = nil
    handTest = nil
    hotPages = 0
    hotSize = 0
    coldSize = 0
    ghostSize = 0
    demotedSize = 0
  }

  /// Bounds the target, the hot pages and the ghosts by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setLimits(for: capacity)
    while hotSize > capacity - leastCold { demoteHot(host: &host) }
    boundGhosts(host: &host)
  }

  /// Counts a page with its new size.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    clock.changeSize(of: slot, by: difference)
    if state(of: slot) & ClockPro.hot != 0 { hotSize += difference }
    if state(of: slot) & ClockPro.cold != 0 { coldSize += difference }
    if state(of: slot) & ClockPro.demoted != 0 { demotedSize += difference }
  }

  /// Shows the target of resident cold pages, in size units.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("coldTarget", Double(coldTarget))
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    clock.reserve(slots: slots)
  }

  /// Refuses the newcomer; a ghost that is still in its test period stays.
  @inlinable
  mutating func refuse(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    if clock.owner(of: request.slot) == .none { host.didForget(request.slot) }
    newcomer = .max
    return false
  }
}
