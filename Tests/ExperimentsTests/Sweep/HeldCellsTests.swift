import Experiments
import ResultSamples
import Results
import Runner
import Testing

/// The cells of a sweep that a document holds already.
@Suite struct HeldCellsTests {
  static let sweep = SharedSweep()
  static let whole = Result { try sweep.results() }

  static func held(
    _ planned: SharedSweep.Planned, in document: ResultSet,
    environment: Environment = SharedSweep.environment
  ) throws(PartitionError) -> HeldCells {
    try HeldCells(
      of: planned.plan, planned.summary, traces: planned.traces, in: document, file: "x.json",
      environment: environment)
  }

  static func message(
    _ planned: SharedSweep.Planned, in document: ResultSet,
    environment: Environment = SharedSweep.environment
  ) -> String? {
    #expect(throws: PartitionError.self) {
      try held(planned, in: document, environment: environment)
    }?.description
  }

  /// Runs what a document lacks of a sweep, and says how many cells that were.
  static func complete(
    _ document: ResultSet, _ sweep: SharedSweep = sweep
  ) throws -> (ResultSet, run: Int) {
    let planned = try sweep.plan()
    let held = try held(planned, in: document)
    let rest = planned.plan.without(held.positions)
    let finished = ExperimentRun(Baselines(explains: true).added(to: rest)).run(jobs: 2)
    let all = planned.summary.inOrder(held.measurements + finished.measurements)
    let explanations = planned.summary.inOrder(
      held.explanations + finished.explanations(of: all))
    return (sweep.document(of: planned, all, explanations), finished.measurements.count)
  }

  @Test(arguments: [0, 7, 70])
  func stoppedSweepIsCompleted(_ cells: Int) throws {
    let whole = try Self.whole.get()
    let stopped = try Self.sweep.results(stopAfter: cells)
    #expect(!stopped.isComplete)
    #expect(!stopped.measurements.contains { $0.missRatioReduction == nil })
    #expect(!stopped.measurements.contains { $0.distanceToOptimum == nil })
    let (completed, run) = try Self.complete(stopped)
    #expect(completed == whole)
    #expect(run == whole.measurements.count - stopped.measurements.count)
  }

  @Test func completeSweepIsNotRunAgain() throws {
    let whole = try Self.whole.get()
    let (completed, run) = try Self.complete(whole)
    #expect(completed == whole)
    #expect(run == 0)
  }

  @Test func shareIsCompletedToTheWhole() throws {
    let (completed, run) = try Self.complete(Self.sweep.results("2/3"))
    #expect(try completed == Self.whole.get())
    #expect(run == 64)
  }

  @Test func largerSweepRunsWhatIsNew() throws {
    var larger = Self.sweep
    larger.policies = ["opt,lfu,lru,fifo,slru:protected=0.5,arc"]
    larger.names = ["d", "a", "b", "c"]
    let (completed, run) = try Self.complete(Self.whole.get(), larger)
    #expect(try completed == larger.results())
    #expect(run == completed.measurements.count - 96)
  }

  @Test func boundThatIsHeldIsNotTheBestPolicy() throws {
    var sweep = Self.sweep
    sweep.policies = ["opt,lru,arc"]
    var document = try sweep.results()
    document.measurements.removeAll { $0.policy == "arc" }
    #expect(try Self.complete(document, sweep).0 == sweep.results())
  }

  @Test func changedTraceIsRunAgain() throws {
    var changed = Self.sweep
    changed.changed = ["b"]
    let held = try Self.held(changed.plan(), in: Self.whole.get())
    #expect(held.changedTraces == ["b"])
    #expect(Set(held.measurements.map(\.trace)) == ["a", "c"])
    #expect(Set(held.explanations.map(\.trace)) == ["a", "c"])
    let (completed, run) = try Self.complete(Self.whole.get(), changed)
    #expect(try completed == changed.results())
    #expect(run == 32)
  }

  @Test func traceOfUnknownContentIsRunAgain() throws {
    var document = try Self.whole.get()
    document.traces[0].sha256 = nil
    #expect(try Self.held(Self.sweep.plan(), in: document).changedTraces == ["a"])
  }

  @Test func whatWouldBeLostIsRefused() throws {
    let document = try Self.whole.get()
    var smaller = Self.sweep
    smaller.policies = ["lru,fifo,arc"]
    #expect(
      try Self.message(smaller.plan(), in: document) == """
        x.json: holds slru:protected=0.5 at 2, seed 1 on a, which this command does not run and \
        would lose; write to another file
        """)
    #expect(try Self.message(Self.sweep.plan("1/3"), in: document)?.contains(" on b, ") == true)
  }

  @Test func otherOptionsAreRefused() throws {
    var other = Self.sweep
    other.options = [JSON.Member("warmup", .integer(7))]
    #expect(
      try Self.message(other.plan(), in: Self.whole.get()) == """
        x.json and this command are of two sweeps: they differ in warmup (0 and 7); \
        write to another file
        """)
  }

  @Test func otherBuildIsRefused() throws {
    var newer = SharedSweep.environment
    newer.version = "2"
    #expect(
      try Self.message(Self.sweep.plan(), in: Self.whole.get(), environment: newer) == """
        x.json was measured with 1 (commit abc, build unknown, Swift), this program is 2 (commit abc, \
        build unknown, Swift), which may count differently; write to another file, or give \
        --accept-other-build if both are of one source
        """)
  }

  @Test(arguments: [\Environment.build, \Environment.commit])
  func otherBuildIsTakenOnDemand(_ fact: WritableKeyPath<Environment, String?> & Sendable) throws {
    var newer = SharedSweep.environment
    newer[keyPath: fact] = "0123456789abcdef"
    #expect(try Self.message(Self.sweep.plan(), in: Self.whole.get(), environment: newer) != nil)
    let planned = try Self.sweep.plan()
    let held = try HeldCells(
      of: planned.plan, planned.summary, traces: planned.traces, in: Self.whole.get(),
      file: "x.json", environment: newer, acceptsOtherBuild: true)
    #expect(held.positions.count == planned.plan.cells.count)
    #expect(held.notes.count == 1 && held.notes[0].contains("0123456789ab"))
  }

  @Test func otherMachineIsNoted() throws {
    var other = SharedSweep.environment
    other.cpu = "slow"
    let held = try Self.held(Self.sweep.plan(), in: Self.whole.get(), environment: other)
    #expect(
      held.notes == [
        "x.json was measured on another machine (fast, 2 cores, Linux): hits compare, times do not"
      ])
  }

  @Test func documentOfNoSweepIsRefused() throws {
    #expect(
      try Self.message(Self.sweep.plan(), in: ResultSamples.results) == """
        x.json: is no document of a sweep that says what it is a part of; \
        write it with evict sweep --format json
        """)
  }
}
