/// A gate or a comparison failed, or a merged sweep lacks cells.
struct Failed: Error, CustomStringConvertible {
  /// The failure.
  let description: String
}

/// Cells of an experiment failed, while the others went on.
struct FailedCells: Error {
  /// The last line that tells of them.
  let description: String
  /// The failure that the exit code tells.
  let cause: any Error
}

/// The user stopped the tool.
struct Stopped: Error, CustomStringConvertible {
  /// The number of cells that were kept.
  let description: String

  /// Stopped, with what was kept.
  init(description: String) { self.description = description }

  /// Stopped with some of all cells written, perhaps without their instructions, or without those that a pass over
  /// a trace would have ended together.
  init(of cells: Int, written: Int, lacksSpeed: Bool = false, ofPasses: Bool = false) {
    description =
      "stopped; \(written) of \(cells) cells are written"
      + (lacksSpeed ? ", without their instructions" : "")
      + (ofPasses && written < cells ? ": those of a pass end together" : "")
  }
}
