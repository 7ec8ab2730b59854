import Parameters
import Rendering
import Results

/// Response time against offered load: a cell at several rates, beside a cache that does nothing.
enum LoadSection: ResultsSection {
  static func section(of view: ResultsView) -> PageSection? {
    let runs = view.results.measurements.filter {
      $0.replay?.response != nil && ($0.replay?.pace?.offered ?? 0) > 0
    }
    if runs.isEmpty { return nil }
    let charts = runs.grouped {
      "\($0.unit.rawValue) \($0.capacity) \($0.setupWithoutPace) \($0.trace)"
    }.filter { Set($0.compactMap(\.replay?.pace?.label)).count > 1 }.map { chart(of: $0, in: view) }
    return PageSection(
      id: "load", heading: "Response time by load",
      texts: [
        "Response times count from the intended start. The dashed line is a cache that does nothing, "
          + "at the same schedules: what is near it is the machine's and the generator's."
      ],
      tables: charts.isEmpty ? [table(of: runs, in: view)] : [],
      charts: charts, figureLimit: ResultsSections.figureLimit)
  }

  /// The response times where one load is no curve.
  private static func table(of runs: [Measurement], in view: ResultsView) -> PageTable {
    var table = TextTable(
      [
        .init("policy"), .init("place"), .init("overload"), .init("offered M/s", .right),
        .init("served M/s", .right), .init("response p99 ns", .right),
        .init("no cache p99 ns", .right),
      ])
    for run in runs {
      guard let replay = run.replay, let pace = replay.pace else { continue }
      let idle = replay.median("idle.p99") ?? replay.idle?.p99
      table.append([
        .init(view.name(of: run)), .init("\(run.place), \(replay.setup.label)"),
        .init(pace.isOverload ? "yes" : "no"),
        .init((pace.offered / 1e6).digits(3), exact: "\(pace.offered)"),
        .init((pace.achieved / 1e6).digits(3), exact: "\(pace.achieved)"),
        .init(run.responseP99.map { "\($0)" } ?? "–"),
        .init(idle.map { "\($0)" } ?? "–"),
      ])
    }
    return PageTable(
      table.withTimesInTheirUnits, caption: "Response times", isSortable: true)
  }

  private static func chart(of runs: [Measurement], in view: ResultsView) -> Chart {
    let isRelative = runs.allSatisfy(\.isAtRelativeLoad)
    func points(_ runs: [Measurement], _ value: (Replay) -> Int?) -> [(Double, Double)] {
      runs.compactMap { run in
        guard let replay = run.replay, let time = value(replay),
          let load = isRelative ? run.load : replay.pace?.offered
        else { return nil }
        return (isRelative ? load : load / 1e6, Double(max(time, 1)))
      }.sorted { $0.0 < $1.0 }
    }
    let lines = runs.grouped(by: view.name).map { runs in
      view.line(
        of: runs[0], points(runs) { $0.median("response.p99") ?? $0.response?.whole.p99 })
    }
    // One for all: at each load the quickest, which the machine disturbed least.
    let idle = points(runs) { $0.median("idle.p99") ?? $0.idle?.p99 }.grouped { $0.0 }.map {
      points in
      (points[0].0, points.map(\.1).min() ?? 0)
    }
    return Chart(
      title: "\(runs[0].place), \(runs[0].setupWithoutPace)",
      x: .linear(isRelative ? "offered, % of the bare throughput" : "offered, M requests/s"),
      y: .nanoseconds("response p99"),
      series: lines
        + (idle.isEmpty ? [] : [Chart.Series("no cache", .dashes, ink: .bound, points: idle)]))
  }
}

extension Measurement {
  /// The setup of the cache without its pace.
  fileprivate var setupWithoutPace: String { replay?.setup.labelWithoutPace ?? "" }

  /// The offered load: in per cent of the bare throughput where the pace is, else in requests a second; nil
  /// for a closed loop.
  var load: Double? { relativeLoad ?? replay?.pace?.offered }

  fileprivate var isAtRelativeLoad: Bool { relativeLoad != nil }

  /// The offered load in per cent of the bare throughput; nil for another pace.
  private var relativeLoad: Double? {
    guard let label = replay?.pace?.label, label.hasSuffix("%") else { return nil }
    return Double(label.dropLast())
  }
}
