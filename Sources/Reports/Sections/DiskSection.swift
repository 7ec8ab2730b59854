import Parameters
import Rendering
import Results

/// Times of operations on disk by size of value, in the database and in files of their own.
enum DiskSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let runs = view.results.measurements.filter { $0.disk?.sizes.isEmpty == false }
    let charts = runs.grouped { [$0.place, $0.diskSetup] }.flatMap { runs in
      operations.compactMap { chart(of: $0, in: runs) }
    }
    if charts.isEmpty { return nil }
    return PageSection(
      id: "disk", heading: "Times on disk by size",
      texts: ["Medians over the rounds. Where the lines cross, files become faster."],
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

  private static func chart(of operation: Operation, in runs: [Measurement]) -> Chart? {
    let times = runs.compactMap(\.disk).flatMap(\.sizes)
    let series = [("database", true), ("files", false)].map { name, isInline in
      let points = times.filter { $0.isInline == isInline && $0.from > 0 }.grouped(by: \.from)
        .compactMap { alike in
          alike.compactMap(operation.time).median.map { (Double(alike[0].from), $0 / 1e3) }
        }
      return Chart.Series(name, .line, points: points.sorted { $0.0 < $1.0 })
    }
    if series.contains(where: \.points.isEmpty) { return nil }
    return Chart(
      title: "\(operation.title): \(runs[0].trace), \(runs[0].diskSetup)",
      x: .bytes("size of the value"), y: .logarithmic("µs"), series: series)
  }
}

extension Measurement {
  /// The setup of an experiment on disk without its threshold: `pages of 4096 bytes, process-crash`.
  fileprivate var diskSetup: String {
    disk.map { "pages of \($0.setup.pageSize) bytes, \($0.setup.durability)" } ?? ""
  }
}
