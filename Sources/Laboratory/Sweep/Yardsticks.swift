import Eviction
import Synchronization

/// What a plan's results are measured against: FIFO and the optimum at the same capacity of the same
/// trace, and for explanations a cache without limit.
///
/// Each is simulated once, whatever the number of policies, unless it is one of the plan's own cells.
/// The optimum exists where every object counts one: Belady's MIN, with bypass for what may refuse a
/// newcomer.
public final class Yardsticks: Sendable {
  /// One of the policies that others are measured against.
  enum Reference: String, CaseIterable {
    case fifo = "fifo"
    case optimum = "opt"
    case bypassingOptimum = "opt:bypass=true"
    case infinite = "infinite"
    /// The bounds of the optimum, where objects have sizes: no policy, but it answers for one.
    case bounds = "bounds"
  }

  /// A reference at one capacity of one trace of the plan.
  struct Job: Hashable {
    let trace: Int
    let capacity: Int
    let reference: Reference
  }

  let plan: SweepPlan
  private let explains: Bool
  private let choices: [Reference: PolicyChoice]
  private let ratios = Mutex<[Job: ClosedRange<Double>]>([:])

  /// The yardsticks of a plan's results.
  ///
  /// - Parameters:
  ///   - plan: What is run.
  ///   - explains: Whether ``explanations(of:)`` will be asked for.
  public init(_ plan: SweepPlan, explains: Bool = false) {
    self.plan = plan
    self.explains = explains
    var choices: [Reference: PolicyChoice] = [:]
    for reference in Reference.allCases {
      choices[reference] = try? PolicyChoice.parse([reference.rawValue]).first
    }
    self.choices = choices
  }

  /// What the references read of a request.
  var needs: RequestNeeds { plan.settings.isSized && !explains ? [] : .nextUse }

  /// What is to be simulated for the cells at one capacity of one trace, in a fixed order.
  ///
  /// - Parameter reusesCells: Whether the plan's own cells are simulated, too, so that a reference
  ///   among them need not be.
  func jobs(for cells: [SweepPlan.Cell], reusesCells: Bool) -> [Job] {
    guard let first = cells.first else { return [] }
    var wanted: Set<Reference> = [.fifo]
    if knowsOptimum(of: first.trace) {
      for cell in cells { wanted.insert(optimum(for: cell)) }
      if explains { wanted.insert(.bypassingOptimum) }
    }
    if explains { wanted.formUnion(plan.settings.isSized ? [.infinite, .bounds] : [.infinite]) }
    if reusesCells { wanted.subtract(cells.compactMap { reference(of: $0) }) }
    return Reference.allCases.filter { wanted.contains($0) }.map {
      Job(trace: first.trace, capacity: first.capacity, reference: $0)
    }
  }

  /// Simulates one of the references.
  func run(
    _ job: Job, on stream: RequestStream, observer: (Int) -> Bool
  ) throws(PolicyError) {
    guard let choice = choices[job.reference] else {
      return bound(job, on: stream, goesOn: { observer(0) })
    }
    let cell = SweepPlan.Cell(
      trace: job.trace, capacity: job.capacity, policy: choice, seed: plan.cells[0].seed)
    let counts = try choice.entry.simulator.run(
      stream, options: SimulationOptions(plan.options(of: cell)), observer: observer)
    if let counts { record(counts, as: job) }
  }

  private func bound(_ job: Job, on stream: RequestStream, goesOn: () -> Bool) {
    let bounds = OptimumBounds.of(
      ReuseIntervals(
        stream, warmup: plan.settings.warmup, countsSets: plan.settings.countsSets),
      capacity: job.capacity,
      objective: .objects, goesOn: goesOn)
    guard let ratios = bounds?.ratios else { return }
    self.ratios.withLock { $0[job] = ratios }
  }

  /// Takes over what a cell of the plan counted, if it is a reference.
  func record(_ counts: RequestCounts, of cell: SweepPlan.Cell) {
    guard let reference = reference(of: cell) else { return }
    record(
      counts, as: Job(trace: cell.trace, capacity: cell.capacity, reference: reference))
  }

