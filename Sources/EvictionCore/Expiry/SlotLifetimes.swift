/// The times to live of a simulated cache's residents: they end as those of a cache's entries, in the same order.
@usableFromInline package final class SlotLifetimes {
  /// The most residents that a set looks at because their time may be over, unless otherwise something else would
  /// have to leave.
  @usableFromInline package static var mostRemovedAtOnce: Int { EntryLifetimes.mostRemovedAtOnce }
  /// The memory that the residents take, by slot.
  package static let bytesPerSlot = 44

  private let clock: MovedClock
  @exclusivity(unchecked) private var lifetimes: EntryLifetimes
  private var slots: Int

  /// No resident has a time to live.
  @usableFromInline package init(slots: Int) {
    self.slots = slots
    let clock = MovedClock()
    self.clock = clock
    lifetimes = EntryLifetimes(
      clock: clock.clock, expiration: .never, ageLimit: nil, ageReference: .lastUse,
      tracksAges: false, holdsDiscardables: false)
  }

  /// Makes room for slots below `slots`.
  @usableFromInline package func reserve(slots: Int) {
    self.slots = slots
    lifetimes.reserve(slots: slots)
  }

  /// The next request is made at `time`.
  @usableFromInline package func begin(at time: Int64) {
    lifetimes.endArrival()
    clock.move(to: time)
  }

  /// Returns true if the time of the resident `slot` is over.
  @usableFromInline package func isOver(_ slot: Slot) -> Bool { lifetimes.isOver(slot) }

  /// Until the next request begins, residents that start have this time to live; 0 is for ever.
  @usableFromInline package func beginArrival(timeToLive: Int64) {
    if let expiration = Expiration(traceTimeToLive: timeToLive) {
      lifetimes.beginArrival(expiration, slots: slots)
    }
    readClock()
  }

  /// Looks at the time, for what is due.
  @usableFromInline package func readClock() { if lifetimes.isInUse { lifetimes.readClock() } }

  /// A resident whose time is over, which the caller removes; nil if there is none, or none among the first `steps`,
  /// which become fewer by those looked at.
  @usableFromInline package func due(within steps: inout Int) -> Slot? {
    lifetimes.isInUse ? lifetimes.due(within: &steps) : nil
  }

  /// The resident `slot` has the time to live that arrives, from now on.
  @usableFromInline package func start(_ slot: Slot) {
    if lifetimes.isInUse { lifetimes.start(slot) }
  }

  /// Returns the time at which the resident `slot` leaves, for a policy that looks at it: `Int64.max` if never.
  @usableFromInline package func expiry(of slot: Slot) -> Int64 {
    let expiry = lifetimes.expiry(of: slot)
    return expiry == .max ? .max : expiry + clock.origin
  }

  /// The slot is no resident any more.
  @usableFromInline package func stop(_ slot: Slot) {
    if lifetimes.isInUse { lifetimes.stop(slot) }
  }
}
