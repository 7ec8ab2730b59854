import Parameters
import Rendering
import Results

/// The inks of the policies on a page: the same in every chart.
///
/// Up to sixteen are told apart, by eight colours with and without dashes. Of more, the best, LRU and
/// the highlighted ones stand out, and the others are faint.
struct SeriesInks {
  private let inks: [String: ChartInk]

  /// The number of inks that are told apart.
  static let most = 16
  /// The number of policies that stand out where there are more.
  static let fewest = 8

  /// - Parameters:
  ///   - names: All that are drawn, each once.
  ///   - favorites: Those that stand out where there are too many, the first ones first.
  init(_ names: [String], favorites: [String] = []) {
    let isCrowded = names.count > SeriesInks.most
    let chosen =
      isCrowded
      ? Array(favorites.filter(names.contains).unique.prefix(SeriesInks.fewest)) : names
    inks = Dictionary(
      uniqueKeysWithValues: chosen.enumerated().map { ($0.element, .member($0.offset)) })
  }

  /// The inks of a document's policies.
  ///
  /// - Parameter highlighted: Those that must stand out.
  init(of results: ResultSet, comparisons: [Standing], highlighted: [String]) {
    let names = (results.measurements.map(\.contender) + results.curves.map(\.policyLabel)).unique
    let scores = comparisons.flatMap(\.contenders).grouped(by: \.policy).map {
      (policy: $0[0].policy, mean: $0.map(\.hitRatio).mean ?? 0)
    }
    let best = scores.sorted { $0.mean > $1.mean }.map(\.policy)
    self.init(names, favorites: highlighted + ["lru"] + best)
  }

  subscript(name: String) -> ChartInk { inks[name] ?? .faint }
}
