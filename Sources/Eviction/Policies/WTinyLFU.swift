import Parameters

/// Window TinyLFU: a small LRU window before a segmented LRU that admits by frequency.
public typealias WTinyLFU = ListedPolicy<WindowTinyLFU, SlotLists<UInt8>>

/// The rules of ``WTinyLFU``. The lists are the two segments of the main cache, the window before it, what is on its way
/// between them, and a second segment of the window.
public struct WindowTinyLFU: ListRules, ~Copyable {
  /// Indexed by slot: the hash of a resident's key.
  @usableFromInline var hashes: SlotArray<UInt64>
  @usableFromInline var sketch: FrequencySketch
  @usableFromInline var capacity: Int
  let shares: Shares
  @usableFromInline var windowQuota = 0
  @usableFromInline var protectedQuota = 0
  @usableFromInline let windowProtectedShare: Fraction
  @usableFromInline var windowProtectedQuota = 0
  /// True if the window has two segments.
  @usableFromInline let segmentsWindow: Bool
  @usableFromInline let main: WTinyLFU.Main
  /// True if window and main cache are what they are by default: one list, and two segments.
  @usableFromInline let hasPlainLists: Bool
  /// Of a window and a main cache that evict at random: what can be drawn.
  @usableFromInline var windowSet: SlotSet
  @usableFromInline var mainSet: SlotSet
  @usableFromInline var generator: SplitMix64
  @usableFromInline var feedback: RefusalFeedback
  @usableFromInline let hasFeedback: Bool
  /// True with plain lists and without feedback.
  @usableFromInline let competesPlainly: Bool
  @usableFromInline let stepShare: Fraction
  /// True if requests are counted for a climber or for feedback.
  @usableFromInline let movesWindow: Bool
  @usableFromInline let climberForm: WTinyLFU.Climber
  @usableFromInline let followsGradient: Bool
  @usableFromInline var climber: HillClimber
  let period: Int
  /// Of `climber=indicator`.
  var indicator: RecencyIndicator?
  @usableFromInline let comparesDensities: Bool
  @usableFromInline let dense: Int
  @usableFromInline var densityClimber: WindowClimber
  @usableFromInline let victims: WTinyLFU.Victims
  /// True if an object was evicted yet: samples before that would compare a full cache with a filling
  /// one.
  @usableFromInline var hasFilled = false

  /// Probation, protected, window, candidates; the window's protected segment, or two segments more of the main cache.
  public var listCount: Int { main == .s4lru ? 6 : segmentsWindow ? 5 : 4 }

  /// `keyHash`: what the sketch counts.
  @inlinable
  public static var needs: RequestNeeds { .keyHash }

