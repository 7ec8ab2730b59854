import Requests
import Results

/// A policy of the catalog whose counts over plain gets a loop finds without the policy.
struct CountedPolicy: Sendable {
  /// True if the loop counts such a run.
  let covers: @Sendable (RunOptions) -> Bool
  let run: @Sendable (RequestStream, SimulationOptions, (_ requests: Int) -> Bool) -> RequestCounts?
  let begin: @Sendable (BlockOptions) -> BlockSimulation
  /// The bytes that the loop takes.
  let bytes: @Sendable (_ keys: Int, RunOptions) -> Int

  init<Loop: ArrivalLoop & SendableMetatype & ~Copyable>(_ loop: Loop.Type) {
    covers = { Loop.covers($0) }
    run = { Loop.run($0, options: $1, observer: $2) }
    begin = { Loop.begin($0) }
    bytes = { Loop.bytes(keys: $0, $1) }
  }

  /// By the policy's name.
  static let catalog = [
    "arc": CountedPolicy(AdaptiveLoop.self),
    "fifo": CountedPolicy(FIFOLoop.self),
    "lfu": CountedPolicy(FrequencyLoop.self),
    "lru": CountedPolicy(RecencyLoop.self),
    "random": CountedPolicy(RandomLoop.self),
    "slru": CountedPolicy(SegmentedLoop.self),
  ]
}
