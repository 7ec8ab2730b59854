import Rendering
import Results

extension PageSection {
  /// The program and the machine that measured, and the commands that measure again.
  static func environment(
    _ environment: Environment, texts: [String] = [], tables: [PageTable] = [],
    commands: [String], notes: [String] = []
  ) -> PageSection {
    let commit = environment.commit.map { " (commit \($0))" } ?? ""
    return PageSection(
      id: "environment", heading: "How to measure it again", texts: texts,
      facts: [
        PageFact("version", "EvictionLab \(environment.version)\(commit)"),
        PageFact("toolchain", environment.toolchain), PageFact("system", environment.os),
        PageFact("processor", "\(environment.cpu), \(environment.cores) cores"),
        PageFact("date", environment.date),
      ], tables: tables, commands: commands, notes: notes)
  }
}
