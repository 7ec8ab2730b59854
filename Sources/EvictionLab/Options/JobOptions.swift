import ArgumentParser
import Foundation

/// How many cells run at once.
struct JobOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many cells run at once; by default the cores.", valueName: "n"))
  var jobs: Count?

  func validate() throws {
    if let jobs, jobs.value < 1 { throw ValidationError("--jobs 0 runs nothing; give 1 or more") }
  }

  /// The number asked for, or that of the cores.
  var count: Int { jobs?.value ?? ProcessInfo.processInfo.activeProcessorCount }
}
