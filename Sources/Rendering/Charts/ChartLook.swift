/// The look of a mark where no style sheet gives it one: its colours, widths and dashes.
struct ChartLook {
  /// The colour of an area, or of a text.
  var fill: String?
  /// The colour of a line.
  var stroke: String?
  var width = 1.0
  /// The lengths of dashes and gaps; empty for a whole line.
  var dashes: [Double] = []
  var opacity = 1.0
  var isBold = false

  /// The size of all texts.
  static let fontSize = 12.0

  init(_ role: ChartMark.Role, _ ink: ChartInk, _ palette: Palette) {
    switch role {
    case .grid: stroke = palette["line"]
    case .text: fill = palette["soft"]
    case .label: fill = palette[ink]
    case .dot: fill = palette[ink]
    case .caption:
      fill = palette["text"]
      isBold = true
    case .band:
      fill = palette[ink]
      opacity = 0.18
    case .leader:
      // Not to be taken for data.
      stroke = palette[ink]
      width = 0.8
      dashes = [1, 2]
    case .stroke, .dashes:
      stroke = palette[ink]
      width = ink == .faint ? 1 : 1.8
      if role == .dashes {
        dashes = ink == .bound ? [2, 3] : [7, 4]
      } else if ink.isDashed {
        dashes = [9, 2, 2, 2]
      }
    }
  }

  /// The look as attributes of an element of SVG.
  var attributes: String {
    var all = ["fill=\"\(fill ?? "none")\""]
    if let stroke {
      all.append("stroke=\"\(stroke)\" stroke-width=\"\(width)\"")
      if !dashes.isEmpty {
        let lengths = dashes.map { "\(Int($0))" }.joined(separator: " ")
        all.append("stroke-dasharray=\"\(lengths)\"")
      }
    }
    if opacity < 1 { all.append("fill-opacity=\"\(opacity)\"") }
    if isBold { all.append("font-weight=\"bold\"") }
    return all.joined(separator: " ")
  }
}
