import EvictionCore
import Requests
import Results

extension SimulationLoop where Policy: ~Copyable {
  /// Begins a run whose policy has a prefetcher, which its arguments name. Not compiled for each policy.
  ///
  /// - Throws: ``PolicyError`` if policy, prefetcher and requests do not fit.
  @usableFromInline @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  static func beginPrefetching(
    _ options: SimulationOptions, over shape: RequestShape
  ) throws(PolicyError) -> BlockSimulation {
    let isObserved = options.evictions != nil || options.account != nil
    if let conflict = options.run.conflict(
      policy: Policy.information.name, needs: Policy.needs, over: shape, isObserved: isObserved)
    {
      throw conflict
    }
    let (prefetcher, keys) = try PolicyDescription.makePrefetcher(options.run, over: shape)
    let configuration = configuration(of: options.run, isSized: false, slots: shape.slots)
    return BlockSimulation(
      PrefetchCounter<Policy>(
        try Policy(configuration),
        host: PrefetchHost(capacity: configuration.capacity, slots: shape.slots),
        prefetcher: prefetcher, keys: keys, options: options), options)
  }
}

/// A policy with a prefetcher: gets of objects that count one, those of misses and those fetched ahead counted apart.
struct PrefetchCounter<Policy: ReplacementPolicy & ~Copyable>: Counter, ~Copyable {
  private var policy: Policy
  private var host: PrefetchHost
  private let prefetcher: Prefetcher
  private let keys: SlotKeys
  private let options: SimulationOptions
  private var source: PlainSource?
  private var proposals: [Slot] = []
  private var seen = RequestCounts()
  private var prefetched = PrefetchCounts()
  private var evictionsBefore = 0

  init(
    _ policy: consuming Policy, host: consuming PrefetchHost, prefetcher: Prefetcher,
    keys: SlotKeys, options: SimulationOptions
  ) {
    self.policy = policy
    self.host = host
    self.prefetcher = prefetcher
    self.keys = keys
    self.options = options
  }

  var counts: RequestCounts {
    var counts = seen
    counts.evictions = host.evictions - evictionsBefore
    counts.prefetch = prefetched
    counts.learning = policy.learningCosts.map(LearningMeasures.init)
    return counts
  }

  mutating func begin(_ block: RequestColumns) { source = PlainSource(block) }

  mutating func count(_ range: Range<Int>) {
    guard let source else { preconditionFailure("a block was begun") }
    for index in range {
      let request = source.request(at: index, needs: Policy.needs)
      let isHit = policy.contains(request.slot)
      let mark = host.takeMark(of: request.slot)
      seen.count(request, isHit: isHit, weighs: false)
      options.hits?.request = index
      options.hits?.append(isHit: isHit)
      prefetcher.record(request.slot, isHit: isHit)
      if isHit {
        if mark == .prefetched { prefetched.hits += 1 }
        policy.hit(request, host: &host)
      } else {
        if mark == .displaced { prefetched.pollution += 1 }
        prefetched.fetches += 1
        _ = insert(request)
        recordEvictions(for: request, source)
      }
      prefetch(after: request, source)
    }
  }

  /// Offers an object to the policy.
  private mutating func insert(_ request: Request) -> Bool {
    let isAdmitted = request.size <= host.capacity && policy.insert(request, host: &host)
    if isAdmitted {
      host.used += 1
      seen.insertions += 1
    } else {
      seen.rejections += 1
    }
    return isAdmitted
  }

  /// Tells the prefetcher what left for the newcomer, and lets enter again what it wants to keep.
  private mutating func recordEvictions(for newcomer: Request, _ source: PlainSource) {
    // What enters again may evict others.
    var next = 0
    while next < host.victims.count {
      let (slot, mark) = host.victims[next]
      next += 1
      let isUnused = mark == .prefetched || mark == .prefetchedBefore
      guard prefetcher.recordEviction(of: slot, isUnused: isUnused) else { continue }
      enter(slot, marked: mark, for: newcomer, source)
    }
    host.forgetVictims()
  }

