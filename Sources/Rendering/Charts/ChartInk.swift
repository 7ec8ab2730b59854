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
      "ink-\(number % ChartInk.colors + 1)" + (isDashed ? " dashed" : "")
    case .reference: "reference"
    case .bound: "bound"
    case .faint: "faint"
    }
  }

  /// True for an ink that shares its colour with an earlier one.
  var isDashed: Bool {
    if case .member(let number) = self {
      !(number / ChartInk.colors).isMultiple(of: 2)
    } else {
      false
    }
  }

  /// The radius of a round point.
  static let radius = 2.6

  /// The corners of a point's mark; nil for a round one.
  func corners(around place: ChartMark.Place) -> [ChartMark.Place]? {
    let shape: Int =
      if case .member(let number) = self { number + number / ChartInk.colors } else { 0 }
    let corners: [ChartMark.Place]
    switch shape % 6 {
    case 0: return nil
    case 1: corners = [(-2.4, -2.4), (2.4, -2.4), (2.4, 2.4), (-2.4, 2.4)]
    case 2: corners = [(0, -3.2), (3, 2), (-3, 2)]
    case 3: corners = [(0, -3.4), (3.4, 0), (0, 3.4), (-3.4, 0)]
    case 4: corners = [(0, 3.2), (3, -2), (-3, -2)]
    default:
      corners = [
        (-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1),
        (-3, -1), (-1, -1),
      ]
    }
    return corners.map { (place.x + $0.x, place.y + $0.y) }
  }
}

extension Palette {
  /// The ink's colour.
  subscript(ink: ChartInk) -> String {
    switch ink {
    case .member(let number): self["ink-\(number % ChartInk.colors + 1)"]
    case .reference, .bound: self["soft"]
    case .faint: self["faint"]
    }
  }
}
