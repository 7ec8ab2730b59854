import ArgumentParser
import Results

/// How a sweep is split over machines and over time.
struct SharingOptions: ParsableArguments {
  @Option(
    name: .customLong("shard"),
    help: ArgumentHelp(
      "Run the i-th of n equal shares of the cells, and read only its traces: 2/5.",
      valueName: "i/n"))
  var shareText: String?

  @Flag(help: "Make documents of one sweep's shares one document, in place of running anything.")
  var merge = false

  func validate() throws {
    if let shareText, PlanPartition(parsing: shareText) == nil {
      throw ValidationError(
        "“\(shareText)” is no share; give i/n with i from 1 to n, such as 2/5, and n up to "
          + "\(PlanPartition.most)")
    }
    if merge {
      let known = ["--merge", "--format", "--output"]
      let other = CommandLine.arguments.first { word in
        word.hasPrefix("--") && !known.contains { word == $0 || word.hasPrefix($0 + "=") }
      }
      if let other {
        throw ValidationError("--merge takes documents as they are; leave out \(other)")
      }
    }
  }

  /// The share asked for, else all cells.
  var share: PlanPartition { shareText.flatMap { PlanPartition(parsing: $0) } ?? .whole }

  /// True where a results document is written unless another form is named.
  var prefersDocument: Bool { merge || shareText != nil }
}
