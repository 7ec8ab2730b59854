import Traces

/// The most that any sequence of decisions gains on a trace, each of them tried: what bounds are
/// compared with. Only for tiny traces.
struct ExhaustiveOptimum {
  let keys: [Int]
  let sizes: [Int]
  let roles: [TraceOperation.Role]
  let capacity: Int
  var warmup = 0
  var countsSets = false
  /// True if a newcomer may be refused.
  var bypasses = true
  /// True if bytes are gained, and not hits.
  var countsBytes = false

  private struct State: Hashable {
    let index: Int
    /// Keys and the sizes they were inserted with.
    let residents: [Int: Int]
  }

  /// The most hits, or bytes that hit.
  func gain() -> Int {
    var known: [State: Int] = [:]
    return gain(State(index: 0, residents: [:]), &known)
  }

  private func gain(_ state: State, _ known: inout [State: Int]) -> Int {
    let index = state.index
    if index == keys.count { return 0 }
    if let gain = known[state] { return gain }
    let (key, size) = (keys[index], sizes[index])
    var residents = state.residents
    var own = 0
    var best: Int?
    func go(_ residents: [Int: Int], _ known: inout [State: Int]) {
      let rest = gain(State(index: index + 1, residents: residents), &known)
      best = max(best ?? 0, rest)
    }
    if roles[index] == .removal {
      residents[key] = nil
      go(residents, &known)
    } else if residents[key] != nil {
      let isCounted = index >= warmup && (roles[index] == .reference || countsSets)
      own = isCounted ? (countsBytes ? size : 1) : 0
      go(residents, &known)
      // What may be refused may as well be dropped after a hit.
      if bypasses {
        residents[key] = nil
        go(residents, &known)
      }
    } else if size > capacity {
      go(residents, &known)
    } else {
      if bypasses { go(residents, &known) }
      for kept in subsets(of: residents) where kept.values.reduce(size, +) <= capacity {
        // Without bypass nothing leaves that need not, but leaving more never gains.
        var kept = kept
        kept[key] = size
        go(kept, &known)
      }
    }
    known[state] = own + (best ?? 0)
    return own + (best ?? 0)
  }

  private func subsets(of residents: [Int: Int]) -> [[Int: Int]] {
    residents.reduce([[:]]) { subsets, resident in
      subsets + subsets.map { $0.merging([resident.key: resident.value]) { first, _ in first } }
    }
  }
}
