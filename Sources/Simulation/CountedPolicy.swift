import EvictionCore
import Requests
import Results

/// A policy of the catalog whose counts over plain gets a loop finds without the policy.
struct CountedPolicy: Sendable {
  /// The policy's parameters that the loop heeds.
  let parameters: Set<String>
  /// True if the loop counts such a run.
  let covers: @Sendable (RunOptions) -> Bool
  let run: @Sendable (RequestStream, SimulationOptions, (_ requests: Int) -> Bool) -> RequestCounts?
  let begin: @Sendable (BlockOptions) -> BlockSimulation
  /// The bytes that the loop takes.
  let bytes: @Sendable (_ keys: Int, RunOptions) -> Int
  /// Counts several capacities in one pass over a stream that it covers; nil where each has its own.
  let shared: SharedPass?

  /// A pass over a stream that runs share.
  struct SharedPass: Sendable {
    let covers: @Sendable (RequestStream) -> Bool
    let run: @Sendable (RequestStream, [RunOptions], (_ requests: Int) -> Bool) -> [RequestCounts]?
  }

  init<Loop: ArrivalLoop & SendableMetatype & ~Copyable>(
    _ loop: Loop.Type, shared: SharedPass? = nil
  ) {
    parameters = Loop.parameters
    covers = { Loop.covers($0) }
    run = { Loop.run($0, options: $1, observer: $2) }
    begin = { Loop.begin($0) }
    bytes = { Loop.bytes(keys: $0, $1) }
    self.shared = shared
  }

  /// The loop for a policy; nil where there is none, or the policy declares a parameter that it would not heed.
  static func of(_ policy: PolicyInformation) -> CountedPolicy? {
    catalog[policy.name].flatMap { loop in
      policy.parameters.allSatisfy { loop.parameters.contains($0.name) } ? loop : nil
    }
  }

  /// By the policy's name.
  private static let catalog = [
    "arc": CountedPolicy(AdaptiveLoop.self),
    "fifo": CountedPolicy(FIFOLoop.self),
    "lfu": CountedPolicy(FrequencyLoop.self),
    "lru": CountedPolicy(
      RecencyLoop.self,
      shared: SharedPass(
        covers: { StackLoop.covers($0) }, run: { StackLoop.run($0, $1, observer: $2) })),
    "random": CountedPolicy(RandomLoop.self),
    "slru": CountedPolicy(SegmentedLoop.self),
    "wtinylfu": CountedPolicy(SketchLoop.self),
  ]
}
