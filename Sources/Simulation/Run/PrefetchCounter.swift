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
    if let conflict = options.run.conflict(
      policy: Policy.information.name, needs: Policy.needs, over: shape, isObserved: false)
    {
      throw conflict
    }
    let (prefetcher, keys) = try PolicyDescription.makePrefetcher(options.run, over: shape)
    let configuration = configuration(
      of: options.run, isSized: shape.isSized, slots: shape.slots)
    let evicted = EvictionLog()
    var observed = options
    observed.evictions = evicted
    return BlockSimulation(
      PrefetchCounter<Policy>(
        try Policy(configuration),
        host: SizedHost(
          capacity: configuration.capacity, slots: shape.slots, filter: nil, options: observed),
        evicted: evicted, prefetcher: prefetcher, keys: keys, shape: shape, options: options),
      options)
  }
}

/// The part of a slot's past that decides how its next request is counted.
private enum PrefetchMark: UInt8 {
  case none
  /// A prefetch brought it in, and it is resident.
  case prefetched
  /// A prefetch of the warm-up brought it in, and it is resident.
  case prefetchedBefore
  /// A prefetch evicted it.
  case displaced
}

/// An object that a fetch brings, and its time to live.
private struct PrefetchArrival {
  var request: Request
  let timeToLive: Int64
}

/// A policy with a prefetcher: what is requested and what is fetched ahead, counted apart.
struct PrefetchCounter<Policy: ReplacementPolicy & ~Copyable>: Counter, ~Copyable {
  private var policy: Policy
  private var host: SizedHost
  private let prefetcher: Prefetcher
  private let keys: SlotKeys
  private let options: SimulationOptions
  private let isSized: Bool
  private let resizes: Bool
  private var source: ColumnSource?
  private var requests = 0
  /// The host's evictions that have no mark yet.
  private let evicted: EvictionLog
  /// The objects that left, and the marks that they had, until the prefetcher hears of them.
  private var victims: [(slot: Slot, mark: PrefetchMark)] = []
  /// Indexed by slot.
  private var marks: [PrefetchMark]
  /// By slot, the number of the request that tells what a fetch brings: the latest, or before it the first; -1 for none.
  /// Empty where all requests tell the same.
  private var telling: [Int] = []
  private let tellsApart: Bool
  private var proposals: [Slot] = []
  private var seen = RequestCounts()
  private var prefetched = PrefetchCounts()
  private var evictionsBefore = 0

  init(
    _ policy: consuming Policy, host: consuming SizedHost, evicted: EvictionLog,
    prefetcher: Prefetcher, keys: SlotKeys, shape: RequestShape, options: SimulationOptions
  ) {
    self.policy = policy
    self.host = host
    self.evicted = evicted
    self.prefetcher = prefetcher
    self.keys = keys
    self.options = options
    let (isSized, isPlain, expires) = (shape.isSized, shape.isPlain, options.run.expires)
    self.isSized = isSized
    resizes = options.run.arguments.flag("resize")
    tellsApart = !isPlain || expires
    marks = Array(repeating: .none, count: shape.slots)
    if isSized { prefetched.bytes = PrefetchBytes() }
  }

  var counts: RequestCounts {
    var counts = seen
    counts.evictions = host.evictions - evictionsBefore
    counts.prefetch = prefetched
    counts.prefetch?.bytes?.requested = seen.bytes
    counts.learning = policy.learningCosts.map(LearningMeasures.init)
    return counts
  }

  mutating func begin(_ block: RequestColumns) {
    let source = ColumnSource(block)
    self.source = source
    requests = block.count
    host.use(keyHashes: block.keyHashes)
    if !tellsApart { return }
    telling = Array(repeating: -1, count: block.slots)
    for index in (0..<requests).reversed() { note(index, source) }
  }

  mutating func count(_ range: Range<Int>) {
    guard let source else { preconditionFailure("a block was begun") }
    for index in range {
      let slot = source.slot(at: index)
      let mark = marks[Int(slot)]
      if source.role(at: index) != .renewal { marks[Int(slot)] = .none }
      let size = host.size(of: slot)
      let (requestsBefore, hitsBefore, bytesBefore) = (seen.requests, seen.hits, seen.bytes)
      options.evictions?.request = index
      SimulationLoop<Policy>.run(
        index..<index + 1, of: requests, source: source, policy: &policy, host: &host,
        counts: &seen, countsSets: options.run.countsSets, resizes: resizes)
      markVictims(as: .none)
      let isCounted = seen.requests > requestsBefore
      if tellsApart { note(index, source) }
      if isCounted {
        let isHit = seen.hits > hitsBefore
        if isHit {
          if mark == .prefetched { prefetched.countHit(bytes: size) }
        } else {
          prefetched.countMiss(isPollution: mark == .displaced, bytes: seen.bytes &- bytesBefore)
        }
        prefetcher.record(slot, isHit: isHit)
      }
      recordEvictions(during: index, source)
      if isCounted { prefetch(after: index, source) }
    }
  }

