import Parameters
import Rendering
import Results

/// Times of operations on disk by size of value, in the database and in files of their own.
enum DiskSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let runs = view.results.measurements.filter { $0.disk?.sizes.isEmpty == false }
    let areAlike = Set(runs.map { "\($0.place) \($0.disk?.setup.durability ?? "")" }).count == 1
    let charts = runs.grouped { [$0.place, $0.diskSetup] }.flatMap { runs in
      let pages = runs[0].diskSetup
      let setup = areAlike ? pages : "\(runs[0].place), \(pages)"
      return operations.compactMap { chart(of: $0, in: runs, setup: setup) }
    }
    if charts.isEmpty { return nil }
    return PageSection(
      id: "disk", heading: "Times on disk by size",
      texts: [
        "Medians over the rounds, and their ranges. Files are faster where their line is lower."
      ],
      charts: charts, figureLimit: ResultsSections.figureLimit)
  }

  private struct Operation: Sendable {
    let title: String
    let time: @Sendable (SizeTimes) -> Double?
  }

  private static let operations = [
    Operation(title: "Read") { $0.read }, Operation(title: "Cold read") { $0.coldRead },
    Operation(title: "Write") { $0.write }, Operation(title: "Replace") { $0.replace },
  ]

  private static func chart(
    of operation: Operation, in runs: [Measurement], setup: String
  ) -> Chart? {
    let times = runs.compactMap(\.disk).flatMap(\.sizes)
    let series = [("database", true), ("files", false)].map { name, isInline in
      let sizes = times.filter { $0.isInline == isInline && $0.from > 0 }.grouped(by: \.from)
        .map { alike in (size: Double(alike[0].from), times: alike.compactMap(operation.time)) }
        .sorted { $0.size < $1.size }
      return Chart.Series(
        name, .line,
        points: sizes.compactMap { size, times in times.median.map { (size, $0) } },
        band: sizes.compactMap { size, times in
          guard times.count > 1, let least = times.min(), let most = times.max() else { return nil }
          return (size, least, most)
        })
    }
    if series.contains(where: \.points.isEmpty) { return nil }
    return Chart(
      title: "\(operation.title), \(setup)", x: .bytes("size of the value"),
      y: .nanoseconds("time"), series: series)
  }
}

extension Measurement {
  /// The setup of an experiment on disk without its threshold: `pages of 4096 bytes, process-crash`.
  fileprivate var diskSetup: String {
    disk.map { "pages of \($0.setup.pageSize) bytes, \($0.setup.durability)" } ?? ""
  }
}
