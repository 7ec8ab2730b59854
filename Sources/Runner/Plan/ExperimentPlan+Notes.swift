extension ExperimentPlan {
  /// A policy that cannot run at a capacity, and why.
  package struct Refusal {
    let policy: String
    let trace: String
    let capacity: Int
    /// The positions that its rows would have.
    let positions: Range<Int>
    let error: PlanError

    /// The reason, which is said once for all cells that share it.
    fileprivate var reason: [String] {
      if case .needsMissing(_, _, let needs) = error { needs } else { ["", policy, trace] }
    }
  }

  /// The note on capacities that are more than all that a trace has; none where there are none.
  package static func notes(on capacities: [Capacity], isSized: Bool) -> [String] {
    let ample = capacities.filter(\.isMoreThanAll).map { "\($0)" }.unique
    if ample.isEmpty { return [] }
    let (noun, verb) = ample.count == 1 ? ("capacity", "is") : ("capacities", "are")
    // Objects may grow, and policies may count their own bytes.
    let end =
      isSized
      ? "the bytes of all keys: little has to be evicted" : "all keys: nothing has to be evicted"
    return ["\(noun) \(ample.joined(separator: ", ")) \(verb) more than \(end)"]
  }

  /// The note on traces in which nothing can expire; none where there are none.
  package static func note(onLasting traces: [String]) -> [String] {
    if traces.isEmpty { return [] }
    return ["no times to live in \(traces.joined(separator: ", ")): nothing expires there"]
  }

  /// The notes on cells that are left out: a line for each thing that traces lack, and one for each policy
  /// that capacities of a trace are too small for.
  package static func notes(on refusals: [Refusal]) -> [String] {
    refusals.grouped(by: \.reason).map { alike in
      if case .needsMissing(_, _, let needs) = alike[0].error {
        let traces = alike.map(\.trace).unique
        let policies = alike.map(\.policy).unique.joined(separator: ", ")
        return "\(traces.joined(separator: ", ")) \(traces.count == 1 ? "lacks" : "lack") "
          + "\(needs.joined(separator: ", ")); left out: \(policies)"
      }
      let capacities = alike.map { "\($0.capacity)" }.unique
      return "\(alike[0].trace), \(capacities.count == 1 ? "capacity" : "capacities") "
        + "\(capacities.joined(separator: ", ")): left out: \(alike[0].error)"
    }
  }
}
