import Parameters
import Rendering
import Results

/// The cost of threads to each other: throughput and waiting by threads, for each lock; none for one thread.
/// Two numbers of threads are no curve, and stand in a table.
enum ContentionSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let runs = view.results.measurements.filter { $0.replay?.contention != nil }
    let drivers = runs.compactMap(\.replay?.setup.driver).unique
    func name(_ run: Measurement) -> String {
      ([view.name(of: run)] + (drivers.count > 1 ? [run.replay?.setup.driver ?? ""] : []))
        .joined(separator: ", ")
    }
    let inks = drivers.count > 1 ? SeriesInks(runs.map(name).unique) : nil
    let places = runs.grouped { "\($0.unit.rawValue) \($0.capacity) \($0.trace)" }.filter {
      Set($0.compactMap(\.replay?.threads)).count > 1
    }
    func isCurve(_ runs: [Measurement]) -> Bool {
      Set(runs.compactMap(\.replay?.threads)).count > 2
    }
    let charts = places.filter(isCurve).flatMap { runs in
      figures.filter { figure in runs.contains { figure.value($0) > 0 } }.map { figure in
        Chart(
          title: "\(figure.title): \(runs[0].place)", x: .whole("threads"),
          y: .linear(figure.axis),
          series: runs.grouped(by: name).map { runs in
            Chart.Series(
              name(runs[0]), .line,
              ink: inks.map { $0[name(runs[0])] } ?? view.inks[runs[0].contender],
              points: runs.compactMap { run in
                run.replay.map { (Double($0.threads), figure.value(run)) }
              }.sorted { $0.0 < $1.0 })
          })
      }
    }
    let pairs = places.filter { !isCurve($0) }
    if charts.isEmpty && pairs.isEmpty { return nil }
    return PageSection(
      id: "contention", heading: "Contention by threads and lock",
      tables: pairs.isEmpty ? [] : [table(of: pairs, name)], charts: charts,
      figureLimit: ResultsSections.figureLimit)
  }

  /// The runs of each place at two numbers of threads, side by side.
  private static func table(
    of places: [[Measurement]], _ name: (Measurement) -> String
  ) -> PageTable {
    let threads = Set(places.joined().compactMap(\.replay?.threads)).sorted()
    func column(_ count: Int, _ unit: String) -> TextTable.Column {
      .init("\(count) \(count == 1 ? "thread" : "threads"), \(unit)", .right)
    }
    var table = TextTable(
      [.init("policy"), .init("trace and size")] + threads.map { column($0, "M requests/s") }
        + [.init("times", .right)] + threads.dropFirst().map { column($0, "contended %") })
    for runs in places {
      table.beginGroup()
      for alike in runs.grouped(by: name) {
        func run(_ count: Int) -> Measurement? { alike.first { $0.replay?.threads == count } }
        let known = threads.compactMap(run)
        guard let fewest = known.first, let most = known.last, known.count > 1 else { continue }
        table.append(
          [.init(name(alike[0])), .init(alike[0].place)]
            + threads.map { .init(run($0)?.throughputText ?? "–") }
            + [.init((most.requestsPerSecond / fewest.requestsPerSecond).digits(2))]
            + threads.dropFirst().map { count in
              .init((run(count)?.replay?.contendedRatio).map { ($0 * 100).digits(2) } ?? "–")
            })
      }
    }
    return PageTable(table, caption: "Throughput", isSortable: true)
  }

  private struct Figure: Sendable {
    let title: String
    let axis: String
    let value: @Sendable (Measurement) -> Double
  }

  private static let figures = [
    Figure(title: "Throughput", axis: "M requests/s") { $0.requestsPerSecond / 1e6 },
    Figure(title: "Waiting", axis: "contended acquisitions %") {
      ($0.replay?.contendedRatio ?? 0) * 100
    },
  ]
}
