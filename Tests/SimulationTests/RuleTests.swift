import EvictionTesting
import PolicyModels
import RecordedTraces
import Requests
import SimulatedCounts
import Testing
import Traces

/// An oracle that cannot tell two variants apart proves nothing: each rule of a policy, broken alone,
/// changes the hits of a cell that is named here.
@Suite("Every rule counts", .inReleaseBuilds)
struct RuleTests {
  /// A rule, how it is broken, and where that shows.
  struct Rule: CustomTestStringConvertible {
    /// The policy, with parameters that the rule needs.
    let policy: String
    /// The rule: broken by the model under this name, or by a parameter.
    let rule: String
    /// The parameter that breaks it; nil if the model does.
    let variant: String?
    let trace: String
    let capacity: Int

    init(
      _ policy: String, _ rule: String, by variant: String? = nil, _ trace: String, _ capacity: Int
    ) {
      self.policy = policy
      self.rule = rule
      self.variant = variant
      self.trace = trace
      self.capacity = capacity
    }

    var testDescription: String { "\(policy): \(rule)" }
  }

  @Test("in a cell that shows it", arguments: rules)
  func ruleCounts(rule: Rule) throws {
    // A plain model takes its time.
    let limit = rule.variant == nil ? 20_000 : nil
    let trace = try WholeTraces.load(rule.trace, limit: limit)
    let stream = RequestStream(trace, needs: .nextUse)
    let kept = try simulate(rule.policy, stream, capacity: rule.capacity)
    if let variant = rule.variant {
      let text = "\(rule.policy):\(variant)"
      let other = try simulate(text, stream, capacity: rule.capacity)
      #expect(other.hits != kept.hits, "\(text) hits as often")
      return
    }
    let model = try TraceRun(trace).model(rule.policy, capacity: rule.capacity)
    #expect(model.hits == kept.hits, "the model does not do what the policy does")
    let broken = try TraceRun(trace).model(
      rule.policy, capacity: rule.capacity, breaking: rule.rule)
    #expect(broken.hits != kept.hits, "the rule can be broken without a difference")
  }

  @Test("and every policy of the semantics has rules here")
  func everyPolicyHasRules() {
    let named = Set(Self.rules.map { String($0.policy.prefix { $0 != ":" }) })
    let defined: Set = [
      "lru", "fifo", "lifo", "mru", "random", "lfu", "clock", "slru", "2q", "arc", "lirs",
      "s3fifo", "sieve", "opt", "lru-k",
    ]
    #expect(defined.subtracting(named) == [])
  }
}
