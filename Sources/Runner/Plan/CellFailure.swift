import Results

/// A policy that ended the child in which it ran, or whose own memory leaves no room for objects.
package struct CellFailure: Error, CustomStringConvertible {
  private let cell: CellKey
  let end: String

  init(_ cell: CellKey, _ end: String) {
    self.cell = cell
    self.end = end
  }

  /// The cell, and what happened, in one line.
  package var description: String { "\(cell.label) on \(cell.trace): \(end)" }
}