  /// Creates an empty cache's policy, with an empty sketch.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` for `step` or `climber` without `climb`, `dense` without
  ///   `density`, `period` without `climber=indicator`, and parameters that exclude each other.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    let arguments = configuration.arguments
    try WindowTinyLFU.checkConflicts(arguments)
    hashes = SlotArray(repeating: 0, slots: configuration.slots)
    windowSet = SlotSet()
    mainSet = SlotSet()
    sketch = WindowTinyLFU.sketch(arguments)
    capacity = configuration.capacity
    shares = Shares(arguments)
    climberForm = WTinyLFU.Climber(rawValue: arguments.text("climber")) ?? .simple
    followsGradient = climberForm.isGradient
    let isSmall = followsGradient && arguments.given["step"] == nil
    stepShare = isSmall ? WTinyLFU.Climber.gradientStep : arguments.fraction("step")
    climber = HillClimber(climberForm, firstStep: 0)
    period = arguments.integer("period")
    comparesDensities = arguments.flag("density")
    dense = arguments.integer("dense")
    densityClimber = WindowClimber(capacity: capacity, dense: dense)
    victims = WTinyLFU.Victims(rawValue: arguments.text("victims")) ?? .caffeine
    windowProtectedShare = arguments.fraction("windowProtected")
    // Locals: what && and || do not evaluate at once is a closure, which must not capture half a policy.
    let windowHasSegments = windowProtectedShare.numerator > 0
    segmentsWindow = windowHasSegments
    main = WTinyLFU.Main(rawValue: arguments.text("main")) ?? .slru
    let isPlain = main == .slru && !windowHasSegments
    hasPlainLists = isPlain
    generator = SplitMix64(seed: configuration.seed)
    let form = WTinyLFU.Feedback(rawValue: arguments.text("feedback")) ?? .off
    feedback = RefusalFeedback(form)
    let isFedBack = !(form == .off)
    hasFeedback = isFedBack
    competesPlainly = isPlain && !isFedBack
    movesWindow = arguments.flag("climb") || arguments.flag("density") || isFedBack
    setQuotas()
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    hashes.visitState(&state)
    sketch.visitState(&state)
    state.visit(&capacity)
    state.visit(&windowQuota)
    state.visit(&protectedQuota)
    state.visit(&climber)
    state.visit(&densityClimber)
    state.visit(&hasFilled)
    indicator?.visitState(&state)
    if segmentsWindow { state.visit(&windowProtectedQuota) }
    if main == .random {
      windowSet.visitState(&state)
      mainSet.visitState(&state)
      state.visit(&generator)
    }
    if hasFeedback { feedback.visitState(&state) }
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
    switch main {
    case .slru: break
    case .s4lru: protectedQuota = (capacity - windowQuota) / 4
    case .random: protectedQuota = 0
    }
    if feedback.form == .window { windowQuota = min(windowQuota, RefusalFeedback.widest) }
    feedback.begin(capacity: capacity, protected: protectedQuota)
    windowProtectedQuota = windowProtectedShare.floor(of: windowQuota)
    climber = HillClimber(climberForm, firstStep: Double(stepShare.floor(of: capacity)))
    densityClimber = WindowClimber(capacity: capacity, dense: dense)
    if climberForm == .indicator { indicator = RecencyIndicator(period: period) }
  }

  /// Counts the request; a probationary object becomes protected, any other the most recent of its list. Other lists
  /// have rules of their own.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let slot = request.slot
    if movesWindow { adapt(to: request, hitIn: slot, lists: &lists, host: &host) }
    sketch.record(request.keyHash)
    if hasPlainLists {
      hitPlainly(slot, lists: &lists, host: &host)
    } else {
      hitVaried(slot, lists: &lists, host: &host)
    }
  }

  @inlinable @inline(__always)
  mutating func hitPlainly<Lists: RecencyLists & ~Copyable>(
    _ slot: Slot, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let list = lists.owner(of: slot)
    if list != .probation {
      lists.moveToFront(slot, of: list)
    } else if host.size(of: slot) > protectedQuota {
      lists.moveToFront(slot, of: list)
    } else {
      lists.move(
        slot, from: list, toFrontOf: .protected, size: host.size(of: slot))
      demote(from: .protected, to: protectedQuota, lists: &lists, host: &host)
    }
  }

  /// Counts the request, makes room, and enters the object into the window; into the main cache if it
  /// is larger than the window, and then only if it is more frequent than every victim.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if movesWindow { adapt(to: request, hitIn: nil, lists: &lists, host: &host) }
    sketch.record(request.keyHash)
    let isAdmitted: Bool
    if !competesPlainly {
      isAdmitted = admitVaried(request, lists: &lists, host: &host)
    } else if victims == .caffeine {
      isAdmitted = admit(request, lists: &lists, host: &host)
    } else {
      isAdmitted = admitByVictims(request, lists: &lists, host: &host)
    }
    if !isAdmitted { return refuse(request, lists: lists, host: &host) }
    sketch.note(residents: residents(lists))
    return true
  }

  @inlinable @inline(__always)
  mutating func admit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let isCandidate = request.size > windowQuota
    while !host.hasRoom(for: request) {
      if isCandidate,
        let victim = lists.unpinnedBack(of: listOfVictim(lists, host: host), host: host),
        frequency(of: victim) >= sketch.frequency(of: request.keyHash)
      {
        hasFilled = true
        return false
      }
      evictPlainly(for: request, lists: &lists, host: &host)
      if host.hasRefused { return false }
    }
    hashes[request.slot] = request.keyHash
    if isCandidate {
      lists.prepend(request.slot, to: .probation, size: request.size)
    } else {
      demoteWindow(to: windowQuota - request.size, lists: &lists, host: host)
      lists.prepend(request.slot, to: .window, size: request.size)
    }
    return true
  }

  /// Lets the window's overflow and the main cache's victim compete; without an overflow the victim
  /// leaves.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if competesPlainly {
      evictPlainly(for: request, lists: &lists, host: &host)
    } else {
      evictVaried(for: request, lists: &lists, host: &host)
    }
  }

  @inlinable @inline(__always)
  mutating func evictPlainly<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    hasFilled = true
    let list = listOfVictim(lists, host: host)
    let newSize = request?.size ?? 1
    guard list == .probation || list == .protected, newSize <= windowQuota,
      lists.size(of: .window) + newSize > windowQuota,
      let candidate = lists.unpinnedBack(of: .window, host: host),
      let victim = lists.unpinnedBack(of: list, host: host)
    else {
      lists.evictBack(of: list, host: &host)
      return
    }
    if frequency(of: candidate) <= frequency(of: victim) {
      lists.evictBack(of: .window, host: &host)
    } else {
      lists.evictBack(of: list, host: &host)
      if host.hasRefused { return }
      lists.move(candidate, from: .window, toFrontOf: .probation, size: host.size(of: candidate))
    }
  }

  /// Brings near the slot's hash.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { hashes.prefetch(slot) }

  /// Brings near what the sketch knows of the key.
  @inlinable @inline(__always)
  public func prefetchFurther(_ slot: Slot, keyHash: UInt64) { sketch.prefetch(keyHash) }

  /// The list of the next victim: probation; if that has none, protected, and then the window.
  @inlinable @inline(__always)
  func listOfVictim<Lists: RecencyLists & ~Copyable>(
    _ lists: borrowing Lists, host: borrowing some SlotHost & ~Copyable
  ) -> ListID {
    if !lists.lacksVictim(.probation, host: host) { return .probation }
    return lists.lacksVictim(.protected, host: host) ? .window : .protected
  }

  /// Sets the quotas if the capacity is another one, and restores them.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if capacity != self.capacity { changeCapacity(to: capacity) }
    if !hasPlainLists { return restoreVaried(lists: &lists, host: &host) }
    demoteWindow(to: windowQuota, lists: &lists, host: host)
    demote(from: .protected, to: protectedQuota, lists: &lists, host: &host)
  }

  @usableFromInline
  mutating func changeCapacity(to capacity: Int) {
    self.capacity = capacity
    setQuotas()
    sketch.limit(residents: capacity)
  }

  /// Grows the columns of hashes and of what can be drawn.
  @inlinable
  public mutating func reserve(slots: Int) {
    hashes.reserve(slots: slots)
    if main == .random {
      windowSet.reserve(slots: slots)
      mainSet.reserve(slots: slots)
    }
  }

  /// Takes the object out of what can be drawn.
  @inlinable
  public mutating func remove(_ slot: Slot, from list: ListID, size: Int) {
    if main == .random { removeFromSets(slot) }
  }

  /// Empties what can be drawn.
  @inlinable
  public mutating func removeAll() {
    windowSet.removeAll()
    mainSet.removeAll()
  }

  /// The window's and the protected segment's quotas, which move with `climb=true` and `density=true`.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("window", Double(windowQuota))
    show("protected", Double(protectedQuota))
  }

  @inlinable @inline(__always)
  func residents<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> Int {
    lists.count(of: .probation) &+ lists.count(of: .protected) &+ lists.count(of: .window)
      &+ (hasPlainLists ? 0 : residentsElsewhere(lists))
  }

  @inlinable @inline(__always)
  func frequency(of slot: Slot) -> Int { sketch.frequency(of: hashes[slot]) }

  /// The window's overflow moves to the most recent end of probation.
  @inlinable @inline(__always)
  func demoteWindow<Lists: RecencyLists & ~Copyable>(
    to quota: Int, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while lists.size(of: .window) > quota {
      lists.moveBack(of: .window, toFrontOf: .probation, host: host)
    }
  }

  /// The overflow of `list` moves to the most recent end of probation, the least recent first.
  @inlinable @inline(__always)
  mutating func demote<Lists: RecencyLists & ~Copyable>(
    from list: ListID, to quota: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: list) > quota {
      lists.moveBack(of: list, toFrontOf: .probation, host: host)
    }
  }
}
