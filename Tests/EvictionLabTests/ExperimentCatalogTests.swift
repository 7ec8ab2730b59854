import EvictionLab
import Foundation
import Testing

/// The kinds of experiments, and their commands.
@Suite struct ExperimentCatalogTests {
  private let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized

  @Test func everyExperimentCommandIsInTheCatalog() throws {
    let commands = try declarations(of: "ExperimentCommand", in: "EvictionLab/Commands")
    let listed = EvictionLabCommand.configuration.subcommands.map { "\($0)" }
    #expect(!commands.isEmpty)
    #expect(Set(commands) == Set(listed.prefix(commands.count)))
  }

  @Test func everyKindHasOneCommand() throws {
    let kinds = try ["Experiments", "Runner"].flatMap {
      try declarations(of: "ExperimentKind", in: $0)
    }
    let commands = try texts(in: "EvictionLab/Commands").filter {
      $0.contains(": ExperimentCommand {")
    }
    #expect(kinds.count == commands.count)
    for kind in kinds {
      #expect(commands.count { $0.contains("\(kind)(") } == 1, "\(kind)")
    }
  }

  /// The names of the types in a folder that conform to a protocol, as their declarations say.
  private func declarations(of conformance: String, in folder: String) throws -> [String] {
    let pattern = try Regex<(Substring, Substring)>(#"struct (\w+): \#(conformance) \{"#)
    return try texts(in: folder).flatMap { $0.matches(of: pattern).map { String($0.output.1) } }
  }

  private func texts(in folder: String) throws -> [String] {
    let folder = sources.appending(path: folder)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try files.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
  }
}
