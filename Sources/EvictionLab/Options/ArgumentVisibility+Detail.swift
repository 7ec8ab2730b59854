import ArgumentParser

extension ArgumentVisibility {
  /// The visibility of an option that `--help` leaves out; `--help-hidden`, completions, the manual and
  /// messages have it.
  static var detail: ArgumentVisibility {
    CommandLine.arguments.contains { ["help", "--help", "-h"].contains($0) } ? .hidden : .default
  }

  /// The visibility of an option that `--help` leaves out but in the help of one command.
  static func detail(except command: String) -> ArgumentVisibility {
    CommandLine.arguments.contains(command) ? .default : .detail
  }
}
