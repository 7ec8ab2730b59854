import ArgumentParser
import Results

/// The division of an experiment over machines.
struct ShardOption: ParsableArguments {
  @Option(
    name: .customLong("shard"),
    help: ArgumentHelp(
      "Run partition i of n, equal in work (2/5).",
      valueName: "i/n"))
  var partitionText: String?

  func validate() throws {
    if let partitionText, PlanPartition(parsing: partitionText) == nil {
      throw ValidationError(
        "“\(partitionText)” is no partition; give i/n with i from 1 to n, such as 2/5, and n up to "
          + "\(PlanPartition.most)")
    }
  }

  /// The partition to run; by default all cells.
  var partition: PlanPartition { partitionText.flatMap { PlanPartition(parsing: $0) } ?? .whole }

  /// True where the default form is the results document.
  var prefersDocument: Bool { partitionText != nil }
}

/// The division of a sweep over machines and over time.
struct PartitionOptions: ParsableArguments {
  @OptionGroup var shard: ShardOption

  @Flag(help: "Join the documents of one sweep's partitions.")
  var merge = false

  func validate() throws {
    if merge {
      let known = ["--merge", "--accept-other-build", "--format", "--output", "--wide"]
      let other = CommandLine.arguments.first { word in
        word.hasPrefix("--") && !known.contains { word == $0 || word.hasPrefix($0 + "=") }
      }
      if let other {
        throw ValidationError("--merge takes documents as they are; leave out \(other)")
      }
    }
  }

  /// True where the default form is the results document.
  var prefersDocument: Bool { merge || shard.prefersDocument }
}
