import Parameters
import Rendering
import Results

/// One line per policy under a header: its mean and its percentiles over the traces, and its value on each;
/// reductions of FIFO's misses where FIFO ran, else hit ratios. Policies that did not run everywhere are
/// left out.
///
///     policy,mean,p10,p25,p50,p75,p90,OLTP.lis.zst,P3.lis.zst
///     arc,0.124,…
enum RankingReport: ReportFormat {
  static let information = CatalogEntry(
    name: "csv-ranking", summary: "one line per policy: percentiles over the traces, and each trace"
  )

  static func render(_ results: ResultSet, style: ReportStyle) -> String {
    let ranking = ResultsView(results, style: style).ranking
    let header =
      ["policy", "mean"] + Ranking.percents.map { "p\($0)" } + ranking.columns.map(\.title)
    let rows = ranking.places.filter(\.isComplete).map { place in
      let numbers =
        [place.mean] + Ranking.percents.compactMap { place.percentile($0) }
        + place.values.compactMap(\.self)
      return [place.title] + numbers.map { "\($0)" }
    }
    return ([header] + rows).map { $0.map(\.csvField).joined(separator: ",") + "\n" }.joined()
  }
}
