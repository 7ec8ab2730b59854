import ArgumentParser

/// Going on with an experiment that was stopped.
struct ResumeOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Do not run cells again that an earlier run of this command finished.", visibility: .detail))
  var resume = false

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
