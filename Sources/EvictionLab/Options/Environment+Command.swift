import Laboratory

extension Environment {
  /// This machine, now, with the command line of this process.
  static var ofThisCommand: Environment {
    var environment = current
    let tool = CommandLine.arguments.first?.split(separator: "/").last ?? "evict"
    let words = [String(tool)] + CommandLine.arguments.dropFirst()
    environment.command = words.map(\.shellQuoted).joined(separator: " ")
    return environment
  }
}
