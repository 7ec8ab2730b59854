import CacheReplay
import DiskTier
import Eviction
import EvictionCore
import Experiments
import Foundation
import Parameters
import Reports
import Requests
import Results
import Runner
import SimulatedCounts
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
    settings: ExperimentPlan.Settings = .init(isSized: true)
  ) throws -> ExperimentPlan {
    try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(policies), capacities: capacities,
      settings: settings)
  }

  private func run(
    _ plan: ExperimentPlan, _ grid: DiskExperiment.Grid, folder: String? = nil
  ) throws -> [Results.Measurement] {
    let cells = try DiskExperiment(grid, folder: folder).rows(of: plan)
    let finished = ExperimentRun(cells).run()
    #expect(finished.areAll)
    return finished.measurements
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
    let measurements = try run(plan, grid, folder: folder)
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
    let measurements = try run(
      plan(trace), .init(thresholds: [0, 500], pageSizes: [1_024], rounds: 2))
    #expect(measurements.count == 4)
    for measurement in measurements {
      let disk = try #require(measurement.disk)
      #expect(disk.setup.pageSize == 1_024)
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
      #expect(disk.files > (disk.setup.inlineThreshold == 0 ? 20 : 2))
      #if os(Linux)
        #expect((disk.writeAmplification ?? 0) > 1)
        #expect((disk.coldRead?.count ?? 0) > 0)
      #endif
      #expect(disk.sizes.allSatisfy { $0.isInline == ($0.from <= disk.setup.inlineThreshold) })
    }
    #expect(measurements.map(\.disk?.setup.round) == [1, 1, 2, 2])
    #expect(measurements.map(\.disk?.setup.inlineThreshold) == [0, 500, 500, 0])
    let results = ResultSet(
      measurements: measurements,
      recommendations: DiskRecommendation.recommendations(from: measurements))
    #expect(results.recommendations.count == 1)
    #expect(
      results.commands == [
        "evict disk small --policy lru --capacity 20000B --threshold 0,500 --page-size 1024 "
          + "--durability process-crash --rounds 2"
      ])
    #expect(try ResultSet(reading: results.json.document.utf8, file: "x") == results)
    for format in ReportFormats.all {
      #expect(!format.render(results, style: .plain).isEmpty)
    }
  }

  @Test func capacitiesMayCountObjects() throws {
    let trace = DiskExperimentTests.trace()
    let plan = try plan(trace, policies: ["fifo"], capacities: [.count(20)], settings: .init())
    let measurements = try run(plan, .init(durabilities: [.none]))
    let counts = try simulate("fifo", RequestStream(trace), capacity: 20)
    #expect(measurements.map(\.hits) == [counts.hits])
    #expect(measurements.first?.unit == .objects)
  }

  @Test func theWarmUpAndTheSampleAreNotCounted() throws {
    let trace = DiskExperimentTests.trace(writes: true)
    let settings = ExperimentPlan.Settings(isSized: true, warmup: 200, countsSets: true)
    let plan = try plan(trace, policies: ["lru,sieve"], settings: settings)
    let grid = DiskExperiment.Grid(thresholds: [500], durabilities: [.none])
    let measurements = try run(plan, grid)
    for (measurement, text) in zip(measurements, ["lru", "sieve"]) {
      let counts = try simulate(
        text, RequestStream(trace, isSized: true, needs: .keyHash), capacity: 20_000, warmup: 200,
        countsSets: true)
      #expect(measurement.requests == counts.requests)
      #expect(measurement.hits == counts.hits, "\(text)")
      #expect(measurement.insertions == counts.insertions, "\(text)")
      #expect(measurement.evictions == counts.evictions, "\(text)")
      // Every counted request is a get that hits, or a set.
      let disk = try #require(measurement.disk)
      let operations = disk.sizes.map { $0.reads + $0.writes + $0.replaces }.reduce(0, +)
      #expect(operations == counts.requests)
      #expect(disk.read?.count == disk.sizes.map(\.reads).reduce(0, +))
      // Those of the sample are timed.
      #expect(try #require(disk.replace?.count) > disk.sizes.map(\.replaces).reduce(0, +))
    }
  }

  #if os(Linux)
    /// So little is written that the log is first copied back at the end.
    @Test func bytesWrittenIncludeThoseOfTheLastCheckpoint() throws {
      let trace = Trace.of(0..<10, name: "t", sizes: Array(repeating: 100_000, count: 10))
      let plan = try plan(trace, capacities: [.bytes(10 << 20)])
      let measurements = try run(
        plan, .init(thresholds: [1 << 20], durabilities: [.none]))
      let disk = try #require(measurements.first?.disk)
      #expect(disk.bytesSet == 2_000_000)
      // The first values and those of the sample in the log, the latter in the database.
      #expect(try #require(disk.bytesWritten) > 3_000_000)
    }

    @Test func aFileThatCannotBeDroppedIsAnError() {
      let error = #expect(throws: DiskCacheError.self) { try DroppedFile("/dev/null/a") }
      #expect(
        error?.description
          == "/dev/null/a: cannot drop a file from memory: not a directory; check the disk and "
          + "the path")
    }
  #endif

  @Test func whatWasFinishedBeforeAFailureIsKept() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let experiment = DiskExperiment(
      .init(thresholds: [0, 500], rounds: 2), folder: folder, recommends: true)
    let cells = try experiment.rows(of: plan(DiskExperimentTests.trace()))
    let finished = ExperimentRun(cells).run { progress in
      // A file in place of the folder in which the fourth cell would make its own.
      if progress.cells != 3 { return }
      try? FileManager.default.removeItem(atPath: folder)
      #expect(FileManager.default.createFile(atPath: folder, contents: nil))
    }
    guard case .folder = finished.failure?.cause as? DiskExperimentError else {
      Issue.record("the folder cannot be made: \(String(describing: finished.failure))")
      return
    }
    #expect(finished.measurements.map(\.disk?.setup.round) == [1, 1, 2])
    var results = ResultSet()
    finished.add(to: &results)
    let rounds = results.recommendations.map(\.rounds)
    #expect(rounds.allSatisfy { $0 == 1 })
  }

  @Test func aStoppedExperimentLeavesNothingBehind() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let cells = try DiskExperiment(.init(rounds: 3), folder: folder)
      .rows(of: plan(DiskExperimentTests.trace()))
    let cancellation = Cancellation()
    let finished = ExperimentRun(cells).run(cancellation: cancellation) {
      if $0.cells == 1 { cancellation.cancel() }
    }
    #expect(finished.measurements.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func whatCannotBeRunIsRefused() throws {
    func message(
      _ trace: Trace, policies: [String] = ["lru"], folder: String? = nil
    ) -> String {
      do {
        _ = try DiskExperiment(folder: folder).rows(
          of: plan(
            trace, policies: policies, capacities: [.fraction(.init(1))],
            settings: .init(isSized: trace.sizes != nil)))
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
      message(.of([1], name: "t", sizes: [1]), policies: ["lru:resize=true"])
        == "lru: a get leaves a value on disk as it is, a set always resizes it; leave out resize")
    #expect(
      message(.of([1], name: "t", sizes: [1]), folder: "/none/such")
        == "/none/such: it cannot be looked at; choose another --folder")
  }
}
