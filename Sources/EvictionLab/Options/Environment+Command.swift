import Results

extension Environment {
  /// This machine, now, with the command line of this process.
  static var ofThisCommand: Environment { ofThisCommand(without: []) }

  /// This machine, now, with the command line of this process.
  ///
  /// - Parameters:
  ///   - options: Options that are left out with their values.
  ///   - flags: Options without values that are left out.
  static func ofThisCommand(without options: [String], flags: [String] = []) -> Environment {
    var environment = current
    let tool = CommandLine.arguments.first?.split(separator: "/").last ?? "evict"
    var words = [String(tool)]
    var rest = CommandLine.arguments.dropFirst()
    while let word = rest.popFirst() {
      if options.contains(word) {
        _ = rest.popFirst()
      } else if !flags.contains(word), !options.contains(where: { word.hasPrefix($0 + "=") }) {
        words.append(word)
      }
    }
    environment.command = words.map(\.shellQuoted).joined(separator: " ")
    return environment
  }
}

extension [ResultSet] {
  /// Says so where these documents were measured in different environments.
  func warnOfDifferentEnvironments() {
    guard let first = self.first?.environment else { return }
    if !allSatisfy({ $0.environment.isLike(first) }) {
      StandardError.say("measured in different environments: hits compare, times do not")
    }
  }
}
