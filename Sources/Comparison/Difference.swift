import Results

/// The change of one metric of one run or curve, from one results document to another.
package struct Difference: Sendable, Equatable {
  /// The kind of a difference, and the way in which it is known.
  package enum Verdict: Sendable, Equatable {
    /// An exact count differs.
    case changed
    /// Only the first document has it.
    case missing
    /// Only the second document has it.
    case added
    /// The cost of the run grew, by more than its noise.
    case slower
    /// The cost of the run fell, by more than its noise.
    case faster
    /// The difference may be noise.
    case unclear
  }

  /// The run or curve.
  package let cell: CellKey
  /// The compared metric: `hits`, `miss ratio`, `instructions`, `time`.
  package let figure: String
  /// The figure before; nil for a run that was not there, and for shares that have no value.
  package let before: Double?
  /// The figure after; nil for a run that is not there.
  package let after: Double?
  /// The verdict.
  package let verdict: Verdict
  /// The reason of the verdict, or the place on a curve, in a few words; empty for counts.
  package internal(set) var reason: String

  /// A difference.
  package init(
    _ cell: CellKey, _ figure: String, before: Double? = nil, after: Double? = nil,
    _ verdict: Verdict, reason: String = ""
  ) {
    self.cell = cell
    self.figure = figure
    self.before = before
    self.after = after
    self.verdict = verdict
    self.reason = reason
  }

  /// True if the figure moved to the side that a cache wants, false if to the other; nil for figures without such a side.
  package var isBetter: Bool? {
    switch verdict {
    case .missing, .slower: return false
    case .faster: return true
    case .added, .unclear: return nil
    case .changed: break
    }
    guard let before, let after, before != after else { return nil }
    return switch figure {
    case "hits", "byte hit ratio", "cost hit ratio", "hit tokens": after > before
    case "miss ratio": after < before
    default: nil
    }
  }

  /// By how much the figure grew, as a share of what it was; nil where that means nothing.
  package var growth: Double? {
    guard let before, let after, before != 0 else { return nil }
    return (after - before) / before
  }
}
