import Eviction
import EvictionTesting
import Parameters
import PolicyModels
import TestConditions
import Testing

/// Policies behind filters against plain models of both.
@Suite("Every filter does what its plain model does")
struct AdmissionAgreementTests {
  /// Policies whose models ask before they evict.
  static let policies = ["lru", "lifo", "arc", "arc:ghosts=0.5", "sieve"]

  /// Every filter with one or two parameters, some of which make it act on small
  /// caches.
  static let filters: [String] =
    AdmissionCatalog.all.flatMap { filter in
      let information = filter.information
      return ParameterVariants.all(
        of: information.parameters, givingAtMost: isOptimized ? 2 : 1
      ).map {
        $0.isEmpty ? information.name : "\(information.name):\($0)"
      }
    } + [
      "size:limit=5", "size-probability:c=4", "bloom:window=0.3", "bloom:window=20",
      "adaptsize:interval=50:c=8", "adaptsize:interval=30:iterations=4:c=2", "tinylfu:sample=2",
    ]

  static let seeds: Range<UInt64> = 0..<(isThorough ? 40 : isOptimized ? 4 : 1)

  @Test("and every filter has a model")
  func everyFilterHasAModel() {
    let names = AdmissionCatalog.all.map { $0.information.name }
    #expect(names.filter { AdmissionModels.all[$0] == nil } == [])
  }

  @Test("in front of LRU, LIFO, ARC and SIEVE, on random workloads", arguments: filters)
  func onRandomWorkloads(filter: String) throws {
    let filter = try Specification(parsing: filter)
    for features in try Self.features(of: filter) {
      for seed in Self.seeds {
        let workload = Workload(seed: seed, features: features, length: 400)
        for policy in Self.policies {
          let policy = try Specification(parsing: policy)
          if let difference = try FilteredRun.difference(policy, filter, workload) {
            Issue.record(
              "\(policy) behind \(filter), seed \(seed), features \(features.rawValue): \(difference)"
            )
            return
          }
        }
      }
    }
  }

  @Test(
    "in front of every policy, which keeps its contract",
    arguments: filters.enumerated().filter { isOptimized || $0.offset % 3 == 0 }.map(\.element))
  func everyPolicyKeepsItsContract(filter: String) throws {
    let filter = try Specification(parsing: filter)
    // The last of them has everything; the others have their turn where the build is fast.
    for features in try Self.features(of: filter).suffix(isOptimized ? .max : 1) {
      for seed in Self.seeds.prefix(isOptimized ? 2 : 1) {
        var check = ContractCheck(
          filter: filter, workload: Workload(seed: seed, features: features, minimumCapacity: 4))
        PolicyCatalog.visit(&check)
        #expect(check.violations == [], "\(filter), seed \(seed), features \(features.rawValue)")
      }
    }
  }

  @Test("AdaptSize's c moves in these workloads")
  func adaptSizeTunes() throws {
    let moved = try (UInt64(0)..<10).count { seed in
      let workload = Workload(seed: seed, features: .sizes, length: 400)
      let filter = try #require(
        try FilteredRun.filter("adaptsize:interval=50:c=8", workload, seed: seed))
      let arguments = try Specification(name: "lru").arguments(for: LRU.information.parameters)
      _ = try PolicyDriver<LRU>.run(workload, arguments: arguments, filter: filter)
      var c = 8.0
      filter.showInternals { name, value in if name == "c" { c = value } }
      return c != 8
    }
    #expect(moved > 0)
  }

  static func features(of filter: Specification) throws -> [Workload.Features] {
    let information = try #require(AdmissionCatalog.filter(named: filter.name)).information
    return Workload.Features.samples.filter { $0.contains(.sizes) || !information.needsSizes }
  }
}

/// Runs one policy and its filter beside their models.
struct FilteredRun: PolicyVisitor {
  let policy: Specification
  let filter: Specification
  let workload: Workload
  var difference: String?
  var error: (any Error)?

  static func difference(
    _ policy: Specification, _ filter: Specification, _ workload: Workload
  ) throws -> String? {
    var run = FilteredRun(policy: policy, filter: filter, workload: workload)
    PolicyCatalog.visit(&run)
    if let error = run.error { throw error }
    return run.difference
  }

  static func filter(
    _ specification: Specification, _ workload: Workload, seed: UInt64
  ) throws(PolicyError) -> AdmissionFilter? {
    try AdmissionCatalog.makeFilter(
      specification, policy: "a test", capacity: workload.capacity,
      isSized: workload.features.contains(.sizes), seed: seed)
  }

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ type: Policy.Type) {
    if Policy.information.name != policy.name { return }
    do {
      let seed = workload.seed ^ 5
      let run = try PolicyDriver<Policy>.run(
        workload, arguments: policy.arguments(for: Policy.information.parameters), seed: seed,
        filter: FilteredRun.filter(filter, workload, seed: seed))
      difference = run.violation ?? firstDifference(run.events, modelEvents(seed: seed))
    } catch {
      self.error = error
    }
  }

  private func modelEvents(seed: UInt64) -> [CacheEvent] {
    var options = ModelOptions(
      capacity: workload.capacity, seed: seed,
      updatesSizes: workload.features.contains(.sizeUpdates), parameters: parameters(of: policy))
    options.admission = AdmissionModels.all[filter.name]?(
      AdmissionModelOptions(
        capacity: workload.capacity, seed: seed, parameters: parameters(of: filter)))
    guard let model = PolicyModels.all[policy.name]?(options) else { return [] }
    for operation in workload.operations { model.perform(operation) }
    return model.events
  }

  private func parameters(of specification: Specification) -> String {
    String(specification.description.dropFirst(specification.name.count + 1))
  }
}

/// Runs every policy behind one filter.
private struct ContractCheck: PolicyVisitor {
  let filter: Specification
  let workload: Workload
  var violations: [String] = []

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    let name = Policy.information.name
    do {
      let arguments = Arguments(parameters: Policy.information.parameters)
      for naming in isOptimized ? [SlotNaming.identity, .recycled] : [.recycled] {
        let run = try PolicyDriver<Policy>.run(
          workload, arguments: arguments, naming: naming,
          filter: FilteredRun.filter(filter, workload, seed: 3))
        if let violation = run.violation { violations.append("\(name): \(violation)") }
      }
    } catch {
      violations.append("\(name): \(error)")
    }
  }
}
