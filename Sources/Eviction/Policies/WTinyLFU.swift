import Parameters

/// Window TinyLFU: a small LRU window before a segmented LRU that admits by frequency.
public struct WTinyLFU: ListPolicy, ~Copyable {
  /// The lists: the two segments of the main cache, and the window before it.
  public var lists: SlotLists<UInt8>
  /// Indexed by slot: the hash of a resident's key.
  @usableFromInline var hashes: SlotArray<UInt64>
  @usableFromInline var sketch: FrequencySketch
  @usableFromInline var capacity: Int
  let shares: Shares
  @usableFromInline var windowQuota = 0
  @usableFromInline var protectedQuota = 0
  @usableFromInline let stepShare: Fraction
  @usableFromInline let climbs: Bool
  @usableFromInline var climber: HillClimber
  @usableFromInline let comparesDensities: Bool
  @usableFromInline let dense: Int
  @usableFromInline var densityClimber: WindowClimber
  @usableFromInline let victims: Victims
  /// True if an object was evicted yet: samples before that would compare a full cache with a filling
  /// one.
  @usableFromInline var hasFilled = false

  @inlinable @inline(__always)
  static var probation: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(1) }
  @inlinable @inline(__always)
  static var protected: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(2) }
  @inlinable @inline(__always)
  static var window: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(3) }

  /// `keyHash`: what the sketch counts.
  @inlinable
  public static var needs: RequestNeeds { .keyHash }

  /// None: pinned slots are passed over.
  public static var pinRefusal: String? { nil }

  /// Creates an empty cache's policy, with an empty sketch.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` for `step` without `climb`, `dense` without `density`, or
  ///   both climbers.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    let arguments = configuration.arguments
    if arguments.given["step"] != nil && !arguments.flag("climb") {
      throw .conflict(policy: "wtinylfu", explanation: "step needs climb=true")
    }
    if arguments.given["dense"] != nil && !arguments.flag("density") {
      throw .conflict(policy: "wtinylfu", explanation: "dense needs density=true")
    }
    if arguments.flag("climb") && arguments.flag("density") {
      throw .conflict(
        policy: "wtinylfu", explanation: "climb=true and density=true exclude each other")
    }
    lists = SlotLists(count: 4, slots: configuration.slots)
    hashes = SlotArray(repeating: 0, slots: configuration.slots)
    sketch = WTinyLFU.sketch(arguments)
    capacity = configuration.capacity
    shares = Shares(arguments)
    stepShare = arguments.fraction("step")
    climbs = arguments.flag("climb")
    climber = HillClimber(firstStep: 0)
    comparesDensities = arguments.flag("density")
    dense = arguments.integer("dense")
    densityClimber = WindowClimber(capacity: capacity, dense: dense)
    victims = Victims(rawValue: arguments.text("victims")) ?? .caffeine
    setQuotas()
  }

  /// The segments' shares of a cache before any climbing.
  package struct Shares: Sendable {
    private let main: Fraction
    private let protected: Fraction

    package init(_ arguments: Arguments) {
      let window = arguments.fraction("window")
      main = Fraction(window.denominator - window.numerator, window.denominator)
      protected = arguments.fraction("protected")
    }

    /// The quotas in a cache: the window has what the main cache's share leaves.
    package func quotas(of capacity: Int) -> (window: Int, protected: Int) {
      let main = main.floor(of: capacity)
      return (capacity - main, protected.floor(of: main))
    }
  }

  /// The sketch of an empty cache.
  package static func sketch(_ arguments: Arguments) -> FrequencySketch {
    FrequencySketch(
      samplesPerObject: arguments.integer("sample"),
      hasDoorkeeper: arguments.flag("doorkeeper"), isConservative: arguments.flag("conservative"))
  }

  /// Sets the quotas to those before any climbing, which starts over.
  mutating func setQuotas() {
    (windowQuota, protectedQuota) = shares.quotas(of: capacity)
    climber = HillClimber(firstStep: Double(stepShare.floor(of: capacity)))
    densityClimber = WindowClimber(capacity: capacity, dense: dense)
  }

  /// Counts the request; a probationary object becomes protected, any other the most recent of its
  /// list.
  @inlinable
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if climbs { climb(isHit: true, host: &host) }
    if comparesDensities { adapt(hitIn: slot, host: &host) }
    sketch.record(request.keyHash)
    let list = lists.owner(of: slot)
    if list != WTinyLFU.probation {
      lists.moveToFront(slot, of: list)
    } else if host.size(of: slot) > protectedQuota {
      lists.moveToFront(slot, of: list)
    } else {
      lists.move(
        slot, from: list, toFrontOf: WTinyLFU.protected, size: host.size(of: slot))
      demote(from: WTinyLFU.protected, to: protectedQuota, host: &host)
    }
  }

  /// Counts the request, makes room, and enters the object into the window; into the main cache if it
  /// is larger than the window, and then only if it is more frequent than every victim.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if climbs { climb(isHit: false, host: &host) }
    if comparesDensities { adapt(hitIn: nil, host: &host) }
    sketch.record(request.keyHash)
    guard victims == .caffeine ? admit(request, host: &host) : admitByVictims(request, host: &host)
    else { return refuse(request, host: &host) }
    sketch.note(residents: residents)
    return true
  }

  @inlinable @inline(__always)
  mutating func admit(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    let isCandidate = request.size > windowQuota
    while !host.hasRoom(for: request) {
      if isCandidate
        && frequency(of: nextVictim(host: host)) >= sketch.frequency(of: request.keyHash)
      {
        hasFilled = true
        return false
      }
      evict(for: request, host: &host)
      if host.hasRefused { return false }
    }
    hashes[request.slot] = request.keyHash
    if isCandidate {
      lists.prepend(request.slot, to: WTinyLFU.probation, size: request.size)
    } else {
      lists.prepend(request.slot, to: WTinyLFU.window, size: request.size)
      demote(from: WTinyLFU.window, to: windowQuota, host: &host)
    }
    return true
  }

  /// Lets the window's overflow and the main cache's victim compete; without an overflow the victim
  /// leaves.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    hasFilled = true
    let victim = nextVictim(host: host)
    let newSize = request?.size ?? 1
    guard newSize <= windowQuota, lists.size(of: WTinyLFU.window) + newSize > windowQuota,
      let candidate = lists.unpinnedBack(of: WTinyLFU.window, host: host), candidate != victim
    else {
      lists.evict(victim, host: &host)
      return
    }
    if frequency(of: candidate) <= frequency(of: victim) {
      lists.evict(candidate, from: WTinyLFU.window, host: &host)
    } else {
      lists.evict(victim, host: &host)
      if host.hasRefused { return }
      lists.move(
        candidate, from: WTinyLFU.window, toFrontOf: WTinyLFU.probation,
        size: host.size(of: candidate))
    }
    prefetchNextRivals()
  }

  /// Brings near what the next competition will compare.
  @inlinable @inline(__always)
  func prefetchNextRivals() {
    if let victim = lists.back(of: WTinyLFU.probation) { sketch.prefetch(hashes[victim]) }
    if let candidate = lists.back(of: WTinyLFU.window) { sketch.prefetch(hashes[candidate]) }
  }

  /// Brings near the slot's links and its hash.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    lists.prefetch(slot)
    hashes.prefetch(slot)
  }

  /// Brings near what the sketch knows of the key.
  @inlinable @inline(__always)
  public func prefetchFurther(_ slot: Slot, keyHash: UInt64) { sketch.prefetch(keyHash) }

  /// The least recent of probation; if that is empty, of protected, and then of the window.
  @inlinable @inline(__always)
  func nextVictim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard
      let victim = lists.unpinnedBack(of: WTinyLFU.probation, host: host)
        ?? lists.unpinnedBack(of: WTinyLFU.protected, host: host)
        ?? lists.unpinnedBack(of: WTinyLFU.window, host: host)
    else { preconditionFailure("there is nothing to evict") }
    return victim
  }

  /// Sets the quotas if the capacity is another one, and restores them.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    if capacity != self.capacity { changeCapacity(to: capacity) }
    demote(from: WTinyLFU.window, to: windowQuota, host: &host)
    demote(from: WTinyLFU.protected, to: protectedQuota, host: &host)
  }

  @usableFromInline
  mutating func changeCapacity(to capacity: Int) {
    self.capacity = capacity
    setQuotas()
    sketch.limit(residents: capacity)
  }

  /// Grows the lists and the column of hashes.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    hashes.reserve(slots: slots)
  }

  /// The window's and the protected segment's quotas, which move with `climb=true` and `density=true`.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("window", Double(windowQuota))
    show("protected", Double(protectedQuota))
  }

  @inlinable @inline(__always)
  var residents: Int {
    lists.count(of: WTinyLFU.probation) + lists.count(of: WTinyLFU.protected)
      + lists.count(of: WTinyLFU.window)
  }

  @inlinable @inline(__always)
  func frequency(of slot: Slot) -> Int { sketch.frequency(of: hashes[slot]) }

  /// The overflow of `list` moves to the most recent end of probation, the least recent first.
  @inlinable @inline(__always)
  mutating func demote(
    from list: SlotLists<UInt8>.ID, to quota: Int, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: list) > quota {
      let demoted = lists.removeBack(of: list, host: host)
      lists.prepend(demoted, to: WTinyLFU.probation, size: host.size(of: demoted))
    }
  }

  /// Moves the window's quota if the climber's sample is complete, and counts the request.
  @inlinable @inline(__always)
  mutating func climb(isHit: Bool, host: inout some SlotHost & ~Copyable) {
    if !hasFilled { return }
    moveWindow(by: climber.record(isHit: isHit, sample: sketch.sample), host: &host)
  }

  /// Moves the window's quota if the sample of the density climber is complete, and counts the request.
  @inlinable @inline(__always)
  mutating func adapt(hitIn slot: Slot?, host: inout some SlotHost & ~Copyable) {
    if !hasFilled { return }
    if densityClimber.isComplete(sketchSample: sketch.sample) {
      moveWindow(
        by: densityClimber.adapt(window: windowQuota, protected: protectedQuota), host: &host)
    }
    if let slot {
      let list = lists.owner(of: slot)
      densityClimber.recordHit(
        inWindow: list == WTinyLFU.window, inProbation: list == WTinyLFU.probation)
    } else {
      densityClimber.recordMiss()
    }
  }

  @inlinable @inline(__always)
  mutating func moveWindow(by growth: Int, host: inout some SlotHost & ~Copyable) {
    if growth > 0 {
      growWindow(by: min(growth, protectedQuota), host: &host)
    } else if growth < 0 {
      let loss = min(-growth, max(windowQuota - 1, 0))
      windowQuota -= loss
      protectedQuota += loss
      demote(from: WTinyLFU.window, to: windowQuota, host: &host)
    }
  }

  /// The window takes `growth` from the protected segment's quota, and objects of at most that size,
  /// the next victims first.
  @inlinable
  mutating func growWindow(by growth: Int, host: inout some SlotHost & ~Copyable) {
    windowQuota += growth
    protectedQuota -= growth
    demote(from: WTinyLFU.protected, to: protectedQuota, host: &host)
    var left = growth
    while let slot = lists.back(of: WTinyLFU.probation), host.size(of: slot) <= left {
      left -= host.size(of: slot)
      lists.move(slot, toFrontOf: WTinyLFU.window, size: host.size(of: slot))
    }
  }
}
