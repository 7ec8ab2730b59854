import EvictionCore
import Parameters
import Requests
import Results

/// A theorem about a baseline: its counts over plain gets of objects that count one follow without asking who leaves.
///
/// A policy is answered by one if its page declares so (`PolicyInformation.baselines`, `optimumWithoutSizes`), and only
/// with parameters that the declarations name: another parameter turns it off. Each run compares it with the policy first.
struct Theorem: Sendable {
  /// The objects that counters have numbers for: larger caches run the policy.
  static var mostObjects: Int { 1 << 30 }

  /// The file of the counter.
  let file: String
  /// Begins a count.
  let begin: @Sendable (SimulationOptions, RequestShape) -> BlockSimulation
  /// True if it counts such a run.
  let covers: @Sendable (RequestShape, RunOptions) -> Bool
  /// The bytes that it takes for a number of keys, beside its trace.
  let bytes: @Sendable (_ keys: Int) -> Int
  /// Counts several capacities in one pass over a stream; nil where each has its own.
  var shared:
    (@Sendable (RequestStream, [RunOptions], (_ requests: Int) -> Bool) -> [RequestCounts]?)?

  /// The theorem about a policy with some parameters; nil if there is none.
  static func about(_ policy: PolicyDescription, with arguments: Arguments) -> Theorem? {
    let information = policy.information
    var declared = Array(information.baselines.values)
    if let optimum = information.optimumWithoutSizes { declared.append(optimum) }
    let named = declared.flatMap { $0.given.map(\.key) }
    guard information.parameters.allSatisfy({ named.contains($0.name) }) else { return nil }
    switch policy.baseline(with: arguments) {
    case .lru: return lru
    case .fifo: return fifo
    case .optimum: return optimum
    case .bypassingOptimum: return bypassingOptimum
    case .infinite: return nil
    case nil: return policy.isOptimumWithoutSizes(with: arguments) ? optimum : nil
    }
  }

  private static let lru = numbering(
    LRUCounter.self, file: LRUCounter.file,
    shared: { LRUStackCounter.run($0, $1, observer: $2) })
  private static let fifo = numbering(FIFOCounter.self, file: FIFOCounter.file)
  private static let optimum = minimum(bypasses: false)
  private static let bypassingOptimum = minimum(bypasses: true)

  private static func numbering<Counter: NumberingCounter & SendableMetatype & ~Copyable>(
    _ counter: Counter.Type, file: String,
    shared: (@Sendable (RequestStream, [RunOptions], (Int) -> Bool) -> [RequestCounts]?)? = nil
  ) -> Theorem {
    Theorem(
      file: file,
      begin: { options, shape in
        BlockSimulation(
          Counter(slots: shape.slots, capacity: options.run.capacity), options)
      },
      covers: { _, _ in true }, bytes: { Counter.bytes(keys: $0) }, shared: shared)
  }

  private static func minimum(bypasses: Bool) -> Theorem {
    Theorem(
      file: MINCounter.file,
      begin: { BlockSimulation(MINCounter($0, over: $1, bypasses: bypasses), $0) },
      covers: { MINCounter.covers($0, $1) }, bytes: { _ in 0 })
  }
}
