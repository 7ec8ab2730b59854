import Traces

/// One page for a browser: figures and charts, light or dark as the reader's system, without scripts and
/// without anything to load.
enum TracePageReport: TraceReport {
  static let information = CatalogEntry(
    name: "html", summary: "a page for a browser, with charts; needs no network")

  static func render(_ analyses: [TraceAnalysis], style: ReportStyle) -> String {
    let title = analyses.map(\.name).joined(separator: ", ").escaped
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      \(sheet)
      </style>
      </head>
      <body>
      \(analyses.map(section).joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private static func section(_ analysis: TraceAnalysis) -> String {
    let facts = analysis.facts.map {
      "<tr><th scope=\"row\">\($0.label.escaped)</th><td>\($0.text.escaped)</td></tr>"
    }
    let charts = analysis.figures.flatMap(\.charts).map { chart in
      "<figure>\n<figcaption>\(chart.title.escaped)</figcaption>\n\(chart.svg)\n</figure>"
    }
    return """
      <section>
      <h1>\(analysis.name.escaped)</h1>
      <p class="reading">\(analysis.reading.text.escaped)</p>
      <table class="facts">
      \(facts.joined(separator: "\n"))
      </table>
      \(analysis.distributions.isEmpty ? "" : table(analysis.quantiles))
      <div class="charts">
      \(charts.joined(separator: "\n"))
      </div>
      </section>
      """
  }

  private static func table(_ table: TextTable) -> String {
    let titles = table.columns.map { "<th scope=\"col\">\($0.title.escaped)</th>" }.joined()
    let rows = table.groups.joined().map { row in
      let cells = row.dropFirst().map { "<td>\($0.text.escaped)</td>" }.joined()
      return "<tr><th scope=\"row\">\((row.first?.text ?? "").escaped)</th>\(cells)</tr>"
    }
    return """
      <div class="wide"><table class="numbers">
      <tr>\(titles)</tr>
      \(rows.joined(separator: "\n"))
      </table></div>
      """
  }

  private static let sheet = """
    :root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --soft: #5f6670; --line: #d9dde3;
      --first: #1f6fd6; --second: #c8500a; }
    @media (prefers-color-scheme: dark) { :root { --back: #15181c; --text: #e6e8eb; --soft: #9aa3ad;
      --line: #333a42; --first: #6aa9ff; --second: #ff9d5c; } }
    body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: var(--back);
      color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
    h1 { font-size: 1.4rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
    section + section { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 2rem; }
    .reading { font-size: 1.1rem; margin: 0 0 1rem; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; margin-bottom: 1.2rem; font-variant-numeric: tabular-nums; }
    th, td { padding: .15rem 1.2rem .15rem 0; text-align: left; vertical-align: top; font-weight: 400; }
    .facts th, .numbers th { color: var(--soft); white-space: pre; }
    .numbers td, .numbers th + th { text-align: right; }
    .numbers tr { border-bottom: 1px solid var(--line); }
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1.5rem; }
    figure { margin: 0; }
    figcaption { font-weight: 600; margin-bottom: .3rem; }
    svg { width: 100%; height: auto; display: block; }
    svg text { fill: var(--soft); font-size: 12px; }
    .grid { stroke: var(--line); stroke-width: 1; }
    .series-1 { --ink: var(--first); } .series-2 { --ink: var(--second); }
    .stroke { fill: none; stroke: var(--ink); stroke-width: 1.8; stroke-linejoin: round; }
    .dashes { stroke-dasharray: 6 4; }
    .dot { fill: var(--ink); }
    """
}

extension String {
  /// The text where HTML and SVG expect text or an attribute's value.
  var escaped: String {
    var text = ""
    for character in self {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.append(character)
      }
    }
    return text
  }
}
