import Eviction
import EvictionCore
import Experiments
import Parameters
import Requests
import Results
import Runner
import SimulatedCounts
import Testing
import Traces

/// Foundation has a type of that name, too.
private typealias Measurement = Results.Measurement

/// Policies whose own memory is charged to their capacity.
@Suite struct MetadataChargeTests {
  /// Keys that come back, and as many that do not.
  private static let keys = {
    var generator = SplitMix64(seed: 7)
    return (0..<4_000).map { request in
      request % 3 == 0 ? UInt64(1_000 + request) : UInt64(generator.index(below: 200))
    }
  }()
  private static let trace = Trace.of(keys, sizes: keys.map { 20 + $0 * 37 % 90 })

  private static func run(
    _ policies: [PolicyChoice], _ capacity: Capacity, objectSize: Int?
  ) throws -> FinishedCells {
    var settings = ExperimentPlan.Settings(isSized: objectSize == nil)
    settings.charge = MetadataCharge(objectSize: objectSize)
    return ExperimentRun(
      try ExperimentPlan(
        traces: [trace], policies: policies, capacities: [capacity], settings: settings)
    ).run(jobs: 2)
  }

  /// The slots that a policy uses, counted after each miss over a dictionary.
  private struct Walk: PolicyVisitor {
    let name: String
    let capacity: Int
    let isSized: Bool
    var peakSlots = 0
    var peakGhosts = 0
    var hits = 0
    var error: (any Error)?

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
      if Policy.information.name == name { run(policy) }
    }

