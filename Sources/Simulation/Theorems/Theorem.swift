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
  /// Counts a stream; nil if the observer stopped it.
  let run: @Sendable (RequestStream, SimulationOptions, (_ requests: Int) -> Bool) -> RequestCounts?
  /// True if it counts such a run over a stream.
  let covers: @Sendable (RequestStream, RunOptions) -> Bool
  /// Counts block by block; nil where the future must be known.
  var blocks: Blocks?
  /// Counts several capacities in one pass over a stream; nil where each has its own.
  var shared:
    (@Sendable (RequestStream, [RunOptions], (_ requests: Int) -> Bool) -> [RequestCounts]?)?

  /// A count block by block.
  struct Blocks: Sendable {
    let begin: @Sendable (BlockOptions) -> BlockSimulation
    /// The bytes that it takes.
    let bytes: @Sendable (_ keys: Int) -> Int
  }

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
      file: file, run: { Counter.run($0, options: $1, observer: $2) },
      covers: { _, _ in true },
      blocks: Blocks(begin: { Counter.begin($0) }, bytes: { Counter.bytes(keys: $0) }),
      shared: shared)
  }

  private static func minimum(bypasses: Bool) -> Theorem {
    Theorem(
      file: MINCounter.file,
      run: { MINCounter.run($0, options: $1, bypasses: bypasses, observer: $2) },
      covers: { MINCounter.covers($0, $1) })
  }
}
