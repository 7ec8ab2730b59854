import Parameters
import Rendering
import Results

/// Miss ratio by capacity, one chart for each trace, with exact LRU at all sizes and the optimum beside.
enum CurvesSection: ResultsSection {
  /// Fewer capacities than this are not joined: straight lines between them would be read as curves.
  static let fewestJoined = 4

  static func section(of view: ResultsView) -> PageSection? {
    let curves = view.results.curves
    let charts =
      places(in: view).map { chart(of: $0, in: view) }
      + curves.grouped { "\($0.unit.rawValue) \($0.trace)" }.map { chart(of: $0, in: view) }
      + curves.grouped { "\($0.unit.rawValue) \($0.trace)" }.compactMap { cost(of: $0, in: view) }
    if charts.isEmpty { return nil }
    return PageSection(
      id: "curves", heading: "Miss ratio by capacity", texts: texts(of: view), charts: charts,
      figureLimit: ResultsSections.figureLimit)
  }

  /// The comparisons on each trace, where there is more than a point to draw.
  private static func places(in view: ResultsView) -> [[Standing]] {
    view.comparisons.byTrace.filter { standings in
      standings.count > 1
        || LRUEquivalent(standings[0], in: view.results) != nil
    }
  }

  private static func texts(of view: ResultsView) -> [String] {
    let places = places(in: view)
    let isCrowded = places.joined().flatMap(\.scores).contains { view.inks[$0.policy] == .faint }
    let isDotted = places.contains { $0.count < fewestJoined }
    return [
      (isCrowded
        ? "The best three and what they are measured against have colours; the others are grey "
          + "until they are pointed at." : ""),
      places.isEmpty || view.results.references.isEmpty
        ? ""
        : "The dashed curve is lru at every size, exact"
          + (isDotted ? "; dots are measured." : "."),
      view.results.curves.lazy.compactMap { $0.points.first?.spreads.first }.first.map {
        "Bands reach from a standard deviation below to one above the mean of \($0.runs) other \($0.kind.rawValue)s."
      } ?? "",
    ].filter { !$0.isEmpty }
  }

  private static func chart(of comparisons: [Standing], in view: ResultsView) -> Chart {
    let first = comparisons[0]
    let policies = comparisons.flatMap(\.scores).map(\.policy).unique
    let isDotted = comparisons.count < fewestJoined
    let members = policies.map { policy in
      let points = comparisons.compactMap { comparison in
        comparison.scores.first { $0.policy == policy }.map {
          (Double(comparison.capacity), (1 - $0.hitRatio) * 100)
        }
      }
      return Chart.Series(
        policy, isDotted ? .dots : .line, ink: view.inks[policy],
        points: points.sorted { $0.0 < $1.0 })
    }
    let optimum = comparisons.compactMap { comparison in
      comparison.optimum.map { (Double(comparison.capacity), (1 - $0) * 100) }
    }
    // Its own policy, where it was run, names the line.
    let references = view.results.references.filter(first.has).map { curve in
      let isNamed = policies.contains(curve.policyLabel) && view.inks[curve.policyLabel] != .faint
      return Chart.Series(
        "\(curve.policyLabel), all sizes", .dashes,
        ink: isNamed ? view.inks[curve.policyLabel] : .reference, points: curve.percentages,
        isLabelled: !isNamed)
    }
    let bound =
      optimum.isEmpty
      ? []
      : [
        Chart.Series(
          "optimum", isDotted ? .dots : .dashes, ink: .bound,
          points: optimum.sorted { $0.0 < $1.0 })
      ]
    return chart(
      first.trace, first.unit, members + references + bound,
      ratio: first.ratioName.replacing("hit", with: "miss"))
  }

  private static func chart(of curves: [MissRatioCurve], in view: ResultsView) -> Chart {
    chart(
      curves[0].trace, curves[0].unit,
      curves.map { curve in
        let band = curve.points.compactMap { point in
          (point.interval ?? point.spreads.first?.range).map {
            (Double(point.capacity), $0.lowerBound * 100, $0.upperBound * 100)
          }
        }
        return Chart.Series(
          curve.policyLabel, .line, ink: view.inks[curve.policyLabel], points: curve.percentages,
          band: band)
      })
  }

  private static func chart(
    _ trace: String, _ unit: Measurement.Unit, _ series: [Chart.Series],
    ratio: String = "miss ratio"
  ) -> Chart {
    Chart(
      title: trace, x: .capacity(in: unit), y: .linear("\(ratio) %"), series: series)
  }

  /// Returns the cost of memory and misses together at each capacity under each policy, with the least.
  private static func cost(of curves: [MissRatioCurve], in view: ResultsView) -> Chart? {
    let priced = curves.compactMap { curve in curve.cheapest.map { (curve: curve, cheapest: $0) } }
    guard let best = priced.min(by: { $0.cheapest.total < $1.cheapest.total }) else { return nil }
    let isMonthly = priced.map(\.cheapest).areMonthly
    let factor = isMonthly ? best.cheapest.traceTimesPerMonth ?? 1 : 1
    let lines = priced.map { curve, cheapest in
      Chart.Series(
        curve.policyLabel, .line, ink: view.inks[curve.policyLabel],
        points: curve.points.map {
          (Double($0.capacity), cheapest.cost(at: $0, requests: curve.requests) * factor)
        })
    }
    func dot(_ name: String, _ ink: ChartInk, _ capacity: Int, _ cost: Double) -> Chart.Series {
      Chart.Series(
        "\(name), \(Headline.amount(capacity, best.curve.unit))", .dots, ink: ink,
        points: [(Double(capacity), cost * factor)])
    }
    let least = dot("cheapest", .bound, best.cheapest.capacity, best.cheapest.total)
    let (first, prices) = priced[0]
    let present = prices.present > 0 ? first.point(at: prices.present) : nil
    let here = present.map {
      dot("what you have", .reference, $0.capacity, prices.cost(at: $0, requests: first.requests))
    }
    let noCache = Double(best.curve.requests) * best.cheapest.costPerMiss * factor
    let ends = [best.curve.points.first, best.curve.points.last].compactMap(\.self)
    let without = Chart.Series(
      "no cache", .dashes, ink: .reference, points: ends.map { (Double($0.capacity), noCache) })
    let series = lines + [without, least] + (here.map { [$0] } ?? [])
    // Near the least costs policies differ by little, and far from it costs are many times as high.
    let label = isMonthly ? "cost a month" : "cost"
    let arePositive = series.flatMap(\.points).allSatisfy { $0.y > 0 }
    return Chart(
      title: "\(best.curve.trace): cost of memory and misses", x: .capacity(in: best.curve.unit),
      y: arePositive ? .logarithmic(label) : .linear(label), series: series)
  }
}

extension Chart.Axis {
  /// Capacities in their unit.
  static func capacity(in unit: Measurement.Unit) -> Chart.Axis {
    unit == .bytes ? .bytes("capacity") : .logarithmic("capacity, \(unit.rawValue)")
  }
}

extension MissRatioCurve {
  /// Capacities, and the miss ratios there in per cent.
  fileprivate var percentages: [(Double, Double)] {
    points.map { (Double($0.capacity), $0.missRatio * 100) }
  }
}
