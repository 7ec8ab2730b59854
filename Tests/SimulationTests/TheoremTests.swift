import Eviction
import EvictionCore
import Parameters
import Requests
import Results
import Simulation
import Testing
import Traces

/// A policy that its page declares to be a baseline is answered by what is known of it, and compared with it first.
@Suite struct TheoremTests {
  /// FIFO, which calls itself LRU.
  private struct Mistaken: Unmoved, ~Copyable {
    static let information = PolicyInformation(
      name: "mistaken", summary: "", paper: "", bytesPerSlot: 9, baselines: [.lru: "mistaken"])
    var lists: SlotLists<UInt8>
    init(_ configuration: PolicyConfiguration) {
      lists = SlotLists(count: 1, slots: configuration.slots)
    }
  }

  /// The same with a parameter that the declaration does not name.
  private struct Extended: Unmoved, ~Copyable {
    static let information = PolicyInformation(
      name: "extended", summary: "", paper: "",
      parameters: [Parameter("promote", .flag, default: .flag(false), help: "")],
      bytesPerSlot: 9, baselines: [.lru: "extended"])
    var lists: SlotLists<UInt8>
    init(_ configuration: PolicyConfiguration) {
      lists = SlotLists(count: 1, slots: configuration.slots)
    }
  }

  /// Hits of FIFO and of LRU differ: 1 is requested again and again.
  private static let stream = RequestStream(
    Trace.of((0..<500).flatMap { [1, UInt64(2 + $0 % 50)] }))

  private static func run<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, capacity: Int
  ) throws -> RequestCounts? {
    let simulator = PolicySimulator(policy)
    return try simulator.run(
      stream, options: SimulationOptions(options(simulator, capacity: capacity)))
  }

  private static func options(
    _ simulator: PolicySimulator, capacity: Int
  ) throws -> RunOptions {
    let name = Specification(name: simulator.description.information.name)
    return RunOptions(
      capacity: capacity, arguments: try simulator.description.arguments(of: name))
  }

  /// Also where the run itself evicts nothing.
  @Test(arguments: [3, 40, 1_000])
  func aPolicyThatIsNotWhatItsPageDeclaresEndsTheRun(capacity: Int) throws {
    let error = #expect(throws: PolicyError.self) {
      try TheoremTests.run(Mistaken.self, capacity: capacity)
    }
    let message = try #require(error).description
    #expect(message.hasPrefix("mistaken: Simulation/LRUCounter.swift counts "))
    #expect(message.contains("SimulationTests/TheoremTests.swift has "))
  }

  @Test func severalSizesInOnePassAreComparedToo() throws {
    let simulator = PolicySimulator(Mistaken.self)
    let runs = try [3, 40].map { try TheoremTests.options(simulator, capacity: $0) }
    #expect(simulator.sharesPass(TheoremTests.stream, runs[0]))
    #expect(throws: PolicyError.self) { try simulator.runShared(TheoremTests.stream, runs) }
  }

  @Test func aParameterThatNoDeclarationNamesLetsThePolicyRunItself() throws {
    let counts = try #require(try TheoremTests.run(Extended.self, capacity: 3))
    // FIFO keeps 1 for three insertions, LRU for ever.
    #expect(counts.hits < 400)
    let simulator = PolicySimulator(Extended.self)
    let options = try TheoremTests.options(simulator, capacity: 3)
    #expect(!simulator.sharesPass(TheoremTests.stream, options))
  }

  /// A run that is stopped at once has no counts, and contradicts nothing.
  @Test(arguments: ["lru", "arc", "random"])
  func aStopIsNoContradiction(name: String) throws {
    let simulator = try #require(
      PolicySimulator.catalog.first { $0.description.information.name == name })
    var options = try TheoremTests.options(simulator, capacity: 3)
    let cancellation = Cancellation()
    cancellation.cancel()
    options.cancellation = cancellation
    #expect(throws: Never.self) {
      try simulator.run(TheoremTests.stream, options: SimulationOptions(options)) { _ in false }
    }
  }

  /// Numbers have 32 bits: a larger cache runs the policy, block by block, too.
  @Test(arguments: ["lru", "fifo"])
  func aCacheOfMoreObjectsThanThereAreNumbersRunsThePolicy(name: String) throws {
    let simulator = try #require(
      PolicySimulator.catalog.first { $0.description.information.name == name })
    let options = try TheoremTests.options(simulator, capacity: 1 << 40)
    #expect(!simulator.sharesPass(TheoremTests.stream, options))
    let whole = try simulator.run(TheoremTests.stream, options: SimulationOptions(options))
    #expect(whole?.hits == 949 && whole?.evictions == 0)
    let blocks = try simulator.begin(
      SimulationOptions(options), over: RequestShape(isSized: false, isPlain: true, slots: 51))
    #expect(blocks.counts.requests == 0)
  }

  /// The declarations of the catalog's own policies hold, and turn their theorems on.
  @Test func theCatalogsBaselinesShareOnePass() throws {
    let sharing = try PolicySimulator.catalog.filter {
      $0.sharesPass(TheoremTests.stream, try TheoremTests.options($0, capacity: 3))
    }
    #expect(sharing.map { $0.description.information.name } == ["lru"])
  }
}

/// FIFO over a list: a hit moves nothing.
private protocol Unmoved: ListPolicy, ~Copyable {}

extension Unmoved where Self: ~Copyable {
  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}
