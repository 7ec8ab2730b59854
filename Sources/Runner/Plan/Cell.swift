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
  package let role: Role
  /// The trace: a place in ``ExperimentPlan/traces``.
  package let trace: Int
  /// The policy with its parameters.
  package let policy: PolicyChoice
  /// Capacity, parameters, seed and warm-up.
  package internal(set) var run: RunOptions
  /// Turns the cell into an outcome.
  package let engine: any Engine
  /// The cells that this row is measured against, by what they are; a row is finished when they are.
  package var baselines: [BaselineRole: CellKey] = [:]

  /// The capacity in objects or bytes.
  package var capacity: Int { run.capacity }
  /// The random seed.
  package var seed: Int { key.seed }
  /// The place in the order of the whole experiment; nil for a baseline.
  package var position: Int? { if case .row(let position) = role { position } else { nil } }

  package init(
    _ key: CellKey, role: Role, trace: Int, policy: PolicyChoice, run: RunOptions,
    engine: any Engine
  ) {
    self.key = key
    self.role = role
    self.trace = trace
    self.policy = policy
    self.run = run
    self.engine = engine
  }

  /// The same policy at the same place as a cell of another kind.
  package func cell(
    of kind: Measurement.Kind, _ variant: CellKey.Variant? = nil, policy label: String? = nil,
    role: Role, engine: any Engine
  ) -> Cell {
    Cell(
      CellKey(
        kind: kind, place: key.place, policy: label ?? key.policy, seed: seed, variant: variant),
      role: role, trace: trace, policy: policy, run: run, engine: engine)
  }

  /// The cell's measurement before anything is measured.
  package var measurement: Measurement {
    Measurement(
      kind: key.kind, trace: key.trace, policy: policy.name,
      parameters: Measurement.parameters(policy.arguments), capacity: capacity,
      unit: key.place.unit, seed: seed)
  }
}
