/// A part of a chart's drawing: what every form of a picture can show.
enum ChartMark {
  /// A place in a drawing.
  typealias Place = (x: Double, y: Double)

  /// The role of a mark, which has a look of its own.
  enum Role: String {
    case grid, stroke, dashes, band, leader, dot, text, label, caption
  }

  /// The part of a text that is at its place.
  enum Anchor: String {
    case start, middle, end
  }

  /// Joined places, several times; closed ones are areas.
  case path([[Place]], Role, isClosed: Bool = false)
  /// A text on a line; one that is turned is read from below.
  case text(String, at: Place, Anchor, Role, isTurned: Bool = false)
  /// A point with what it says.
  case point(Place, title: String)
}

extension ChartMark {
  /// The distance from the middle of a text's letters down to its line.
  static let halfLetter = 4.0

  /// The path of an SVG element: `M1.0 2.0L3.0 4.0`.
  static func data(_ lines: [[Place]], isClosed: Bool) -> String {
    lines.filter { !$0.isEmpty }.map { places in
      places.enumerated().map { index, place in
        "\(index == 0 ? "M" : "L")\(Chart.number(place.x)) \(Chart.number(place.y))"
      }.joined() + (isClosed ? "Z" : "")
    }.joined()
  }

  /// The mark as an element of SVG.
  ///
  /// - Parameter attributes: The look of a role: a class, or colours.
  func element(_ ink: ChartInk, _ attributes: (Role) -> String) -> String {
    switch self {
    case .path(let lines, let role, let isClosed):
      let data = ChartMark.data(lines, isClosed: isClosed)
      return data.isEmpty ? "" : "<path \(attributes(role)) d=\"\(data)\"/>"
    case .text(let text, let place, let anchor, let role, let isTurned):
      let (x, y) = (Chart.number(place.x), Chart.number(place.y))
      var all =
        isTurned ? "transform=\"translate(\(x) \(y)) rotate(-90)\"" : "x=\"\(x)\" y=\"\(y)\""
      if !attributes(role).isEmpty { all += " " + attributes(role) }
      if anchor != .start { all += " text-anchor=\"\(anchor.rawValue)\"" }
      return "<text \(all)>\(text.markupEscaped)</text>"
    case .point(let place, let title):
      let body = "<title>\(title.markupEscaped)</title>"
      guard let corners = ink.corners(around: place) else {
        return "<circle \(attributes(.dot)) cx=\"\(Chart.number(place.x))\" "
          + "cy=\"\(Chart.number(place.y))\" r=\"\(ChartInk.radius)\">\(body)</circle>"
      }
      return "<path \(attributes(.dot)) d=\"\(ChartMark.data([corners], isClosed: true))\">"
        + "\(body)</path>"
    }
  }
}
