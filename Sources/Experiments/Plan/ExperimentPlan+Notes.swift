extension ExperimentPlan {
  /// A policy that cannot run at a capacity, and why.
  struct Refusal {
    let policy: String
    let capacity: Int
    let error: PlanError

    /// The reason, which is said once for all cells that share it.
    fileprivate var reason: [String] {
      if case .needsMissing(_, _, let needs) = error { needs } else { ["", policy] }
    }
  }

  /// The notes on cells that are left out of a trace: a line for each thing that the trace lacks, and one for each
  /// policy that a capacity is too small for.
  static func notes(on refusals: [Refusal], trace: String) -> [String] {
    refusals.grouped(by: \.reason).map { alike in
      if case .needsMissing(_, _, let needs) = alike[0].error {
        let policies = alike.map(\.policy).unique.joined(separator: ", ")
        return "\(trace) lacks \(needs.joined(separator: ", ")); left out: \(policies)"
      }
      let capacities = alike.map { "\($0.capacity)" }.unique
      return "\(trace), \(capacities.count == 1 ? "capacity" : "capacities") "
        + "\(capacities.joined(separator: ", ")): left out: \(alike[0].error)"
    }
  }
}