  private func record(_ counts: RequestCounts, as job: Job) {
    if counts.requests == 0 { return }
    let ratio = Double(counts.hits) / Double(counts.requests)
    ratios.withLock { $0[job] = ratio...ratio }
  }

  /// Measures a cell's result against what was simulated; what was not stays nil.
  func apply(to measurement: inout Measurement, of cell: SweepPlan.Cell) {
    guard let hitRatio = measurement.hitRatio else { return }
    if let fifo = ratio(.fifo, of: cell), fifo < 1 {
      measurement.missRatioReduction = (hitRatio - fifo) / (1 - fifo)
    }
    if knowsOptimum(of: cell.trace), !cell.policy.information.ignoresCapacity,
      let optimum = ratio(optimum(for: cell), of: cell)
    {
      measurement.distanceToOptimum = optimum - hitRatio
    }
  }

  /// The hit ratio of a reference at the capacity and on the trace of a cell.
  private func ratio(_ reference: Reference, of cell: SweepPlan.Cell) -> Double? {
    range(reference, of: cell)?.lowerBound
  }

  private func range(
    _ reference: Reference, of cell: SweepPlan.Cell
  ) -> ClosedRange<Double>? {
    let job = Job(trace: cell.trace, capacity: cell.capacity, reference: reference)
    return ratios.withLock { $0[job] }
  }

  /// Why requests miss, for each capacity of each trace at which everything needed was simulated.
  public func explanations(of measurements: [Measurement]) -> [Explanation] {
    let bounds = plan.policies.map(\.information).filter(\.isBound)
    return plan.groups.compactMap { group in
      let cell = plan.cells[group.lowerBound]
      let trace = plan.traces[cell.trace].name
      let best = measurements.filter { measurement in
        measurement.trace == trace && measurement.capacity == cell.capacity
          && !bounds.contains { $0.name == measurement.policy }
      }.max { ($0.hitRatio ?? 0) < ($1.hitRatio ?? 0) }
      guard let best, let bestHitRatio = best.hitRatio,
        let unlimited = ratio(.infinite, of: cell),
        let optimum = range(plan.settings.isSized ? .bounds : .bypassingOptimum, of: cell)
      else { return nil }
      return Explanation(
        trace: trace, capacity: cell.capacity, unit: best.unit, compulsoryMissRatio: 1 - unlimited,
        optimumHitRatio: optimum, bestPolicy: best.policyLabel, bestHitRatio: bestHitRatio)
    }
  }

  /// The optimum that a cell's policy is compared with.
  private func optimum(for cell: SweepPlan.Cell) -> Reference {
    cell.policy.mayRefuse ? .bypassingOptimum : .optimum
  }

  private func knowsOptimum(of trace: Int) -> Bool {
    !plan.settings.isSized && RequestStream.offers(of: plan.traces[trace]).contains(.nextUse)
  }

  /// Which reference a cell is; nil for none.
  func reference(of cell: SweepPlan.Cell) -> Reference? {
    Reference.allCases.first {
      guard let choice = choices[$0] else { return false }
      return choice.name == cell.policy.name
        && choice.arguments.given == cell.policy.arguments.given
    }
  }
}

extension SweepPlan {
  /// The cells that stand together at one capacity of one trace, by the place of the first of them.
  var groups: [Range<Int>] {
    var groups: [Range<Int>] = []
    for index in cells.indices {
      if let last = groups.last, cells[last.lowerBound].isBeside(cells[index]) {
        groups[groups.count - 1] = last.lowerBound..<index + 1
      } else {
        groups.append(index..<index + 1)
      }
    }
    return groups
  }
}

extension SweepPlan.Cell {
  /// Whether another cell is at the same capacity of the same trace.
  fileprivate func isBeside(_ other: SweepPlan.Cell) -> Bool {
    trace == other.trace && capacity == other.capacity
  }
}
