import Experiments
import Results
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
    for cells in 0...15 {
      for count in 1...20 {
        let ranges = try (1...count).map {
          try #require(PlanPartition(parsing: "\($0)/\(count)")).positions(of: cells)
        }
        #expect(ranges.flatMap(Array.init) == Array(0..<cells))
        let sizes = ranges.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      }
    }
  }

  @Test func hugeSweepDoesNotOverflow() throws {
    let last = try #require(PlanPartition(parsing: "1000000/1000000"))
    #expect(last.positions(of: .max).upperBound == .max)
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
