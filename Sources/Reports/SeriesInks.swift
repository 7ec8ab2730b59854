import Parameters
import Rendering
import Results

/// The inks of the policies on a page: the same in every chart.
///
/// A few have a colour each. Of more, the best, what they are measured against and those that must stand out
/// have one, and the others are grey.
struct SeriesInks {
  private let inks: [String: ChartInk]

  /// The largest number of lines that are all coloured.
  private static let few = 5
  /// The number of the best that have a colour among more.
  private static let best = 3

  /// Inks of lines of one kind, all of them told apart.
  init(_ names: [String]) {
    inks = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($0.element, .member($0.offset)) })
  }

  /// The inks of a document's policies.
  ///
  /// - Parameter highlighted: Those that must stand out.
  init(of results: ResultSet, ranking: Ranking, highlighted: [String]) {
    let names = (results.measurements.map(\.contender) + results.curves.map(\.policyLabel)).unique
    let best =
      ranking.places.isEmpty ? results.curvesByMissRatio : ranking.places.map(\.policy)
    // First, so that each has the same colour in all figures that name them in this order.
    let chosen = highlighted + best.prefix(SeriesInks.best) + ["lru", "fifo"]
    let known = chosen.filter(names.contains).unique
    let isFew = names.count <= SeriesInks.few || known.isEmpty
    self.init(isFew ? (known + names).unique : known)
  }

  subscript(name: String) -> ChartInk { inks[name] ?? .faint }
}

extension ResultSet {
  /// The policies of the curves, by their mean miss ratio over the points.
  fileprivate var curvesByMissRatio: [String] {
    curves.grouped(by: \.policyLabel).map { curves in
      (
        policy: curves[0].policyLabel,
        mean: curves.flatMap(\.points).map(\.missRatio).mean ?? 1
      )
    }.sorted { $0.mean < $1.mean }.map(\.policy)
  }
}
