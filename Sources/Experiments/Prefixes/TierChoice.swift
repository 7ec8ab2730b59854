import EvictionCore
import Parameters
import Prefixes
import Requests
import Results
import Runner

/// A tier below the device, as a user wrote it: `host:capacity=5%:policy=arc:load=0.4`.
package struct TierChoice: Sendable {
  /// The name that results give it.
  package let name: String
  /// Its room.
  package let capacity: Capacity
  /// Its policy.
  package let policy: PolicyChoice
  /// The microseconds that it takes to load a token from it.
  package let loadTime: Fraction

  /// The parameters of a tier, without those of its policy, which begin with `policy.`.
  private static let parameters = [
    Parameter(
      "capacity", .text, default: nil, help: "blocks (1000), a fraction of all (5%), or bytes"),
    Parameter("policy", .text, default: nil, help: "the policy that evicts, lru by default"),
    Parameter(
      "load", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: .fraction(Fraction(0)),
      help: "microseconds to load a token"),
  ]

  /// The tiers of a list such as `host:capacity=5%,disk:capacity=20%:policy=arc`, the fastest first.
  ///
  /// - Parameter policies: The policies that may be named.
  /// - Throws: ``PlanError`` or `PolicyError` with the remedy.
  package static func parse(
    _ text: String, among policies: [RunnablePolicyEntry]
  ) throws -> [TierChoice] {
    let texts = text.listItems
    let most = TieredCaches.most - 1
    if texts.count > most {
      throw PlanError.tier(
        name: texts[most], problem: "there are at most \(most) tiers below the device; leave it out"
      )
    }
    var tiers: [TierChoice] = []
    for text in texts {
      let tier = try TierChoice(text, among: policies)
      if tier.name == "device" || tiers.contains(where: { $0.name == tier.name }) {
        throw PlanError.tier(
          name: tier.name, problem: "another tier has that name; give it one of its own")
      }
      tiers.append(tier)
    }
    return tiers
  }

  private init(_ text: String, among policies: [RunnablePolicyEntry]) throws {
    let (whole, arguments): (Specification, Arguments)
    do throws(SpecificationError) {
      whole = try Specification(parsing: text)
      arguments = try whole.withoutNested("policy").arguments(for: TierChoice.parameters)
    } catch { throw PolicyError.specification(error) }
    name = whole.name
    if name.isEmpty {
      throw PlanError.tier(name: text, problem: "it has no name; give one: host\(text)")
    }
    guard case .text(let capacity) = arguments.value("capacity") else {
      throw PlanError.tier(name: name, problem: "it has no capacity; give one: \(name):capacity=5%")
    }
    do throws(PlanError) {
      self.capacity = try Capacity(parsing: capacity)
    } catch { throw PlanError.tier(name: name, problem: "\(error)") }
    policy = try PolicyChoice(whole.nested("policy") ?? "lru", among: policies)
    loadTime = arguments.fraction("load")
    if policy.admission != nil { throw PlanError.admission(policy: policy.label) }
    if !policy.entry.prefixes.keepsChains || policy.information.ignoresCapacity {
      throw PlanError.tier(
        name: name,
        problem:
          "\(policy.name) cannot run there, as it is no PinnablePolicy that goes by its capacity; "
          + "give another, such as policy=lru")
    }
  }

  /// Checks that the policy can run with that many blocks on a trace.
  func check(blocks: Int, on trace: String, offers: RequestNeeds) throws(PlanError) {
    let missing = policy.needs.subtracting(offers)
    if !missing.isEmpty {
      throw .needsMissing(policy: policy.name, trace: trace, needs: missing.names)
    }
    do throws(PolicyError) {
      try policy.check(capacity: blocks, isSized: false)
    } catch { throw .policy(error) }
  }
}
