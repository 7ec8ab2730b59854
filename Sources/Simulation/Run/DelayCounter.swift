import Eviction
import EvictionCore
import Parameters
import Requests
import Results

extension SimulationLoop where Policy: ~Copyable {
  /// Begins a run in which a miss takes time. Not compiled for each policy.
  ///
  /// - Throws: ``PolicyError`` if policy, options and requests do not fit.
  @usableFromInline @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  static func beginDelayed(
    _ options: SimulationOptions, over shape: RequestShape
  ) throws(PolicyError) -> BlockSimulation {
    let (name, run) = (Policy.information.name, options.run)
    guard let delay = run.delay else { preconditionFailure("the run has a delay") }
    let isObserved = options.evictions != nil || options.account != nil
    if let conflict = run.conflict(
      policy: name, needs: Policy.needs, over: shape, isObserved: isObserved)
    {
      throw conflict
    }
    var own = run
    // Without a delay the run is a sweep's.
    if delay.length > 0 && name == LRUMAD.information.name {
      var given = run.arguments.given
      given[LRUMAD.delayOfRun] = .integer(Int(delay.length))
      own.arguments = Arguments(parameters: Policy.information.parameters, given: given)
    }
    let configuration = configuration(of: own, isSized: shape.isSized, slots: shape.slots)
    return BlockSimulation(
      DelayCounter<Policy>(
        try Policy(configuration),
        host: SizedHost(
          capacity: configuration.capacity, slots: shape.slots, filter: nil, options: options),
        delay: delay, slots: shape.slots, options: options), options)
  }
}

/// The clock of requests whose misses take time.
struct DelayedRequests {
  private let times: UnsafePointer<Int64>?
  private var now = Int64.min

  /// The clock of a block: its times, or where the delay is a number of requests, their numbers.
  init(_ block: RequestColumns, _ delay: MissDelay) {
    times = delay.unit == .nanoseconds ? block.times : nil
    if delay.unit == .nanoseconds { precondition(times != nil, "the requests have times") }
  }

  /// The time of the next request, by its number. A time that goes back is the latest before it.
  mutating func time(at index: Int) -> Int64 {
    now = max(now, times.map { $0[index] } ?? Int64(index))
    return now
  }
}

/// A policy whose misses take time: gets, and reads and writes of blocks.
///
/// A request finds its object resident, a hit without latency; or under way since t₀, a delayed hit that waits until t₀
/// + delay; or neither, a miss, whose fetch begins and lasts for the delay. Before the requests of the time at which it ends,
/// and of later ones, the policy sees all requests of the fetch as they came: the miss, which may enter, and if it did, the
/// others as hits. A policy that knows the future sees the last alone, whose next use is the next that matters. The
/// object has the size that its miss tells. A fetch that ends after the last request is not seen.
struct DelayCounter<Policy: ReplacementPolicy & ~Copyable>: Counter, ~Copyable {
  /// A fetch under way.
  private struct Fetch {
    let ends: Int64
    /// The number of the request that began it.
    let miss: Int
    /// The numbers of those that wait as well.
    var others: [Int] = []
  }

  private var policy: Policy
  private var host: SizedHost
  private let delay: MissDelay
  private let options: SimulationOptions
  private let resizes: Bool
  private var source: ColumnSource?
  private var clock: DelayedRequests?
  /// In the order of their beginnings, which is that of their ends; those before `ended` are over.
  private var fetches: [Fetch] = []
  private var ended = 0
  /// By slot, the number of its fetch in all fetches; -1 for none under way.
  private var fetchOfSlot: [Int]
  /// The fetches taken out of the front of the array.
  private var removed = 0
  private var seen = RequestCounts()
  private var evictionsBefore = 0

  init(
    _ policy: consuming Policy, host: consuming SizedHost, delay: MissDelay, slots: Int,
    options: SimulationOptions
  ) {
    self.policy = policy
    self.host = host
    self.delay = delay
    self.options = options
    resizes = options.run.arguments.flag("resize")
    fetchOfSlot = Array(repeating: -1, count: slots)
  }

  var counts: RequestCounts {
    var counts = seen
    counts.evictions = host.evictions - evictionsBefore
    counts.learning = policy.learningCosts.map(LearningMeasures.init)
    return counts
  }

  mutating func begin(_ block: RequestColumns) {
    source = ColumnSource(block)
    host.use(keyHashes: block.keyHashes)
    clock = DelayedRequests(block, delay)
  }

  mutating func count(_ range: Range<Int>) {
    guard let source, var clock else { preconditionFailure("a block was begun") }
    for index in range {
      let now = clock.time(at: index)
      end(until: now, source)
      let slot = source.slot(at: index)
      let isHit = policy.contains(slot)
      let asked = source.request(at: index, needs: [])
      if !isHit && asked.size == ColumnSource.unknownSize {
        seen.countUnknownSize()
      } else {
        seen.count(asked, isHit: isHit, weighs: source.weighs)
      }
      options.hits?.request = index
      options.hits?.append(isHit: isHit)
      let fetch = fetchOfSlot[Int(slot)]
      if isHit {
        options.latencies?.appendHit()
        hit(index, source)
      } else if fetch >= 0 {
        fetches[fetch - removed].others.append(index)
        options.latencies?.append(wait: fetches[fetch - removed].ends - now)
      } else {
        options.latencies?.appendMiss()
        fetchOfSlot[Int(slot)] = removed + fetches.count
        let ends = now.addingReportingOverflow(delay.length)
        fetches.append(Fetch(ends: ends.overflow ? .max : ends.partialValue, miss: index))
        end(until: now, source)
      }
    }
    self.clock = clock
  }

  /// A request as the policy sees it.
  private func request(at index: Int, _ source: ColumnSource) -> Request {
    var request = source.request(at: index, needs: Policy.needs)
    request.time = delay.unit == .requests ? Int64(index) : source.time(at: index)
    return request
  }

  /// A request of a resident, which has its own size until one brings another.
  private mutating func hit(_ index: Int, _ source: ColumnSource) {
    var request = request(at: index, source)
    let size = request.size
    request.size = host.size(of: request.slot)
    policy.hit(request, host: &host)
    if source.weighs && (resizes || source.writes(at: index)) {
      SimulationLoop<Policy>.resize(request.slot, to: size, policy: &policy, host: &host)
    }
  }

  /// Ends the fetches that are over at that time.
  private mutating func end(until now: Int64, _ source: ColumnSource) {
    while ended < fetches.count, fetches[ended].ends <= now {
      let fetch = fetches[ended]
      let slot = source.slot(at: fetch.miss)
      fetches[ended].others = []
      fetchOfSlot[Int(slot)] = -1
      ended += 1
      let knowsFuture = Policy.needs.contains(.nextUse)
      let first = knowsFuture ? fetch.others.last ?? fetch.miss : fetch.miss
      var request = request(at: first, source)
      request.size = source.request(at: fetch.miss, needs: []).size
      if request.size == ColumnSource.unknownSize { continue }
      if SimulationLoop<Policy>.insert(request, at: fetch.miss, policy: &policy, host: &host) {
        seen.insertions += 1
      } else {
        seen.rejections += 1
      }
      if knowsFuture { continue }
      for index in fetch.others where policy.contains(slot) { hit(index, source) }
    }
    if ended > 1_000 && 2 * ended > fetches.count {
      fetches.removeFirst(ended)
      removed += ended
      ended = 0
    }
  }

  mutating func restart() {
    seen = RequestCounts()
    evictionsBefore = host.evictions
    options.latencies?.removeAll()
  }

  func showInternals(_ show: (String, Double) -> Void) { policy.showInternals(show) }
}
