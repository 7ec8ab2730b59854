import ArgumentParser
import Eviction
import EvictionCore
import EvictionLab
import Experiments
import Prefixes
import Requests
import Results
import Runner
import Testing

/// `evict policies`, `evict formats`, `evict trace generate` and the help, as processes.
@Suite struct CatalogCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func policyHasAPage() async throws {
    let outcome = try await shell.run("evict policies fifo")
    #expect(
      outcome
        == Outcome(
          output: """
            fifo: first in, first out

              paper      L. A. Belady, “A study of replacement algorithms for a
                         virtual-storage computer”, IBM Systems Journal 5(2), 1966.
              idea       The simplest queue: a hit writes nothing. The baseline that every
                         other policy should beat.
              on a hit   Nothing.
              on a miss  Room is made, and the object is appended.
              eviction   The oldest insertion.
              ghosts     None.
              cost       O(1) per request, and a hit only reads one byte. 9 bytes per entry.
              elsewhere  Other implementations agree with each other.

            parameter  default  range                                                            \
                         what it does
            resize     false    true | false                                                     \
                         in a sized run, a get that hits gives the object its size, as a set does
            admission  always   always | size | probability | size-probability | bloom | tinylfu \
            | adaptsize  the filter that newcomers must pass; its parameters follow as \
            admission.NAME=
            prefetch   none     none | obl | pg | mithril                                   \
                              in simulations, the prefetcher; its parameters follow as prefetch.NAME=

            """))
  }

  @Test func policiesAreChecked() async throws {
    let outcome = try await shell.run(
      "evict policies check lru slru:protected=0.5 --seed 7 --rounds 1 --operations 50")
    #expect(outcome == Outcome(output: "lru: conforms\nslru:protected=0.5: conforms\n"))
    let refused = try await shell.run("evict policies check nonsense")
    #expect(refused.code == 64 && refused.output.isEmpty)
    #expect(try await shell.run("evict policies check lru --rounds 0").code == 64)
  }

  @Test(arguments: AdmissionCatalog.all.map { $0.information.name })
  func everyFilterHasAPage(_ filter: String) async throws {
    let outcome = try await shell.run("evict policies \(filter)")
    #expect(outcome.output.hasPrefix("admission filter \(filter): "))
    for title in ["paper", "idea", "decision", "cost", "elsewhere"] {
      #expect(outcome.output.contains("\n  \(title)  "), "\(title)")
    }
  }

  @Test(arguments: PrefetcherCatalog.all.map { $0.information.name })
  func everyPrefetcherHasAPage(_ prefetcher: String) async throws {
    let outcome = try await shell.run("evict policies \(prefetcher)")
    #expect(outcome.output.hasPrefix("prefetcher \(prefetcher): "))
    for title in ["paper", "idea", "decision", "cost", "elsewhere", "runs in"] {
      #expect(outcome.output.contains("\n  \(title)  "), "\(title)")
    }
  }

  @Test func filterIsAnEntryOfTheDocument() async throws {
    let outcome = try await shell.run("evict policies size --format json")
    let document = try JSON(reading: outcome.output.utf8)
    #expect(document["policies"] == nil)
    let size = try #require(document["admission"]?.elements.first)
    #expect(size["name"] == "size" && size["needsSizes"] == .boolean(true))
    #expect(size["parameters"]?.elements.first?["name"] == "admission.limit")
    let whole = try JSON(reading: try await shell.run("evict policies --format json").output.utf8)
    #expect(whole["policies"]?.elements.count == RunnablePolicyEntry.catalog.count)
    #expect(whole["admission"]?.elements.count == AdmissionCatalog.all.count)
    #expect(whole["prefetchers"]?.elements.count == PrefetcherCatalog.all.count)
  }

  @Test(arguments: RunnablePolicyEntry.catalog.map(\.information.name))
  func everyPageIsWritten(_ policy: String) async throws {
    let outcome = try await shell.run("evict policies \(policy)")
    let titles = [
      "paper", "idea", "on a hit", "on a miss", "eviction", "ghosts", "cost", "elsewhere",
    ]
    for title in titles { #expect(outcome.output.contains("\n  \(title)  "), "\(title)") }
  }

  @Test func everyPolicyIsListed() async throws {
    let outcome = try await shell.run("evict policies")
    let names = outcome.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(
      names == ["policy"] + RunnablePolicyEntry.catalog.map(\.information.name)
        + ["admission"] + AdmissionCatalog.all.map { $0.information.name }
        + ["prefetcher"] + PrefetcherCatalog.all.map { $0.information.name }
        + ["order"] + LeafOrders.all.map(\.information.name))
  }

  @Test(arguments: LeafOrders.all.map(\.information.name))
  func everyOrderForPrefixesHasAPage(_ order: String) async throws {
    let outcome = try await shell.run("evict policies \(order)")
    #expect(outcome.output.hasPrefix("order for prefixes \(order): ") && outcome.code == 0)
    #expect(outcome.output.contains("evict prefix") && outcome.output.contains("  follows  "))
    let document = try JSON(
      reading: try await shell.run("evict policies \(order) --format json").output.utf8)
    #expect(document["orders"]?.elements.first?["name"] == .string(order))
    #expect(document["policies"] == nil)
  }

  @Test func catalogIsADocument() async throws {
    let outcome = try await shell.run("evict policies fifo --format json")
    let document = try JSON(reading: outcome.output.utf8)
    #expect(document["schema"] == "evictionlab.catalog/1")
    let fifo = try #require(document["policies"]?.elements.first)
    #expect(fifo["name"] == "fifo" && fifo["summary"] == "first in, first out")
    #expect(fifo["bytesPerEntry"] == .integer(9) && fifo["isBound"] == .boolean(false))
    let parameter = try #require(fifo["parameters"]?.elements.first)
    #expect(
      parameter == [
        "name": "resize", "type": "flag", "default": .boolean(false), "range": "true | false",
        "help": "in a sized run, a get that hits gives the object its size, as a set does",
      ] as JSON)
    let formats = try await shell.run("evict formats --format json")
    let catalogs = try JSON(reading: formats.output.utf8)
    for name in ["formats", "generators", "prompts", "times", "sizes", "reports"] {
      #expect(catalogs[name] != nil)
    }
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
    #expect(
      made == Outcome(output: "evict: z.oracleGeneral.zst: 5000 requests as oracleGeneral, …\n"))
    let swept = try await shell.run(
      "evict sweep z.oracleGeneral.zst --policy lru --capacity 100% --format csv"
        + " | cut -d , -f 5,8,9")
    #expect(swept == Outcome(output: "capacity,requests,hits\n100,5000,4900\n"))
  }

  @Test func helpFitsOneScreen() async throws {
    let outcome = try await shell.run("evict --help")
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 35)
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

extension JSON {
  /// The elements of an array; none of anything else.
  fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
