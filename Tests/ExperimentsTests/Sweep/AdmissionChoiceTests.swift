import Eviction
import EvictionCore
import Experiments
import Parameters
import Requests
import Results
import Runner
import SimulatedCounts
import Testing
import Traces

/// Admission filters as parameters of policies.
@Suite struct AdmissionChoiceTests {
  private func choice(_ text: String) throws(PolicyError) -> PolicyChoice {
    try PolicyChoice.parse([text])[0]
  }

  private func problem(_ text: String) -> String {
    do throws(PolicyError) {
      _ = try choice(text)
      return "none"
    } catch { return "\(error)" }
  }

  @Test func filterIsAParameterOfEveryPolicy() throws {
    for policy in RunnablePolicyEntry.catalog.map(\.information.name) {
      let choice = try choice("\(policy):admission=tinylfu:admission.sample=8")
      #expect(choice.admission?.name == "tinylfu")
      #expect(choice.admission?.mayRefuse == true && choice.needs.contains(.keyHash))
    }
  }

  @Test func policyWithoutAFilterHasNone() throws {
    for text in ["lru", "lru:admission=always"] {
      let choice = try choice(text)
      #expect(choice.admission == nil && choice.needs == [])
    }
  }

  @Test func parametersShowInResultsWithTheirTypes() throws {
    let choice = try choice("lru:admission.limit=64KiB:admission=size")
    let parameters = Measurement.parameters(choice.arguments)
    #expect(
      parameters == [
        JSON.Member("admission", .string("size")), JSON.Member("admission.limit", .integer(65_536)),
      ])
    let measurement = Measurement(
      kind: .sweep, trace: "t", policy: choice.name, parameters: parameters, capacity: 1)
    #expect(measurement.policyLabel == "lru:admission=size:admission.limit=65536")
  }

  @Test func unknownAndMisplacedParametersAreRefused() {
    #expect(
      problem("lru:admission=lru")
        == "lru: admission=lru is out of range; give "
        + "always | size | probability | size-probability | bloom | tinylfu | adaptsize")
    #expect(
      problem("lru:admission.limit=1")
        == "lru without an admission filter has no parameter “admission.limit”; "
        + "it has resize, admission, prefetch")
    #expect(
      problem("lru:admission=tinylfu:admission.limit=1")
        == "the admission filter tinylfu has no parameter “admission.limit”; "
        + "it has admission.sample, admission.doorkeeper, admission.conservative")
    #expect(
      problem("lru:admission=size:admission.limit=big")
        == "lru: admission.limit=big is out of range; give bytes (64KiB), ≥ 1")
    #expect(problem("lru:limit=1").hasPrefix("lru has no parameter “limit”; it has resize"))
  }

  @Test func filterThatDecidesByBytesNeedsASizedRun() throws {
    let trace = try TraceLoader.load(
      bytes: Array("key,size\na,1\nb,2\n".utf8), name: "t.csv", columns: .all)
    func plan(isSized: Bool) throws -> ExperimentPlan {
      try ExperimentPlan(
        traces: [trace], policies: PolicyChoice.parse(["lru:admission=size"]),
        capacities: [.count(2)],
        settings: ExperimentPlan.Settings(isSized: isSized))
    }
    #expect(throws: PlanError.self) { try plan(isSized: false) }
    #expect(try plan(isSized: true).cells.count == 1)
  }

  @Test func refusalsAreCountedAsRejections() throws {
    let text = "key,size\na,10\nb,50\na,10\nc,11\nb,50\nc,11\n"
    let trace = try TraceLoader.load(bytes: Array(text.utf8), name: "t.csv", columns: .all)
    let counts = try simulate(
      "lru:admission=size:admission.limit=11", RequestStream(trace, isSized: true), capacity: 60)
    #expect(counts.hits == 2 && counts.insertions == 2 && counts.rejections == 2)
    #expect(counts.evictions == 0 && counts.byteHits == 21 && counts.bytes == 142)
  }

  @Test func filterThatAdmitsEverythingChangesNoCount() throws {
    var generator = SplitMix64(seed: 4)
    let text = (0..<5_000).map { _ in
      "\(generator.index(below: 60) * generator.index(below: 60))"
    }.joined(separator: "\n")
    let trace = try TraceLoader.load(bytes: Array(text.utf8), name: "t.txt", columns: [])
    let stream = RequestStream(trace, needs: [.keyHash, .nextUse])
    for policy in RunnablePolicyEntry.catalog where policy.needs.isSubset(of: stream.offers) {
      let name = policy.information.name
      let plain = try simulate(name, stream, capacity: 40)
      let filtered = try simulate(
        "\(name):admission=probability:admission.p=1", stream, capacity: 40)
      #expect(filtered == plain, "\(name): the general path counts as the plain one")
    }
  }
}
