import Parameters
import Rendering
import Traces

/// Labels and values for a terminal, and a table of quantiles.
///
///     lirs-loop.trace.gz: loop of 1011 keys: LRU will fail below that size
///
///       format         plain
///       requests       505500
///       …
///
///     distribution          mean   p10   p25   p50   p75   p90   p99   max
///     reuse time, requests  1011  1011  1011  1011  1011  1011  1011  1011
enum TraceTableReport: TraceReport {
  static let information = CatalogEntry(
    name: "table", summary: "labels and values for a terminal, and a table of quantiles")

  static func render(_ analyses: [TraceProfile], style: ReportStyle) -> String {
    analyses.map { analysis in
      let facts = analysis.facts
      let width = facts.map(\.label.displayWidth).max() ?? 0
      let room = style.proseWidth.map { $0 - width - 4 }
      let lines = facts.map { fact in
        let padding = String(repeating: " ", count: width - fact.label.displayWidth)
        let text = fact.text.printable.filled(width: room)
          .replacing("\n", with: "\n" + String(repeating: " ", count: width + 4))
        return "  \(fact.label)\(padding)  \(text)\n"
      }
      let reading = "\(analysis.name.printable): \(analysis.reading.text)"
      var text = reading.filled(width: style.proseWidth) + "\n\n" + lines.joined()
      if !analysis.distributions.isEmpty { text += "\n" + analysis.quantiles.text(style: style) }
      return text
    }.joined(separator: "\n")
  }
}

extension TraceProfile {
  /// The facts of all metrics for readers.
  var facts: [TraceFact] {
    [TraceFact("format", formatReason.map { "\(format), \($0)" } ?? format)]
      + (loss.isNone ? [] : [TraceFact("incomplete", "\(loss)")])
      + (loss.otherLines == 0
        ? []
        : [
          TraceFact(
            "other lines", "\(loss.otherLines), of no method, status or command that counts")
        ])
      + figures.flatMap(\.facts)
  }

  /// The distributions of all figures.
  var distributions: [TraceDistribution] { figures.flatMap(\.distributions) }

  /// The distributions as a table.
  var quantiles: TextTable {
    let titles = ["mean"] + DistributionSummary.names + ["max"]
    var table = TextTable(
      [TextTable.Column("distribution")] + titles.map { TextTable.Column($0, .right) })
    for distribution in distributions {
      table.append(
        [TextTable.Cell(distribution.label)] + distribution.texts.map { TextTable.Cell($0) })
    }
    return table
  }
}

extension TraceDistribution {
  /// Mean, quantiles and the largest value in the label's unit.
  fileprivate var texts: [String] {
    func text(_ value: Int) -> String {
      unit == 1 ? "\(value)" : (Double(value) / unit).digits(4)
    }
    return [summary.mean.map { ($0 / unit).digits(4) } ?? "–"] + summary.quantiles.map(text)
      + [summary.largest.map(text) ?? "–"]
  }
}
