import Experiments
import Results
import Runner
import Testing

/// The division of a sweep's cells into partitions.
@Suite struct PlanPartitionTests {
  @Test(arguments: ["1/1", "2/5", "5/5", "1/1000000"])
  func shareIsReadAsItIsWritten(_ text: String) {
    #expect(PlanPartition(parsing: text)?.description == text)
  }

  @Test(
    arguments: [
      "", "1", "/", "0/3", "4/3", "-1/3", "1/0", "1/2/3", "a/b", "1.5/3", "1/1000001",
      "99999999999999999999/99999999999999999999",
    ])
  func nonsenseIsNoShare(_ text: String) {
    #expect(PlanPartition(parsing: text) == nil)
  }

  @Test func sharesAreEqualNeighboursAndTogetherAll() throws {
    for cells in 1...15 {
      let plan = try Self.plan(traces: [nil], capacities: cells)
      for count in 1...20 {
        let ranges = try (1...count).map {
          plan.positions(of: try #require(PlanPartition(parsing: "\($0)/\(count)")))
        }
        #expect(ranges.flatMap(Array.init) == Array(0..<cells))
        let sizes = ranges.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      }
    }
  }

  @Test func hugeSweepDoesNotOverflow() throws {
    let plan = try Self.plan(traces: Array(repeating: Int.max, count: 1000), capacities: 1_000_000)
    let last = try #require(PlanPartition(parsing: "1000000/1000000"))
    #expect(plan.positions(of: last) == 999_999_000..<1_000_000_000)
  }

  @Test func sharesAreEqualInWorkWhereTracesDiffer() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let sizes = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        Int.random(in: 0...1000, using: &generator)
      }
      let cells = Int.random(in: 1...9, using: &generator)
      let plan = try Self.plan(traces: sizes, capacities: cells)
      let work = sizes.flatMap { Array(repeating: max(1, $0), count: cells) }
      for count in 1...12 {
        let ranges = try (1...count).map {
          plan.positions(of: try #require(PlanPartition(parsing: "\($0)/\(count)")))
        }
        #expect(ranges.flatMap(Array.init) == Array(work.indices))
        let fair = Double(work.reduce(0, +)) / Double(count)
        for range in ranges {
          let share = Double(work[range].reduce(0, +))
          #expect(abs(share - fair) <= Double(work.max() ?? 0) + 1e-6, "\(sizes) \(range)")
        }
      }
    }
  }

  @Test func largeTraceIsSharedByMoreThanOneAndSmallOnesGoTogether() throws {
    let plan = try Self.plan(traces: [1_000, 10, 10], capacities: 10)
    let ranges = try (1...4).map {
      plan.positions(of: try #require(PlanPartition(parsing: "\($0)/4")))
    }
    #expect(ranges == [0..<2, 2..<5, 5..<7, 7..<30])
  }

  @Test func unknownSizeMakesAllCellsAlike() throws {
    let plan = try Self.plan(traces: [1_000, nil], capacities: 10)
    #expect(plan.positions(of: try #require(PlanPartition(parsing: "1/2"))) == 0..<10)
  }

  @Test func partsOfOtherSizesAreNotMerged() throws {
    var (one, two) = (SharedSweep(), SharedSweep())
    one.bytes = [1, 2, 3]
    two.bytes = [1, 2, 4]
    let parts = [
      SweepMerge.Part(file: "1.json", results: try one.results("1/2")),
      SweepMerge.Part(file: "2.json", results: try two.results("2/2")),
    ]
    #expect(throws: PartitionError.self) { try SweepMerge(parts) }
    let same = try (1...4).map {
      SweepMerge.Part(file: "\($0).json", results: try one.results("\($0)/4"))
    }
    let whole = try one.results()
    #expect(try SweepMerge(same).results.measurements == whole.measurements)
    #expect(try SweepMerge(same).results.isComplete)
  }

  /// A sweep of one policy on traces of these sizes.
  private static func plan(traces: [Int?], capacities: Int) throws -> PlanRecord {
    PlanRecord {
      $0.traces = traces.enumerated().map { place, bytes in
        PlanRecord.Trace(name: "\(place)", bytes: bytes)
      }
      $0.capacities = (1...capacities).map { "\($0)" }
      $0.policies = ["lru"]
      $0.seeds = [1]
    }
  }

  @Test func planOfAShareIsItsSliceOfTheWhole() throws {
    func cells(_ plan: ExperimentPlan, firstTrace: Int) -> [String] {
      plan.cells.map {
        "\($0.position ?? -1): \(firstTrace + $0.trace) \($0.capacity) \($0.policy.name) \($0.seed)"
      }
    }
    let sweep = SharedSweep()
    let whole = try cells(sweep.plan().plan, firstTrace: 0)
    #expect(!whole.isEmpty)
    for count in [1, 2, 3, 7, 120] {
      var parts: [String] = []
      for index in 1...count {
        let share = try #require(PlanPartition(parsing: "\(index)/\(count)"))
        let planned = try sweep.plan("\(share)")
        let first = planned.summary.part(share).traces.lowerBound
        parts += cells(planned.plan, firstTrace: first)
      }
      #expect(parts == whole)
    }
  }

  @Test func shareTakesAsFewTracesAsItCan() throws {
    let sweep = SharedSweep()
    let summary = try sweep.plan().summary
    func traces(_ share: String) throws -> Range<Int> {
      try summary.part(#require(PlanPartition(parsing: share))).traces
    }
    #expect(try (1...3).map { try traces("\($0)/3") } == [0..<1, 1..<2, 2..<3])
    #expect(try traces("1/2") == 0..<2)
    #expect(try traces("4/6") == 1..<2)
    #expect(try sweep.plan("2/3").traces.map(\.name) == ["b"])
  }

  @Test func equalCapacitiesAreRunOnceInWhicheverShareTheyCome() throws {
    var sweep = SharedSweep()
    sweep.names = ["a"]
    sweep.capacities = [.count(5), .count(7), .count(5)]
    let parts = try (1...3).map { try sweep.plan("\($0)/3").plan.cells.map(\.capacity) }
    #expect(parts.map { Set($0) } == [[5], [7], []])
  }

  @Test func shareWithoutCellsIsEmptyAndNoError() throws {
    let planned = try SharedSweep().plan("1/500")
    #expect(planned.plan.cells.isEmpty)
    let run = ExperimentRun(Baselines().added(to: planned.plan))
    #expect(run.run(jobs: 2).measurements.isEmpty)
  }

  @Test(arguments: [
    ("1000", "1000"), ("1e3", "1000"), ("1%", "1%"), ("1.0%", "1%"), ("0.1%", "0.1%"),
    ("150%", "150%"), ("64MiB", "64MiB"), ("1024KiB", "1MiB"), ("1000B", "1000B"),
  ])
  func equalCapacitiesAreWrittenAlike(_ text: String, _ written: String) throws {
    let capacity = try Capacity(parsing: text)
    #expect(capacity.description == written)
    #expect(try Capacity(parsing: written) == capacity)
  }
}
