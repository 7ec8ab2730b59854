import Interleaving

/// The calls of a run on one key, which must have an order in which a cache without threads answers the same.
final class History {
  enum Action {
    case get(Int?)
    case set(Int, isStored: Bool)
    case remove(Int?)
    case update(from: Int?, to: Int?)
  }

  struct Call {
    let action: Action
    /// From the call to the return, in points of the schedule.
    let begin, end: Int
  }

  private var calls: [Call] = []

  /// Makes a call, and keeps what came of it.
  func add(_ call: () -> Action) {
    let begin = Exploration.points
    let action = call()
    calls.append(Call(action: action, begin: begin, end: Exploration.points))
  }

  /// - Parameter forgets: True if entries may leave at any time.
  func check(key: Int, forgets: Bool) {
    Exploration.require(
      History.hasOrder(calls, value: nil, forgets: forgets),
      "key \(key): no order explains \(calls)")
  }

  /// True if the calls that are left can follow, one after the other, from a state.
  private static func hasOrder(_ calls: [Call], value: Int?, forgets: Bool) -> Bool {
    if calls.isEmpty { return true }
    for (place, call) in calls.enumerated() where !calls.contains(where: { $0.end <= call.begin }) {
      let after: Int?
      switch call.action {
      case .get(let found):
        if found != value && (found != nil || !forgets) { continue }
        after = found
      case .remove(let found):
        if found != value && (found != nil || !forgets) { continue }
        after = nil
      case .update(let found, let new):
        if found != value && (found != nil || !forgets) { continue }
        after = new
      case .set(let new, let isStored): after = isStored ? new : nil
      }
      var rest = calls
      rest.remove(at: place)
      if hasOrder(rest, value: after, forgets: forgets) { return true }
    }
    return false
  }
}
