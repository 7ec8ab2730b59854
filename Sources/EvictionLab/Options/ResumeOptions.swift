import ArgumentParser
import Foundation
import Results
import Traces

/// Going on with an experiment that was stopped.
struct ResumeOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Do not run cells again that an earlier run of this command finished.",
      visibility: .detail(except: "suite")))
  var resume = false

  @Flag(
    help: ArgumentHelp(
      "Take results of another build of this program, too (--resume, --merge), such as one of the same source "
        + "that another machine compiled.",
      visibility: .detail))
  var acceptOtherBuild = false

  /// The flags, which change no result.
  static let flags = ["--resume", "--accept-other-build"]

  /// Refuses forms from which an experiment that writes documents could not go on.
  func checkForm(_ output: OutputOptions) throws(ValidationError) {
    if resume && output.format != nil && !output.isDocument {
      throw ValidationError("--resume reads what it wrote; leave out --format or make it json")
    }
  }

  /// The document that is to be completed, where there is one.
  func earlierResults(_ output: OutputOptions) throws -> (file: String, results: ResultSet)? {
    guard resume, let file = output.destination.file, access(file, F_OK) == 0 else { return nil }
    return (file, try Document.results(of: file))
  }

  /// Refuses to replace the cells of the same command that failed or was stopped.
  func keepStopped(_ output: OutputOptions) throws {
    guard !resume, output.isDocument, let file = output.destination.file, access(file, F_OK) == 0,
      let results = try? Document.results(of: file), !results.isComplete,
      !results.measurements.isEmpty,
      results.environment.command == Environment.ofSweep.command
    else { return }
    throw TraceError.usage(
      problem:
        "\(file) holds \(results.measurements.count) cells of this command, and lacks others",
      remedy: "add --resume to run those, or remove the file to run all again")
  }

  /// Refuses what could not be told from another experiment.
  func check(_ traces: TraceOptions, _ output: OutputOptions) throws {
    if !resume { return }
    if output.destination.file == nil {
      throw ValidationError("--resume goes on with a document; name its file with --output")
    }
    if traces.traces.contains("-") {
      throw ValidationError("--resume knows a trace by its file, not standard input; give a file")
    }
  }
}

extension Environment {
  /// The environment of a sweep's document, which says nothing of where it was written and what was there.
  static var ofSweep: Environment {
    .ofThisCommand(without: ["--output", "--format"], flags: ResumeOptions.flags)
  }
}
