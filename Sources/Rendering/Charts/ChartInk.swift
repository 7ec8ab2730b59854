/// The ink that tells a series from the others of a chart: a colour, dashes where colours run out, and a
/// marker.
///
/// The style sheet has the colours: classes `ink-1` to `ink-8`, `dashed`, `reference`, `bound`, `faint`.
package enum ChartInk: Sendable, Hashable {
  /// One of those that are compared, by its number from 0.
  case member(Int)
  /// The reference of the others.
  case reference
  /// The bound that no other can pass.
  case bound
  /// One of too many to be told apart.
  case faint

  /// The number of colours: those that people with any common colour blindness tell apart.
  static let colors = 8

  /// The classes of its elements.
  package var classes: String {
    switch self {
    case .member(let number):
      "ink-\(number % ChartInk.colors + 1)"
        + ((number / ChartInk.colors).isMultiple(of: 2) ? "" : " dashed")
    case .reference: "reference"
    case .bound: "bound"
    case .faint: "faint"
    }
  }

  /// The mark of a point at a place, as an element of a drawing that a title may stand in.
  func marker(x: Double, y: Double, title: String) -> String {
    let body = "<title>\(title.markupEscaped)</title>"
    let shape: Int =
      if case .member(let number) = self { number + number / ChartInk.colors } else { 0 }
    func at(_ x: Double, _ y: Double) -> String { Chart.number(x) + " " + Chart.number(y) }
    let path: String
    switch shape % 6 {
    case 0:
      return "<circle class=\"dot\" cx=\"\(Chart.number(x))\" cy=\"\(Chart.number(y))\" r=\"2.6\">"
        + body + "</circle>"
    case 1: path = "M\(at(x - 2.4, y - 2.4))h4.8v4.8h-4.8z"
    case 2: path = "M\(at(x, y - 3.2))l3 5.2h-6z"
    case 3: path = "M\(at(x, y - 3.4))l3.4 3.4l-3.4 3.4l-3.4 -3.4z"
    case 4: path = "M\(at(x, y + 3.2))l3 -5.2h-6z"
    default: path = "M\(at(x - 1, y - 3))h2v2h2v2h-2v2h-2v-2h-2v-2h2z"
    }
    return "<path class=\"dot\" d=\"\(path)\">\(body)</path>"
  }
}
