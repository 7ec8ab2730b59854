import Parameters
import Rendering
import Results

/// The inks of the policies on a page: the same in every chart, and those of common policies on every page.
///
/// A few have a colour each. Of more, the best, what they are measured against and those that must stand out
/// have one, and the others are grey.
struct SeriesInks {
  private let inks: [String: ChartInk]

  /// The largest number of lines that are all coloured.
  private static let few = 5
  /// The number of the best that have a colour among more.
  private static let best = 3
  /// The colours of common policies.
  private static let fixed = [
    "wtinylfu": 0, "s3fifo": 1, "arc": 2, "lru": 3, "fifo": 4, "sieve": 5,
  ]
  /// The colour that others take first: no common policy has it.
  private static let other = 7

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
    let chosen = highlighted + best.prefix(SeriesInks.best) + ["lru", "fifo"]
    let known = chosen.filter(names.contains).unique
    let isFew = names.count <= SeriesInks.few || known.isEmpty
    let coloured = isFew ? (known + names).unique : known
    // Named policies have the first colours: the same in all figures that name them in this order.
    var numbers: [String: Int] = [:]
    for name in highlighted where names.contains(name) && numbers[name] == nil {
      numbers[name] = numbers.count
    }
    var taken = Set(numbers.values)
    for name in coloured where numbers[name] == nil {
      guard let number = SeriesInks.fixed[name], taken.insert(number).inserted else { continue }
      numbers[name] = number
    }
    var free = ([SeriesInks.other] + Array(0..<coloured.count)).unique.filter {
      !taken.contains($0)
    }
    for name in coloured where numbers[name] == nil { numbers[name] = free.removeFirst() }
    inks = numbers.mapValues { .member($0) }
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
