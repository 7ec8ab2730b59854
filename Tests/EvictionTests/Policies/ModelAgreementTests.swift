import Eviction
import EvictionTesting
import Foundation
import Parameters
import PolicyModels
import TestConditions
import Testing

/// The fast policies against the plain ones: the same hits, admissions, refusals and evictions in the
/// same order, and now and then the same residents and ghosts.
@Suite("Every policy does what its plain model does")
struct ModelAgreementTests {
  /// Every policy with every parameter; without the invariants' checks there is time for every pair,
  /// and for every three where thoroughness is asked for.
  static let specifications: [String] = policies.flatMap { policy in
    ParameterVariants.all(of: policy.parameters, givingAtMost: isThorough ? 3 : isOptimized ? 2 : 1)
      .map {
        $0.isEmpty ? policy.name : "\(policy.name):\($0)"
      }
  }

  /// Learned policies have tests of their own: a model of XGBoost would be XGBoost.
  static let policies = PolicyCatalog.all.filter { !$0.file.hasPrefix("Learned/") }

  static let seeds: Range<UInt64> = 0..<(isThorough ? 60 : isOptimized ? 3 : 1)

  @Test("and every policy has a model")
  func everyPolicyHasAModel() {
    #expect(Self.policies.map(\.name).filter { PolicyModels.all[$0] == nil } == [])
  }

  @Test("on random workloads", arguments: specifications)
  func onRandomWorkloads(specification: String) throws {
    // The hand of GD-Wheel's model moves one queue at a time, and a huge cost is all queues of all wheels away.
    let isSlow = specification.hasPrefix("gd-wheel")
    let extremes = Workload.Features.extremes.filter { !isSlow || !$0.contains(.oddCosts) }
    for features in Workload.Features.samples + extremes {
      for seed in Self.seeds {
        let workload = Workload(seed: seed, features: features)
        if let difference = try Self.difference(specification, workload) {
          let workload = "seed \(seed), features \(features.rawValue)"
          Issue.record("\(specification), \(workload): \(difference)")
          return
        }
      }
    }
  }

  static func difference(_ text: String, _ workload: Workload) throws -> String? {
    let specification = try Specification(parsing: text)
    var comparison = Comparison(specification: specification, workload: workload)
    PolicyCatalog.visit(&comparison)
    if let error = comparison.error { throw error }
    return comparison.difference
  }
}

/// Runs one policy beside its model.
private struct Comparison: PolicyVisitor {
  let specification: Specification
  let workload: Workload
  var difference: String?
  var error: (any Error)?

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if Policy.information.name != specification.name { return }
    do {
      try compare(policy)
    } catch PolicyError.conflict {
      // Some parameters exclude each other.
    } catch {
      self.error = error
    }
  }

  private mutating func compare<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type
  ) throws {
    let seed = workload.seed ^ 9
    var driver = try PolicyDriver<Policy>(
      workload, arguments: specification.arguments(for: Policy.information.parameters), seed: seed)
    let parameters = specification.description.dropFirst(specification.name.count + 1)
    var options = ModelOptions(
      capacity: workload.capacity, seed: seed, isSized: workload.features.contains(.sizes),
      updatesSizes: workload.features.contains(.sizeUpdates), parameters: String(parameters))
    options.cost = { [workload] in Request(slot: 0, cost: workload.cost(of: $0)).boundedCost }
    guard let model = PolicyModels.all[specification.name]?(options) else { return }
    let nextUses = workload.nextUses()
    for (index, operation) in workload.operations.enumerated() {
      driver.perform(index)
      model.perform(operation, nextUse: nextUses[index])
      difference =
        driver.run.violation
        ?? (driver.run.events.count == model.events.count
          && driver.run.events.last == model.events.last
          ? nil : firstDifference(driver.run.events, model.events))
      if difference == nil && (index % 16 == 0 || index == workload.operations.count - 1) {
        difference =
          firstDifference(driver.run.events, model.events)
          ?? sets("residents", driver.residents, model.residents)
          ?? sets("ghosts", driver.ghosts, model.ghosts)
      }
      if difference != nil {
        difference! += ", capacity \(model.capacity), at operation \(index), \(operation)"
        return
      }
    }
  }

  private func sets(_ what: String, _ fast: Set<Int>, _ plain: [Int]) -> String? {
    fast == Set(plain) ? nil : "\(what) are \(fast.sorted()), and \(plain.sorted()) in the model"
  }
}