  /// Notes what a request tells of its object: its size, its cost, its time to live. A removed one is not there to fetch.
  private mutating func note(_ index: Int, _ source: ColumnSource) {
    let slot = Int(source.slot(at: index))
    switch source.role(at: index) {
    case .renewal: break
    case .removal: telling[slot] = -1
    case .reference, .update:
      if source.request(at: index, needs: []).size != ColumnSource.unknownSize {
        telling[slot] = index
      }
    }
  }

  /// Takes what left from the log.
  private mutating func markVictims(as mark: PrefetchMark) {
    if evicted.slots.isEmpty { return }
    for slot in evicted.slots {
      victims.append((slot, marks[Int(slot)]))
      marks[Int(slot)] = mark
      options.evictions?.append(slot)
    }
    evicted.removeAll()
  }

  /// Tells the prefetcher what left for the newcomer, and lets enter again what it wants to keep.
  private mutating func recordEvictions(during index: Int, _ source: ColumnSource) {
    if victims.isEmpty { return }
    // What enters again may evict others.
    var next = 0
    while next < victims.count {
      let (slot, mark) = victims[next]
      next += 1
      let isUnused = mark == .prefetched || mark == .prefetchedBefore
      guard prefetcher.recordEviction(of: slot, isUnused: isUnused),
        var arrival = arrival(of: slot, during: index, source)
      else { continue }
      arrival.request.size = host.size(of: slot)
      enter(arrival, marked: mark, during: index, source)
    }
    victims.removeAll(keepingCapacity: true)
  }

  /// Returns what a fetch of `slot` brings; nil where that is not known.
  private func arrival(
    of slot: Slot, during index: Int, _ source: ColumnSource
  ) -> PrefetchArrival? {
    let isRequested = Int(slot) < keys.requested
    // Of a key that is never requested nothing is known, and it is taken to be like the object of the request.
    let told = isRequested && tellsApart ? telling[Int(slot)] : index
    if told < 0 { return nil }
    var request = source.request(at: told, needs: Policy.needs)
    request.time = source.request(at: index, needs: Policy.needs).time
    request.slot = slot
    request.keyHash =
      isRequested
      ? source.plain.keyHashes.map { $0[Int(slot)] } ?? 0
      : SplitMix64.mix(keys[slot] &+ options.run.seed)
    return PrefetchArrival(request: request, timeToLive: source.timeToLive(at: told))
  }

  /// Offers an object that is not requested to the policy.
  private mutating func enter(
    _ arrival: PrefetchArrival, marked mark: PrefetchMark, during index: Int,
    _ source: ColumnSource
  ) {
    let request = arrival.request
    if let lifetimes = host.lifetimes {
      lifetimes.begin(at: source.time(at: index))
      lifetimes.beginArrival(timeToLive: arrival.timeToLive)
      seen.expirations += SimulationLoop<Policy>.removeDue(
        for: request, size: request.size, policy: &policy, host: &host)
    }
    if SimulationLoop<Policy>.insert(request, at: index, policy: &policy, host: &host) {
      seen.insertions += 1
      marks[Int(request.slot)] = mark
    } else {
      seen.rejections += 1
    }
    markVictims(as: .displaced)
  }

  /// Fetches what is proposed, not resident, and no larger than the cache.
  private mutating func prefetch(after index: Int, _ source: ColumnSource) {
    proposals.removeAll(keepingCapacity: true)
    prefetcher.propose(after: source.slot(at: index), to: &proposals)
    if proposals.isEmpty { return }
    if keys.count > marks.count {
      let slots = keys.count + keys.count / 4
      policy.reserve(slots: slots)
      host.reserve(slots: slots)
      marks += repeatElement(.none, count: slots - marks.count)
    }
    for slot in proposals where !policy.contains(slot) {
      guard let arrival = arrival(of: slot, during: index, source),
        arrival.request.size <= host.capacity, arrival.request.size != ColumnSource.unknownSize
      else { continue }
      prefetched.countPrefetch(bytes: arrival.request.size)
      enter(arrival, marked: .prefetched, during: index, source)
      recordEvictions(during: index, source)
    }
  }

  mutating func settle() {
    seen.expirations += SimulationLoop<Policy>.removeAllDue(policy: &policy, host: &host)
  }

  mutating func restart() {
    seen = RequestCounts()
    prefetched = PrefetchCounts()
    if isSized { prefetched.bytes = PrefetchBytes() }
    evictionsBefore = host.evictions
    // A hit of an object that was fetched before is none of a prefetch that is counted.
    for slot in marks.indices {
      marks[slot] = marks[slot] == .prefetched ? .prefetchedBefore : .none
    }
  }

  func showInternals(_ show: (String, Double) -> Void) { policy.showInternals(show) }

  mutating func isBroken(atEnd: Bool) -> Bool {
    guard let account = options.account else { return false }
    if atEnd {
      settle()
      account.compare(0..<Slot(marks.count)) { policy.contains($0) }
    }
    return account.breach != nil
  }
}
