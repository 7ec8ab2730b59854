import Foundation
import Parameters
import Rendering
import Results

/// One table for a paper, with the rules of the package booktabs: a row for each policy, the highest mean first,
/// and a column for each capacity of each trace. A cell is a hit ratio, in bold where it is the highest of its
/// column; policies without a rank, such as bounds, and the optimum stand below the others and do not count. Where misses
/// take time, a cell is a mean latency, the lowest is the best, and the bound of all policies takes the optimum's place.
///
///     \begin{tabular}{lrr}
///     \toprule
///      & \multicolumn{2}{c}{OLTP.lis.zst} \\
///     \cmidrule(lr){2-3}
///     policy & 1000 & 2000 \\
///     \midrule
///     arc & \textbf{38.95} & \textbf{46.08} \\
enum LaTeXGridReport: ReportFormat {
  static let information = CatalogEntry(
    name: "latex-grid",
    summary: "hit ratios for a paper: a row per policy, a column per capacity of each trace")

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let traces = Standing.all(of: results, bounds: style.bounds).byTrace
      .map { $0.sorted { $0.capacity < $1.capacity } }
    let columns = Array(traces.joined())
    let places = columns.flatMap(\.scores).map(\.policy).unique.map { policy in
      Ranking.Place(
        policy: policy, title: policy, values: columns.map { $0.score(of: policy)?.merit })
    }.sorted { $0.rank > $1.rank }
    let bounds = columns.flatMap(\.scores).filter(\.isBound).map(\.policy).unique
    let hasLatencies = columns.contains { $0.latencyUnit != nil }
    let optima = columns.map { column in
      hasLatencies ? column.leastLatency.map { -$0 } : column.optimum
    }
    let hasOptima = optima.contains { $0 != nil }
    let optimum =
      [hasLatencies ? "no policy below" : "optimum"]
      + zip(columns, optima).map { column, best in best.map(column.text(ofMerit:)) ?? "--" }
    func line(_ place: Ranking.Place) -> String {
      ([place.title.latexEscaped] + columns.map { $0.cell(of: place.policy) }).latexRow
    }
    let ranked = places.filter { !bounds.contains($0.policy) }.map(line)
    let others =
      places.filter { bounds.contains($0.policy) }.map(line)
      + (hasOptima ? [optimum.latexRow] : [])
    return "% EvictionLab: \\usepackage{booktabs}\n\n"
      + caption(of: columns, bounds: bounds, hasOptima: hasOptima)
      + "\\begin{tabular}{l\(String(repeating: "r", count: columns.count))}\n\\toprule\n"
      + heading(of: traces) + "\\midrule\n" + ranked.joined()
      + (others.isEmpty ? "" : "\\midrule\n" + others.joined())
      + "\\bottomrule\n\\end{tabular}\n"
  }

  static func emptiness(
    of results: ResultSet, style: ReportStyle
  ) -> (problem: String, remedy: String)? {
    Standing.all(of: results, bounds: style.bounds).isEmpty
      ? ("there is no hit ratio of a policy to show", "evict sweep finds some") : nil
  }

  /// The comment above the table: the meaning of its numbers.
  private static func caption(
    of columns: [Standing], bounds: [String], hasOptima: Bool
  ) -> String {
    let ratios = columns.map(\.ratioName).unique.joined(separator: ", ")
    let latencyUnit = columns.first?.latencyUnit.map { $0 == .nanoseconds ? "ms" : "requests" }
    let values = latencyUnit.map { "mean latency in \($0)" } ?? "\(ratios) in %"
    let best = latencyUnit == nil ? "highest" : "lowest"
    let optimum = latencyUnit == nil ? "; optimum: Belady's MIN with bypass\n" : "\n"
    let units = columns.map(\.unit.noun).unique.joined(separator: ", ")
    return
      "% \(values); capacities in \(units); rows are sorted by their means, those without a gap first\n"
      + "% bold: the \(best) of a column"
      + (bounds.isEmpty ? "" : ", \(bounds.joined(separator: ", ").printable) not counted")
      + (hasOptima ? optimum : "\n")
  }

  /// The traces, and below each its capacities.
  private static func heading(of traces: [[Standing]]) -> String {
    let hasUnits = traces.map { $0[0].unit }.unique.count > 1
    var rules = ""
    var first = 2
    for trace in traces {
      rules += "\\cmidrule(lr){\(first)-\(first + trace.count - 1)}"
      first += trace.count
    }
    let titles = traces.map { trace in
      let unit = hasUnits ? ", \(trace[0].unit.noun)" : ""
      return "\\multicolumn{\(trace.count)}{c}{\((trace[0].trace + unit).latexEscaped)}"
    }
    return ([""] + titles).latexRow + rules + "\n"
      + (["policy"] + traces.joined().map(\.capacityText)).latexRow
  }
}

extension Standing.Score {
  /// The higher, the better: the hit ratio, or the mean latency below zero.
  fileprivate var merit: Double { meanLatency.map { -$0 } ?? hitRatio }
}

extension Standing {
  /// The capacity without its unit.
  fileprivate var capacityText: String {
    unit == .bytes ? ByteCount.mebibytes(capacity) : "\(capacity)"
  }

  fileprivate func score(of policy: String) -> Score? { scores.first { $0.policy == policy } }

  /// A hit ratio in hundredths, or a latency in milliseconds or requests.
  fileprivate func text(ofMerit merit: Double) -> String {
    switch latencyUnit {
    case nil: String(format: "%.2f", merit * 100)
    case .nanoseconds: String(format: "%.4f", -merit / 1e6)
    case .requests: String(format: "%.4f", -merit)
    }
  }

  /// The policy's hit ratio or latency, in bold if it is the best of ranked policies and others are lower; those of several
  /// threads differ from run to run.
  fileprivate func cell(of policy: String) -> String {
    guard let score = score(of: policy) else { return "--" }
    let rivals = contenders.filter(\.isExact).map(\.merit)
    let isBest =
      !score.isBound && score.isExact && score.merit == rivals.max()
      && rivals.contains { $0 < score.merit }
    let text = text(ofMerit: score.merit)
    return isBest ? "\\textbf{\(text)}" : text
  }
}

extension Measurement.Unit {
  /// The noun behind a capacity.
  fileprivate var noun: String { self == .bytes ? "MiB" : rawValue }
}