  /// Offers an object that is not requested to the policy.
  private mutating func enter(
    _ slot: Slot, marked mark: PrefetchHost.Mark, for newcomer: Request, _ source: PlainSource
  ) {
    let request = Request(slot: slot, keyHash: keyHash(of: slot, source), time: newcomer.time)
    host.isPrefetching = true
    if insert(request) { host.mark(slot, mark) }
    host.isPrefetching = false
  }

  /// Fetches what is proposed and not resident.
  private mutating func prefetch(after request: Request, _ source: PlainSource) {
    proposals.removeAll(keepingCapacity: true)
    prefetcher.propose(after: request.slot, to: &proposals)
    if proposals.isEmpty { return }
    if keys.count > host.slots {
      let slots = keys.count + keys.count / 4
      policy.reserve(slots: slots)
      host.reserve(slots: slots)
    }
    for slot in proposals where !policy.contains(slot) {
      prefetched.prefetches += 1
      prefetched.fetches += 1
      enter(slot, marked: .prefetched, for: request, source)
      recordEvictions(for: request, source)
    }
  }

  /// The hash of a key; of one that the trace does not have, any that stays the same.
  private func keyHash(of slot: Slot, _ source: PlainSource) -> UInt64 {
    if Int(slot) >= keys.requested { return SplitMix64.mix(keys[slot] &+ options.run.seed) }
    return source.keyHashes.map { $0[Int(slot)] } ?? 0
  }

  mutating func restart() {
    seen = RequestCounts()
    prefetched = PrefetchCounts()
    evictionsBefore = host.evictions
    // A hit of an object that was fetched before is none of a prefetch that is counted.
    host.restart()
  }

  func showInternals(_ show: (String, Double) -> Void) { policy.showInternals(show) }
}

/// Every object counts one; what a prefetch brought in, and what left for it, is marked until it is requested.
struct PrefetchHost: SlotHost, ~Copyable {
  /// The part of a slot's past that decides how its next request is counted.
  enum Mark: UInt8 {
    case none
    /// A prefetch brought it in, and it is resident.
    case prefetched
    /// A prefetch of the warm-up brought it in, and it is resident.
    case prefetchedBefore
    /// A prefetch evicted it.
    case displaced
  }

  let capacity: Int
  var used = 0
  private(set) var evictions = 0
  /// True while what enters was not requested.
  var isPrefetching = false
  /// The objects that left since they were forgotten, and the marks that they had.
  private(set) var victims: [(slot: Slot, mark: Mark)] = []
  /// Indexed by slot.
  private var marks: [Mark]

  static var asksFilter: Bool { false }

  init(capacity: Int, slots: Int) {
    self.capacity = capacity
    marks = Array(repeating: .none, count: slots)
  }

  var slots: Int { marks.count }

  mutating func reserve(slots: Int) {
    marks += repeatElement(.none, count: slots - marks.count)
  }

  mutating func mark(_ slot: Slot, _ mark: Mark) { marks[Int(slot)] = mark }

  /// The mark of a slot that is requested now.
  mutating func takeMark(of slot: Slot) -> Mark {
    let mark = marks[Int(slot)]
    marks[Int(slot)] = .none
    return mark
  }

  mutating func forgetVictims() { victims.removeAll(keepingCapacity: true) }

  /// The warm-up is over.
  mutating func restart() {
    for slot in marks.indices {
      marks[slot] = marks[slot] == .prefetched ? .prefetchedBefore : .none
    }
  }

  func hasRoom(for request: Request) -> Bool { used < capacity }

  func size(of slot: Slot) -> Int { 1 }

  mutating func didEvict(_ slot: Slot) {
    used -= 1
    evictions += 1
    victims.append((slot, marks[Int(slot)]))
    mark(slot, isPrefetching ? .displaced : .none)
  }

  mutating func didForget(_ slot: Slot) {}
}
