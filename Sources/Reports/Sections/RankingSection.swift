import Foundation
import Parameters
import Rendering
import Results

/// The answer: the policies over all traces, the best first, and the best on each trace.
enum RankingSection: ResultsSection {
  /// The number of policies in the table; the heat map has them all.
  private static let most = 8

  static func section(of view: ResultsView) -> PageSection? {
    let ranking = view.ranking
    guard ranking.places.count > 1 else { return nil }
    let unit = ranking.valueName
    let isOne = ranking.columns.count == 1
    let heading =
      "Which policy" + (isOne ? "" : ", how large") + (view.estimates.isEmpty ? "" : ", how sure")
    return PageSection(
      id: "ranking", heading: heading, texts: texts(of: ranking),
      tables: [places(of: ranking, unit: unit, in: view)]
        + (isOne ? [] : [leaders(of: ranking, unit: unit, in: view)])
        + (view.results.unranked.isEmpty ? [] : [unranked(in: view.results)]))
  }

  private static func texts(of ranking: Ranking) -> [String] {
    if ranking.columns.count < 2 { return [] }
    let average =
      ranking.isOfTraces ? "The mean is over traces, each the mean over its sizes." : ""
    let incomplete = ranking.places.contains { !$0.isComplete }
    return [
      [
        "A dot is a \(ranking.noun), the bar their mean.", average,
        incomplete ? "Policies that did not run everywhere come last." : "",
      ].filter { !$0.isEmpty }.joined(separator: " ")
    ]
  }

  // MARK: Policies

  private static func places(
    of ranking: Ranking, unit: String, in view: ResultsView
  ) -> PageTable {
    let shown = ranking.places.enumerated().filter { number, place in
      number < most || view.inks[place.policy] != .faint
    }.map(\.element)
    let values = shown.flatMap { $0.values.compactMap(\.self) }
    let highest = max(values.max() ?? 0, 0)
    // A policy that loses many times what others gain does not squeeze them.
    let ends = max(min(values.min() ?? 0, 0), -2 * max(highest, 0.01))...highest
    let isOne = ranking.columns.count == 1
    let scale = isOne ? "on one scale" : "by \(ranking.noun)"
    let titles = [unit, scale] + (isOne ? [] : ["least", "most", "first on"])
    return PageTable(
      caption: shown.count < ranking.places.count
        ? "\(shown.count) of \(ranking.places.count) policies" : "Policies",
      columns: [PageTable.Column(title: "policy", isNumber: false)]
        + titles.map { PageTable.Column(title: $0, isNumber: $0 != scale) },
      rows: shown.map { place in
        let mean = PageTable.Cell.number(Headline.number(place.mean), exact: "\(place.mean)")
        return PageTable.Row(
          cells: [.name(place.policy), mean] + spread(of: place, in: ranking, ends: ends, view))
      }, isOfPolicies: true)
  }

  private static func spread(
    of place: Ranking.Place, in ranking: Ranking, ends: ClosedRange<Double>, _ view: ResultsView
  ) -> [PageTable.Cell] {
    let known = place.values.compactMap(\.self)
    let named = zip(ranking.columns, place.values).compactMap { column, value in
      value.map { (name: column.title, value: $0) }
    }
    let strip = Strip(
      named.map { (name: $0.name, value: $0.value * 100) },
      in: ends.lowerBound * 100...ends.upperBound * 100, ink: view.inks[place.policy])
    let drawing = PageTable.Cell("", drawing: strip.svg)
    if ranking.columns.count == 1 { return [drawing] }
    return [
      drawing,
      .number(Headline.number(known.min() ?? 0)), .number(Headline.number(known.max() ?? 0)),
      .number("\(ranking.firsts(of: place)) of \(ranking.columns.count)"),
    ]
  }

