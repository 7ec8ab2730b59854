import DiskTier
import Eviction
import Foundation
import Laboratory
import Testing
import Traces

struct DiskExperimentTests {
  /// A skewed stream whose objects have sizes of 0 to 4 000 bytes.
  private static func trace(writes: Bool = false) -> Trace {
    var random = SplitMix64(seed: 11)
    let keys = (0..<600).map { _ in UInt64(random.index(below: 1 + random.index(below: 120))) }
    let sizes = keys.map { $0 % 7 == 0 ? 0 : UInt64(1) << ($0 % 12) + $0 }
    let operations = keys.indices.map { index -> TraceOperation in
      index % 9 == 3 ? .delete : index % 5 == 1 ? .set : index % 11 == 2 ? .write : .get
    }
    return .of(keys, name: "small", sizes: sizes, operations: writes ? operations : nil)
  }

  private func plan(
    _ trace: Trace, policies: [String] = ["lru"], capacities: [Capacity] = [.bytes(20_000)],
    isSized: Bool = true
  ) throws -> SweepPlan {
    try SweepPlan(
      traces: [trace], policies: PolicyChoice.parse(policies), capacities: capacities,
      settings: .init(isSized: isSized))
  }

  private func folder() throws -> String {
    let path = NSTemporaryDirectory() + "disk-experiment-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test(arguments: [false, true])
  func hitsAreThoseOfTheSimulation(writes: Bool) throws {
    let trace = DiskExperimentTests.trace(writes: writes)
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let plan = try plan(trace, policies: ["lru,sieve,arc", "slru:protected=0.5"])
    let grid = DiskExperiment.Grid(thresholds: [500], durabilities: [.none])
    let experiment = try DiskExperiment(plan, grid: grid, folder: folder)
    let measurements = try experiment.run()
    #expect(measurements.count == 4)
    for (measurement, text) in zip(
      measurements, ["lru", "sieve", "arc", "slru:protected=0.5"])
    {
      let stream = RequestStream(trace, isSized: true, needs: .keyHash)
      let counts = try simulate(text, stream, capacity: 20_000)
      #expect(measurement.kind == .disk)
      #expect(measurement.policyLabel == text)
      #expect(measurement.hits == counts.hits, "\(text)")
      #expect(measurement.requests == counts.requests)
      #expect(measurement.evictions == counts.evictions, "\(text)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func everythingIsMeasured() throws {
    let trace = DiskExperimentTests.trace(writes: true)
    let experiment = try DiskExperiment(
      try plan(trace), grid: .init(thresholds: [0, 500], pageSizes: [1_024], rounds: 2))
    #expect(experiment.count == 4)
    let measurements = try experiment.run()
    for measurement in measurements {
      let disk = try #require(measurement.disk)
      #expect(disk.pageSize == 1_024)
      let recovery = try #require(disk.recovery)
      #expect(recovery.entries > 0)
      #expect(recovery.lost == 0)
      #expect(recovery.reconciledSeconds >= recovery.openSeconds)
      #expect((disk.read?.count ?? 0) > 0)
      #expect((disk.write?.count ?? 0) > 0)
      #expect((disk.replace?.count ?? 0) > 0)
      #expect(disk.bytesSet > 0)
      #expect(disk.longestLog > 0)
      #expect(disk.commits > 0)
      #expect(disk.files > (disk.inlineThreshold == 0 ? 20 : 2))
      #if os(Linux)
        #expect((disk.writeAmplification ?? 0) > 1)
        #expect((disk.coldRead?.count ?? 0) > 0)
      #endif
      #expect(disk.sizes.allSatisfy { $0.isInline == ($0.from <= disk.inlineThreshold) })
    }
    #expect(measurements.map(\.disk?.round) == [1, 1, 2, 2])
    #expect(measurements.map(\.disk?.inlineThreshold) == [0, 500, 500, 0])
    let results = ResultSet(
      measurements: measurements,
      recommendations: DiskRecommendation.recommendations(from: measurements))
    #expect(results.recommendations.count == 1)
    #expect(try ResultSet(reading: results.json.document.utf8, file: "x") == results)
    for format in ReportFormats.all {
      #expect(!format.render(results, style: .plain).isEmpty)
    }
  }

  @Test func capacitiesMayCountObjects() throws {
    let trace = DiskExperimentTests.trace()
    let plan = try plan(trace, policies: ["fifo"], capacities: [.count(20)], isSized: false)
    let measurements = try DiskExperiment(plan, grid: .init(durabilities: [.none])).run()
    let counts = try simulate("fifo", RequestStream(trace), capacity: 20)
    #expect(measurements.map(\.hits) == [counts.hits])
    #expect(measurements.first?.unit == .objects)
  }

  @Test func aStoppedExperimentLeavesNothingBehind() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let experiment = try DiskExperiment(
      try plan(DiskExperimentTests.trace()), grid: .init(rounds: 3), folder: folder)
    let cancellation = Cancellation()
    let measurements = try experiment.run(cancellation: cancellation) {
      if $0.cells == 1 { cancellation.cancel() }
    }
    #expect(measurements.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func whatCannotBeRunIsRefused() throws {
    func message(_ trace: Trace, folder: String? = nil) -> String {
      do {
        _ = try DiskExperiment(
          try plan(trace, capacities: [.share(.init(1))], isSized: trace.sizes != nil),
          grid: .init(), folder: folder)
        return ""
      } catch { return "\(error)" }
    }
    #expect(
      message(.of([1, 2], name: "t"))
        == "t has no sizes, so there is nothing to write; give a trace with sizes")
    #expect(
      message(.of([1], name: "t", sizes: [1 << 29]))
        == "t has an object of 536870912 bytes, more than 268435456; filter it out")
    let huge = message(
      .of(0..<1_000_000, name: "t", sizes: Array(repeating: 1 << 28, count: 1_000_000)),
      folder: "/tmp")
    #expect(huge.hasPrefix("/tmp: the experiment may need 805306"))
    #expect(huge.hasSuffix("are free; choose a smaller capacity or another --folder"))
    #expect(
      message(.of([1], name: "t", sizes: [1]), folder: "/none/such")
        == "/none/such: it cannot be looked at; choose another --folder")
  }
}
