import ArgumentParser
import EvictionLab
import Laboratory
import Testing

/// `evict policies`, `evict formats`, `evict trace generate` and the help, as processes.
@Suite struct CatalogCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func policyIsDescribedWithItsParameters() async throws {
    let outcome = try await shell.run("evict policies lru")
    #expect(
      outcome
        == Outcome(
          output: """
            lru: least recently used
            paper: Mattson et al., IBM Systems Journal 9(2), 1970
            bytes per entry: 9
            smallest capacity: 1

            parameter  default  range         what it does
            resize     false    true | false  in a sized run, a hit gives the object the size of \
            the latest request

            """))
  }

  @Test func everyPolicyIsListed() async throws {
    let outcome = try await shell.run("evict policies")
    let names = outcome.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != " " } }
    #expect(names.map(String.init) == PolicyRunner.all.map(\.information.name))
  }

  @Test func catalogIsADocument() async throws {
    let outcome = try await shell.run("evict policies lru --format json")
    #expect(
      outcome
        == Outcome(
          output: """
            {
              "schema": "evictionlab.catalog/1",
              "policies": [
                {"name": "lru", "summary": "least recently used", "parameters": [{"name": \
            "resize", "type": "flag", "default": false, "range": "true | false", "help": "in a \
            sized run, a hit gives the object the size of the latest request"}], "paper": \
            "Mattson et al., IBM Systems Journal 9(2), 1970", "bytesPerEntry": 9}
              ]
            }

            """))
    let formats = try await shell.run("evict formats --format json")
    let catalogs = try JSON(reading: formats.output.utf8)
    for name in ["formats", "generators", "reports"] { #expect(catalogs[name] != nil) }
  }

  @Test func formatsOfOneNameAreDescribedTogether() async throws {
    let outcome = try await shell.run("evict formats csv | grep -n csv:")
    #expect(
      outcome
        == Outcome(
          output: """
            1:trace format csv: text in columns for key, time, size, operation and more, found by \
            header or number
            15:report format csv: one line per run, everything, in full precision

            """))
  }

  @Test func generatedTraceIsWrittenByTheNameOfItsFile() async throws {
    let made = try await shell.run(
      "evict trace generate zipf:keys=100:requests=5000 --output z.oracleGeneral.zst"
        + " 2>&1 | sed -E 's/[0-9]+ bytes, [0-9.]+ s/…/'")
    #expect(made == Outcome(output: "evict: z.oracleGeneral.zst: 5000 requests, …\n"))
    let swept = try await shell.run(
      "evict sweep z.oracleGeneral.zst --policy lru --capacity 100% --format csv"
        + " | cut -d , -f 5,8,9")
    #expect(swept == Outcome(output: "capacity,requests,hits\n100,5000,4900\n"))
  }

  @Test func helpFitsOneScreen() async throws {
    let outcome = try await shell.run("evict --help")
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 25)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: commands(below: EvictionLabCommand.self))
  func helpTeachesByExample(_ command: String) async throws {
    let outcome = try await shell.run("evict \(command) --help")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("\n  evict \(command)"))
  }

  /// The names of all subcommands: `sweep`, `trace generate`.
  private static func commands(below root: any ParsableCommand.Type) -> [String] {
    root.configuration.subcommands.flatMap { command in
      let name = command.configuration.commandName ?? ""
      return [name] + commands(below: command).map { "\(name) \($0)" }
    }
  }
}
