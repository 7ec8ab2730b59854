import Results

/// The reason why documents are no parts of one sweep.
package enum PartitionError: Error, Equatable {
  /// The document does not say what it is a part of.
  case noPlan(file: String)
  /// A run that the document's own sweep does not have.
  case foreign(file: String, cell: String)
  /// A run that the command does not ask for, and that would be lost.
  case notAsked(file: String, cell: String)
  /// Measured by another build than `other`, which is a file, or nil for this program.
  case version(file: String, other: String?, versions: [String])
  /// A part of another sweep than `other`, which is a file, or nil for this command.
  case plan(file: String, other: String?, difference: String)
  /// A trace of one name and two contents.
  case trace(file: String, other: String, trace: String)
  /// A deterministic run that counted differently.
  case disagreement(file: String, other: String, cell: String, counts: [String])
}

extension PartitionError: CustomStringConvertible {
  /// One line: what is wrong, where, and what to do.
  package var description: String {
    switch self {
    case .noPlan(let file):
      "\(file): is no document of a sweep that says what it is a part of; "
        + "write it with evict sweep --format json"
    case .foreign(let file, let cell):
      "\(file): its sweep has no cell \(cell); write the document again"
    case .notAsked(let file, let cell):
      "\(file): holds \(cell), which this command does not run and would lose; write to another file"
    case .version(let file, let other, let versions):
      "\(file) was measured with \(versions[0]), \(other ?? "this") with \(versions[1]), "
        + "which may count differently; "
        + (other == nil ? "write to another file" : "measure both with one")
    case .plan(let file, let other, let difference):
      "\(file) and \(other ?? "this command") are of two sweeps: they differ in \(difference); "
        + (other == nil ? "write to another file" : "merge parts of one")
    case .trace(let file, let other, let trace):
      "\(file) and \(other) were measured on two traces that are called \(trace); "
        + "measure one of them again"
    case .disagreement(let file, let other, let cell, let counts):
      "\(file) and \(other) disagree on \(cell): \(counts[0]) and \(counts[1]); "
        + "measure it again"
    }
  }
}

extension Environment {
  /// The build that measured, in words.
  fileprivate var build: String { version + (commit.map { " (commit \($0))" } ?? "") }

  /// Refuses what another build measured than a file's, or this one's.
  func checkBuild(
    of file: String, against other: Environment, of otherFile: String?
  ) throws(PartitionError) {
    if build != other.build {
      throw .version(file: file, other: otherFile, versions: [build, other.build])
    }
  }
}
