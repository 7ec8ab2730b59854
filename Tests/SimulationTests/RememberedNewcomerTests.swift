import Conformance
import Eviction
import EvictionCore
import Parameters
import Requests
import Results
import Simulation
import Testing
import Traces

/// A policy may refuse an object that was never in the cache and remember it.
@Suite struct RememberedNewcomerTests {
  /// LRU that admits what is requested a second time while its ghost is remembered.
  private struct SecondRequestRules: ListRules, ~Copyable {
    static let information = PolicyInformation(
      name: "second-request", summary: "", paper: "", bytesPerSlot: 9)
    static func isResident(in list: ListID) -> Bool { list == .first }
    static var ghosts: ListID { ListID(2) }

    private var limit: Int
    var listCount: Int { 2 }

    init(_ configuration: PolicyConfiguration) { limit = configuration.capacity }

    mutating func hit<Lists: RecencyLists & ~Copyable>(
      _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
    ) {
      lists.moveToFront(request.slot, of: .first)
    }

    mutating func insert<Lists: RecencyLists & ~Copyable>(
      _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
    ) -> Bool {
      if lists.owner(of: request.slot) == .none {
        _ = lists.refuse(request, to: Self.ghosts, host: &host)
        boundGhosts(lists: &lists, host: &host)
        return false
      }
      guard makeRoom(for: request, lists: &lists, host: &host) else {
        return lists.refuse(request, to: Self.ghosts, host: &host)
      }
      lists.remove(request.slot, from: Self.ghosts, size: host.size(of: request.slot))
      lists.prepend(request.slot, to: .first, size: request.size)
      return true
    }

    mutating func evict<Lists: RecencyLists & ~Copyable>(
      for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
    ) {
      lists.evictBack(of: .first, host: &host)
    }

    mutating func resize<Lists: RecencyLists & ~Copyable>(
      to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
    ) {
      limit = capacity
      boundGhosts(lists: &lists, host: &host)
    }

    private func boundGhosts<Lists: RecencyLists & ~Copyable>(
      lists: inout Lists, host: inout some SlotHost & ~Copyable
    ) {
      while lists.size(of: Self.ghosts) > limit { lists.forgetBack(of: Self.ghosts, host: &host) }
    }
  }
  private typealias SecondRequest = ListedPolicy<SecondRequestRules, SlotLists<UInt8>>

  /// The same over arrays of keys; the first leaves next.
  private struct Model {
    let capacity: Int
    var residents: [(key: UInt64, size: Int)] = []
    var ghosts: [(key: UInt64, size: Int)] = []

    mutating func hits(_ key: UInt64, size: Int) -> Bool {
      if let place = residents.firstIndex(where: { $0.key == key }) {
        residents.append(residents.remove(at: place))
        return true
      }
      if size > capacity { return false }
      guard let ghost = ghosts.firstIndex(where: { $0.key == key }) else {
        ghosts.append((key, size))
        while ghosts.reduce(0, { $0 + $1.size }) > capacity { ghosts.removeFirst() }
        return false
      }
      while residents.reduce(size, { $0 + $1.size }) > capacity { residents.removeFirst() }
      ghosts.remove(at: ghost)
      residents.append((key, size))
      return false
    }
  }

  @Test func thePolicyConforms() throws {
    try PolicyConformance<SecondRequest>(seeds: 0..<40).check()
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func aSimulationHitsAsTheModel(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let capacity = 1 + generator.index(below: 30)
    let keys = (0..<800).map { _ in UInt64(generator.index(below: 1 + generator.index(below: 60))) }
    let sizes = keys.map { 1 + $0 * 7 % 11 }
    for isSized in [false, true] {
      var model = Model(capacity: capacity)
      let expected = zip(keys, sizes).filter { model.hits($0, size: isSized ? Int($1) : 1) }.count
      let stream = RequestStream(
        Trace.of(keys, sizes: isSized ? sizes : nil), isSized: isSized, needs: [])
      let simulator = PolicySimulator(SecondRequest.self)
      let name = Specification(name: "second-request")
      var options = SimulationOptions(
        RunOptions(capacity: capacity, arguments: try simulator.description.arguments(of: name)))
      if isSized { options.account = SlotAccount(slots: stream.trace.distinct) }
      let counts = try simulator.run(stream, options: options)
      #expect(counts?.hits == expected && counts?.rejections ?? 0 > 0)
      #expect(options.account?.breach == nil)
    }
  }

  @Test func aCacheAdmitsTheSecondSet() {
    let cache = MemoryCache<Int, Int>(countLimit: 3, policy: CachePolicy(SecondRequest.self))
    #expect(!cache.set(1, forKey: 1))
    #expect(cache.isEmpty && !cache.contains(1))
    #expect(cache.set(1, forKey: 1))
    #expect(cache.value(forKey: 1) == 1)
    for key in 2..<5 { cache.set(key, forKey: key) }
    #expect(cache.set(2, forKey: 2), "three ghosts are remembered")
    for key in 10..<14 { cache.set(key, forKey: key) }
    #expect(!cache.set(3, forKey: 3), "it was forgotten")
    #expect(cache.statistics.rejections == 9 && cache.count == 2)
    cache.remove(3)
    #expect(!cache.set(3, forKey: 3), "a removal forgets what was never there, too")
  }
}
