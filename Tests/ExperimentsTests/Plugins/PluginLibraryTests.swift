import CEvictionLab
import EvictionCore
import Foundation
import Parameters
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// Policies from outside are named, checked and run as those of the catalog.
@Suite("Plug-ins")
struct PluginLibraryTests {
  private func violations(_ change: (PluginTable) -> Void) -> String {
    let table = PluginTable()
    table.declareParameters()
    change(table)
    do throws(PolicyError) {
      try PluginLibrary.add(table.policy, named: "faulty")
      PluginLibrary.remove(named: "faulty")
      return "no fault"
    } catch { return "\(error)" }
  }

  @Test("What a table says of itself is checked before anything of it runs")
  func faultyTables() {
    #expect(violations { _ in } == "no fault")
    #expect(violations { $0.policy.pointee.version = 7 }.contains("built for version 7"))
    #expect(violations { $0.policy.pointee.insert = nil }.contains("lacks insert"))
    #expect(violations { $0.policy.pointee.summary = nil }.contains("lacks summary"))
    #expect(violations { $0.policy.pointee.flags = 8 }.contains("flags has unknown bits: 8"))
    #expect(violations { $0.policy.pointee.needs = 64 }.contains("needs has unknown bits: 64"))
    #expect(violations { $0.policy.pointee.minimum_capacity = -1 }.contains("minimum_capacity"))
    #expect(violations { $0.policy.pointee.bytes_per_slot = 1 << 30 }.contains("bytes_per_slot"))
    #expect(violations { $0.policy.pointee.parameter_count = 65 }.contains("at most 64"))
    #expect(violations { $0.policy.pointee.parameters = nil }.contains("lacks parameters"))
    #expect(
      violations { table in table.change(0) { $0.name = table.text("Count") } }
        .contains("lower-case"))
    #expect(
      violations { table in table.change(1) { $0.name = table.text("count") } }.contains("twice"))
    #expect(violations { $0.change(0) { $0.default_value = 11 } }.contains("outside 1.0…10.0"))
    #expect(violations { $0.change(0) { $0.default_value = .nan } }.contains("outside"))
    #expect(violations { $0.change(0) { $0.default_value = 2.5 } }.contains("is whole"))
    #expect(violations { $0.change(1) { $0.least = -1 } }.contains("negative"))
    #expect(violations { $0.change(0) { $0.kind = 5 } }.contains("has kind 5"))
  }

  @Test("A table is known by its name until it is removed")
  func names() throws {
    let table = PluginTable()
    table.declareParameters()
    try PluginLibrary.add(table.policy, named: "named")
    #expect(throws: PolicyError.self) { try PluginLibrary.add(table.policy, named: "named") }
    let choices = try PolicyChoice.parse(["lru,plugin:named:count=4:part=0.5"])
    #expect(choices.map(\.label) == ["lru", "plugin:named:count=4:part=0.5"])
    #expect(choices[1].information.parameters.map(\.name) == ["count", "part", "on"])
    #expect(throws: PolicyError.self) { try PolicyChoice.parse(["plugin:named:count=11"]) }
    #expect(throws: PolicyError.self) { try PolicyChoice.parse(["plugin:named:other=1"]) }
    #expect(PluginLibrary.remove(named: "named"))
    #expect(!PluginLibrary.remove(named: "named"))
    #expect(throws: PolicyError.self) { try PolicyChoice.parse(["plugin:named"]) }
  }

  @Test("A policy says why it cannot run")
  func refusals() throws {
    let table = PluginTable()
    table.declareParameters()
    let library = try PluginLibrary.add(table.policy, named: "refusing")
    defer { PluginLibrary.remove(named: "refusing") }
    let arguments = try library.entry.description.arguments(of: "plugin:refusing:count=9")
    let error = #expect(throws: PolicyError.self) {
      try library.entry.description.check(capacity: 10, isSized: false, arguments: arguments)
    }
    #expect("\(try #require(error))" == "plugin:refusing: 9 is too many")
  }

  @Test("A library that cannot be loaded, and one that is no policy")
  func libraries() {
    let missing = #expect(throws: PolicyError.self) { try PluginLibrary.open("/no/such.so") }
    #expect(missing == .missing(policy: "plugin:/no/such.so", file: "/no/such.so"))
  }

  @Test("Hits are those of the same policy in Swift, alone and in a cache; the suite finds nothing")
  func counts() throws {
    let table = PluginTable()
    try PluginLibrary.add(table.policy, named: "fifo")
    defer { PluginLibrary.remove(named: "fifo") }
    var keys: [UInt64] = []
    var random = SplitMix64(seed: 5)
    for _ in 0..<20_000 { keys.append(random.next() % 300 * (random.next() % 5)) }
    let text = keys.map(String.init).joined(separator: "\n")
    let stream = RequestStream(
      try TraceLoader.load(bytes: Array(text.utf8), name: "keys.txt"), needs: [])
    let counts = try ["fifo", "plugin:fifo"].map { name in
      let choice = try PolicyChoice.parse([name])[0]
      let options = RunOptions(capacity: 100, arguments: choice.arguments)
      return try #require(
        try choice.entry.simulator.run(stream, options: SimulationOptions(options)))
    }
    #expect(counts[0] == counts[1] && counts[0].hits > 1_000)
    let choice = try PolicyChoice.parse(["plugin:fifo"])[0]
    let cache = try MemoryCache<UInt64, Int>.open(countLimit: 100, policy: choice.entry.policy)
    for key in keys where cache.value(forKey: key) == nil { cache.set(1, forKey: key) }
    #expect(cache.statistics.hits == counts[0].hits)
    let violations = try choice.entry.violations(
      of: choice.specification, seeds: 0..<3, operations: 200)
    #expect(violations.isEmpty, "\(violations)")
  }

  /// A library may be compiled anew between two runs.
  @Test func finishedCellsOfAPlugInAreRunAgain() throws {
    let table = PluginTable()
    try PluginLibrary.add(table.policy, named: "again")
    defer { PluginLibrary.remove(named: "again") }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func run(resumes: Bool) throws -> ExperimentRun {
      let plan = try ExperimentPlan(
        traces: [.of([1, 2, 1, 3], name: "keys.txt")],
        policies: PolicyChoice.parse(["lru,plugin:again"]), capacities: [.count(2)])
      let journal = try Journal(
        beside: folder.path + "/out.json", environment: SharedSweep.environment, resumes: resumes)
      let trace = TraceSummary(
        name: "keys.txt", format: "plain", requests: 4, distinct: 3, sha256: "a")
      return ExperimentRun(plan, journal: journal, traces: [trace])
    }
    #expect(try run(resumes: false).run().measurements.count == 2)
    #expect(try run(resumes: true).heldRows == 1)
  }
}