    private mutating func run<Policy: ReplacementPolicy & ~Copyable>(_: Policy.Type) {
      let stream = RequestStream(trace, isSized: isSized, needs: Policy.needs)
      let source = ColumnSource(RequestColumns(stream, needs: Policy.needs))
      do {
        var policy = try Policy(
          PolicyConfiguration(
            capacity: capacity, isSized: isSized, slots: trace.distinct,
            arguments: Arguments(parameters: Policy.information.parameters)))
        var host = WalkHost(capacity: capacity)
        for index in 0..<stream.requests {
          let request = source.request(at: index, needs: Policy.needs)
          if policy.contains(request.slot) {
            hits += 1
            policy.hit(request, host: &host)
            continue
          }
          if request.size > capacity { continue }
          host.newcomer = request
          if policy.insert(request, host: &host) {
            host.slots[request.slot] = (request.size, isResident: true)
          }
          peakSlots = max(peakSlots, host.slots.count)
          peakGhosts = max(peakGhosts, host.slots.values.count { !$0.isResident })
        }
      } catch { self.error = error }
    }
  }

  private struct WalkHost: SlotHost, ~Copyable {
    let capacity: Int
    var slots: [Slot: (size: Int, isResident: Bool)] = [:]
    var newcomer = Request(slot: 0)

    init(capacity: Int) { self.capacity = capacity }

    func hasRoom(for request: Request) -> Bool {
      slots.values.reduce(request.size) { $0 + ($1.isResident ? $1.size : 0) } <= capacity
    }
    func size(of slot: Slot) -> Int { slots[slot]?.size ?? 0 }
    mutating func didEvict(_ slot: Slot) { slots[slot]?.isResident = false }
    mutating func didRemember(_ newcomer: Request) {
      slots[newcomer.slot] = (newcomer.size, isResident: false)
    }
    mutating func didForget(_ slot: Slot) { slots[slot] = nil }
  }

  /// Each policy of the catalog: what is counted, what is left, and what a plain sweep hits with it.
  @Test(arguments: [40, nil] as [Int?])
  func everyPolicyFitsAndHitsAsAPlainSweep(objectSize: Int?) throws {
    let (capacity, unit) = objectSize.map { (100, $0) } ?? (8_000, 1)
    let finished = try Self.run(
      PolicyChoice.parse(["all"]), .count(capacity), objectSize: objectSize)
    for failure in finished.failures {
      #expect("\(failure.cause)".contains("leaves no room for objects"), "\(failure.cause)")
    }
    let measurements = finished.measurements
    #expect(measurements.count > 50)
    for measurement in measurements {
      let label = measurement.policyLabel
      let metadata = try #require(measurement.metadata)
      let effective = metadata.effectiveCapacity
      #expect(measurement.capacity == capacity && metadata.objectSize == objectSize)
      #expect(metadata.bytes > 0 && metadata.bytes <= (capacity - effective) * unit, "\(label)")
      #expect(
        metadata.bytes == metadata.bytesPerSlot * metadata.peakSlots + 22 * metadata.peakGhosts
          + metadata.learnedBytes, "\(label)")
      let needs = try #require(PolicyCatalog.all.first { $0.name == measurement.policy })
      let choice = try PolicyChoice.parse([label])[0]
      let stream = RequestStream(
        Self.trace, isSized: objectSize == nil, needs: choice.entry.needs)
      #expect(try simulate(label, stream, capacity: effective).hits == measurement.hits, "\(label)")
      guard measurement.parameters.isEmpty else { continue }
      var walk = Walk(name: needs.name, capacity: effective, isSized: objectSize == nil)
      PolicyCatalog.visit(&walk)
      if let error = walk.error { throw error }
      #expect(
        [walk.hits, walk.peakSlots, walk.peakGhosts]
          == [measurement.hits, metadata.peakSlots, metadata.peakGhosts], "\(label)")
    }
  }

  @Test func twoRunsAreEqual() throws {
    let policies = try PolicyChoice.parse(["arc,s3fifo,wtinylfu,random"])
    func untimed() throws -> [Measurement] {
      try Self.run(policies, .count(9_000), objectSize: nil).measurements.map { measurement in
        var measurement = measurement
        measurement.record(seconds: 0, requestsRun: 0)
        return measurement
      }
    }
    #expect(try untimed() == untimed())
  }

  /// The larger the objects, the less is charged; of huge ones one makes room for all metadata.
  @Test func hugeObjectsAreChargedOne() throws {
    var effective: [Int] = []
    for size in [16, 64, 256, 4_096, 1 << 40] {
      let run = try Self.run(PolicyChoice.parse(["arc"]), .count(100), objectSize: size)
      effective.append(try #require(run.measurements.first?.metadata).effectiveCapacity)
    }
    #expect(effective == effective.sorted() && effective[0] < 60 && effective[4] == 99)
  }

  @Test func boundsAreChargedNothing() throws {
    let policies = try PolicyChoice.parse(["opt,infinite,belady-size"])
    let charged = try Self.run(policies, .count(100), objectSize: 16).measurements
    let plain = ExperimentRun(
      try ExperimentPlan(traces: [Self.trace], policies: policies, capacities: [.count(100)])
    ).run().measurements
    #expect(charged.allSatisfy { $0.metadata == nil })
    #expect(charged.map(\.hits) == plain.map(\.hits))
  }

  /// LIRS remembers all keys here.
  @Test func aCellWithoutRoomFailsAlone() throws {
    let finished = try Self.run(PolicyChoice.parse(["lirs,lru"]), .count(100), objectSize: 16)
    #expect(finished.measurements.map(\.policy) == ["lru"])
    let failure = try #require(finished.failure)
    #expect(failure.endsItsCellOnly)
    #expect(
      "\(failure.cause)".hasPrefix("lirs at 100 on memory: its own memory, "), "\(failure.cause)")
  }

  @Test(arguments: ["lru:admission=tinylfu", "lru:prefetch=pg"])
  func memoryThatNothingCountsIsRefused(policy: String) throws {
    let error = #expect(throws: PlanError.self) {
      try Self.run(PolicyChoice.parse([policy]), .count(100), objectSize: 16)
    }
    #expect(error.map { "\($0)".contains("is not counted; leave it out") } == true)
  }

  /// Metadata by the capacity, and the largest that fits found one by one.
  @Test func theSearchFindsTheLargest() throws {
    let shapes: [(String, (Int) -> Int)] = [
      ("linear", { 31 * $0 }), ("constant", { _ in 3_000 }), ("none", { _ in 0 }),
      ("full", { 50 * min($0, 70) }), ("leaps", { $0 < 33 ? $0 : 40 * $0 }),
      ("slow", { Int(300 * Double($0).squareRoot()) }), ("all", { _ in 1_000_000 }),
    ]
    for (name, metadata) in shapes {
      for unit in [1, 16, 1_000] {
        for requested in [2, 3, 10, 100, 5_000, 1_000_000] {
          var search = ChargedSearch(
            MetadataCharge(objectSize: unit), of: requested, atLeast: 2)
          var (steps, found) = (0, Int?.none)
          while let capacity = search.next {
            steps += 1
            if search.record(metadata(capacity), at: capacity) { found = capacity }
            if steps > 60 { break }
          }
          func fits(_ capacity: Int) -> Bool { metadata(capacity) <= (requested - capacity) * unit }
          let place = "\(name), \(unit) bytes, \(requested): \(found ?? -1) in \(steps) steps"
          #expect(steps <= 40, "\(place)")
          guard let found else {
            #expect(!fits(2), "\(place)")
            continue
          }
          #expect(fits(found), "\(place)")
          // Half a percent and one object more do not.
          let more = found + max(1, found / 100)
          #expect(more > requested || !fits(more), "\(place)")
        }
      }
    }
  }
}
