import Requests
import Results
import Traces

/// One cell of an experiment: a policy at one capacity of one trace, and the engine that runs it.
package struct Cell: Sendable {
  /// The use of a cell's outcome.
  package enum Role: Sendable, Equatable {
    /// A row of the document, at this position in the order of the whole experiment.
    case row(position: Int)
    /// A cell that rows are measured against: it is not written.
    case baseline
  }

  /// The cell's name.
  package let key: CellKey
  /// The use of its outcome.
  package private(set) var role: Role
  /// The trace: a place in ``ExperimentPlan/traces``.
  package let trace: Int
  /// The policy with its parameters.
  package let policy: PolicyChoice
  /// Capacity, parameters, seed and warm-up.
  package internal(set) var run: RunOptions
  /// Charges the policy's own memory to the capacity; nil where it is not, as for bounds.
  package let charge: MetadataCharge?
  /// Turns the cell into an outcome.
  package let engine: any Engine
  /// The cells that this row is measured against, by what they are; a row is finished when they are.
  package var baselines: [BaselineRole: CellKey] = [:]

  /// The capacity in objects or bytes.
  package var capacity: Int { run.capacity }
  /// The random seed.
  package var seed: Int { key.seed }
  /// The variation; nil for the planned cell.
  package var variation: Variation? { key.variation }
  /// The place in the order of the whole experiment; nil for a baseline.
  package var position: Int? { if case .row(let position) = role { position } else { nil } }

  package init(
    _ key: CellKey, role: Role, trace: Int, policy: PolicyChoice, run: RunOptions,
    charge: MetadataCharge? = nil, engine: any Engine
  ) {
    self.key = key
    self.role = role
    self.trace = trace
    self.policy = policy
    self.run = run
    self.charge = policy.information.isBound ? nil : charge
    self.engine = engine
  }

  fileprivate func at(_ position: Int) -> Cell {
    var cell = self
    cell.role = .row(position: position)
    return cell
  }

  /// The cell's measurement before anything is measured.
  package var measurement: Measurement {
    var measurement = Measurement(
      kind: key.kind, trace: key.trace, policy: policy.name,
      parameters: Measurement.parameters(policy.arguments),
      capacity: key.place.capacity ?? capacity, unit: key.place.unit, seed: seed)
    measurement.variation = variation
    if variation?.kind == .size { measurement.variation?.capacity = capacity }
    return measurement
  }
}

/// A policy at a capacity of a trace, with a seed: kinds of experiments make their cells of rows.
package struct Row: Sendable {
  /// The policy with its parameters.
  package let policy: PolicyChoice
  /// The trace: a place in ``ExperimentPlan/traces``.
  package let trace: Int
  /// The trace's name, and the capacity.
  package let place: CellKey.Place
  /// The random seed.
  package let seed: Int
  /// The variation; nil for the planned row.
  package let variation: Variation?
  /// The position in the order of the whole experiment.
  package let position: Int
  /// Capacity, parameters, seed and warm-up.
  package let run: RunOptions
  private let charge: MetadataCharge?

  package init(
    _ policy: PolicyChoice, at capacity: Int, of trace: Int, named name: String, seed: Int,
    settings: ExperimentPlan.Settings, variation: Variation? = nil, ranCapacity: Int? = nil,
    position: Int = 0
  ) {
    self.policy = policy
    self.trace = trace
    self.seed = seed
    self.variation = variation
    self.position = position
    place = CellKey.Place(
      trace: name, capacity: capacity, unit: settings.isSized ? .bytes : .objects)
    var run = RunOptions(
      capacity: ranCapacity ?? capacity, arguments: policy.arguments,
      seed: UInt64(bitPattern: Int64(seed)),
      warmup: settings.warmup, countsSets: settings.countsSets, expires: settings.expires)
    run.delay = settings.delay
    self.run = run
    charge = settings.charge
  }

  /// A cell of the row.
  ///
  /// - Parameters:
  ///   - kind: The kind of experiment.
  ///   - variant: The setup, where a row has several cells.
  ///   - policy: The policy; nil for that of the row.
  ///   - label: The policy's name in results; nil for its own.
  ///   - role: The use of the outcome; nil for a row of the document at the row's position.
  ///   - engine: Runs it.
  package func cell(
    of kind: Measurement.Kind = .sweep, _ variant: CellKey.Variant? = nil,
    policy: PolicyChoice? = nil, label: String? = nil, role: Cell.Role? = nil, engine: any Engine
  ) -> Cell {
    let policy = policy ?? self.policy
    return Cell(
      CellKey(
        kind: kind, place: place, policy: label ?? policy.label, seed: seed, variant: variant,
        variation: variation),
      role: role ?? .row(position: position), trace: trace, policy: policy, run: run,
      charge: charge, engine: engine)
  }
}

extension [Cell] {
  /// The cells as rows of the document in this order.
  package var numbered: [Cell] {
    enumerated().map { position, cell in cell.at(position) }
  }
}