  /// The systems without a rank, with the most that each held.
  private static func unranked(in results: ResultSet) -> PageTable {
    PageTable(
      caption: "Not ranked: they hold more than the capacity",
      columns: [
        PageTable.Column(title: "system", isNumber: false),
        PageTable.Column(title: "holds × capacity, at most", isNumber: true),
      ],
      rows: results.unranked.map { name in
        let runs = results.measurements.filter { $0.contender == name }
        let most = runs.compactMap(\.heldMultiple).max() ?? 0
        return PageTable.Row(cells: [.name(name), .number(most.digits(2), exact: "\(most)")])
      })
  }

  // MARK: Traces

  /// A column of the table of traces: its title, whether it holds numbers, and a cell for each trace.
  private struct Fact {
    let title: String
    let isNumber: Bool
    let cells: [PageTable.Cell?]

    init(_ title: String, isNumber: Bool = true, _ cells: [PageTable.Cell?]) {
      self.title = title
      self.isNumber = isNumber
      self.cells = cells
    }
  }

  private static func leaders(
    of ranking: Ranking, unit: String, in view: ResultsView
  ) -> PageTable {
    let columns = ranking.columns
    let leaders = columns.indices.map { ranking.leaders(of: $0) }
    func value(_ rank: Int) -> [PageTable.Cell?] {
      leaders.map { leaders in
        leaders.dropFirst(rank).first.map {
          .number(Headline.number($0.value), exact: "\($0.value)")
        }
      }
    }
    let facts = [
      Fact("best", isNumber: false, leaders.map { $0.first.map { PageTable.Cell($0.policy) } }),
      Fact(unit, value(0)),
      Fact(
        "next", isNumber: false,
        leaders.map { $0.dropFirst().first.map { PageTable.Cell($0.policy) } }),
      Fact(unit, value(1)),
      Fact(
        "best above lru by interval",
        zip(columns, leaders).map { column, leaders in
          leaders.first.flatMap { certainty(of: $0.policy, in: column, view) }
        }),
      Fact(
        "lru needs × memory",
        zip(columns, leaders).map { column, leaders in
          leaders.first.flatMap { memory(for: $0.policy, in: column, view) }
        }),
      Fact("lru has 9/10 of its hits at", columns.map { enough($0, view) }),
    ].filter { fact in fact.cells.contains { $0 != nil } }
    return PageTable(
      caption: "The best on each \(ranking.noun)",
      columns: [PageTable.Column(title: ranking.noun, isNumber: false)]
        + facts.map { PageTable.Column(title: $0.title, isNumber: $0.isNumber) },
      rows: columns.enumerated().map { index, column in
        PageTable.Row(
          cells: [.name(column.title)]
            + facts.map {
              $0.cells[index] ?? PageTable.Cell("–", classes: $0.isNumber ? "number" : nil)
            })
      })
  }

  /// The sizes at which a policy's interval lies above LRU, of those that have one.
  private static func certainty(
    of policy: String, in column: Ranking.Column, _ view: ResultsView
  ) -> PageTable.Cell? {
    // They are of hits.
    if view.ranking.metric == .latencyReduction { return nil }
    let intervals = column.standings.flatMap { standing in
      view.estimates.filter {
        $0.trace == standing.trace && $0.capacity == standing.capacity && $0.unit == standing.unit
          && $0.policy == policy && $0.against == "lru" && !$0.isBest
      }
    }.compactMap(\.interval)
    if intervals.isEmpty { return nil }
    let sure = intervals.count { $0.lowerBound > 0 }
    return .number("\(sure) of \(intervals.count) sizes")
  }

  private static func memory(
    for policy: String, in column: Ranking.Column, _ view: ResultsView
  ) -> PageTable.Cell? {
    let multiples = column.standings.compactMap { $0.memoryOfLRU(for: policy, in: view.results) }
    return multiples.median.map { .number($0.isFinite ? $0.digits(2) : "∞") }
  }

  private static func enough(_ column: Ranking.Column, _ view: ResultsView) -> PageTable.Cell? {
    guard let first = column.standings.first,
      let enough = LRUEquivalent(first, in: view.results)?.enough
    else { return nil }
    return .number(Headline.amount(enough, first.unit), exact: "\(enough)")
  }
}
