import Results

/// The reason why documents are no parts of one sweep.
package enum PartitionError: Error, Equatable {
  /// The document does not say what it is a part of.
  case noPlan(file: String)
  /// A run that the document's own sweep does not have.
  case foreign(file: String, cell: String)
  /// A run that the command does not ask for, and that would be lost.
  case notAsked(file: String, cell: String)
  /// Measured by another program than `other`, which is a file, or nil for this one.
  case program(file: String, other: String?, programs: [String])
  /// A part of another sweep than `other`, which is a file, or nil for this command.
  case plan(file: String, other: String?, difference: String)
  /// A trace of one name and two contents.
  case trace(file: String, other: String, trace: String)
  /// A deterministic run that counted differently.
  case disagreement(file: String, other: String, cell: String, counts: [String])
  /// A line of a journal that is not as it was written.
  case altered(file: String, line: Int)
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
    case .program(let file, let other, let programs):
      "\(file) was measured with \(programs[0]), \(other.map { "\($0) with" } ?? "this program is") "
        + "\(programs[1]), which may count differently; "
        + (other == nil ? "write to another file" : "measure both with one")
        + ", or give --accept-other-build if both are of one source"
    case .plan(let file, let other, let difference):
      "\(file) and \(other ?? "this command") are of two sweeps: they differ in \(difference); "
        + (other == nil ? "write to another file" : "merge parts of one")
    case .trace(let file, let other, let trace):
      "\(file) and \(other) were measured on two traces that are called \(trace); "
        + "measure one of them again"
    case .disagreement(let file, let other, let cell, let counts):
      "\(file) and \(other) disagree on \(cell): \(counts[0]) and \(counts[1]); "
        + "measure it again"
    case .altered(let file, let line):
      "\(file): line \(line) is not as it was written: its checksum differs; remove the file, and "
        + "its cells are run again"
    }
  }
}

extension Environment {
  /// Compares what a file was measured with, and where, with another file's, or this run's.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - other: The other environment.
  ///   - otherFile: Its file; nil for this run.
  ///   - acceptsOtherBuild: Takes what another program measured.
  /// - Returns: Notes for the reader, in a line each.
  /// - Throws: ``PartitionError`` for another program that is not accepted.
  package func notes(
    on file: String, besides other: Environment, of otherFile: String?, acceptsOtherBuild: Bool
  ) throws(PartitionError) -> [String] {
    var notes: [String] = []
    if !hasProgram(of: other) {
      if !acceptsOtherBuild {
        throw .program(file: file, other: otherFile, programs: [program, other.program])
      }
      notes.append(
        "\(file) was measured with \(program), \(otherFile ?? "this run") with \(other.program): "
          + "accepted, as --accept-other-build says")
    }
    if !hasMachine(of: other) {
      notes.append(
        "\(file) was measured on another machine (\(machine)): hits compare, times do not")
    }
    return notes
  }
}
