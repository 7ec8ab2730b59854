import Foundation
import Parameters

extension Chart {
  /// The chart as an element of a page whose style sheet has the classes of ``ChartInk`` and `grid`,
  /// `series`, `stroke`, `dashes`, `dot`, `band`, `label`, `leader`.
  ///
  /// Each series carries its values (`data-name`, `data-points`).
  package var svg: String {
    let plot = ChartPlot(self)
    let parts = layers(in: plot).map { layer in
      let marks = layer.marks.map { $0.element(layer.ink, Chart.classes) }
      guard let series = layer.series else { return marks.joined(separator: "\n") }
      let name = series.name.markupEscaped
      return "<g class=\"series \(layer.ink.classes)\" data-name=\"\(name)\" "
        + "data-points=\"\(series.data)\"><title>\(name)</title>" + marks.joined() + "</g>"
    }
    let label = "\(title): \(y.label) by \(x.label)".markupEscaped
    return "<svg viewBox=\"0 0 \(Int(ChartPlot.width)) \(Int(plot.height))\" role=\"img\" "
      + "aria-label=\"\(label)\">\n" + parts.joined(separator: "\n") + "\n</svg>"
  }

  static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func classes(of role: ChartMark.Role) -> String {
    switch role {
    case .text: ""
    case .dashes: "class=\"stroke dashes\""
    default: "class=\"\(role.rawValue)\""
    }
  }
}

extension Chart.Series {
  /// The values as JSON: `[[1000, 61.05], …]`.
  fileprivate var data: String {
    func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }
    let pairs = points.map { "[\(number($0.x)), \(number($0.y))]" }
    return "[" + pairs.joined(separator: ", ") + "]"
  }
}
