import EvictionCore
import Parameters
import Requests
import Results

/// The run of one policy that is handed its requests block by block.
///
/// Closures over a concrete run, as only these are compiled for its policy: through a protocol each request would
/// take several times as long. One thread at a time.
@usableFromInline
package struct BlockSimulation: @unchecked Sendable {
  private let runBlock: (RequestColumns) -> Void
  private let countSoFar: () -> RequestCounts

  @usableFromInline
  init(run: @escaping (RequestColumns) -> Void, counts: @escaping () -> RequestCounts) {
    runBlock = run
    countSoFar = counts
  }

  /// The counts so far; none before the warm-up is over.
  package var counts: RequestCounts { countSoFar() }

  /// Runs the requests of the next block; some of them where the options' cancellation stops it.
  package func run(_ block: RequestColumns) { runBlock(block) }
}

/// The options of a run block by block, and what is known of its trace beforehand.
@usableFromInline
package struct BlockOptions: Sendable {
  /// Capacity, parameters, seed and warm-up.
  @usableFromInline let run: RunOptions
  /// True if objects count their bytes.
  @usableFromInline let isSized: Bool
  /// True if every request is a plain get of an object that counts one.
  @usableFromInline let isPlain: Bool
  /// The slots to reserve at once.
  @usableFromInline let slots: Int
  /// Takes the counts of each window; nil for none.
  @usableFromInline let windows: WindowLog?

  /// Options for one run.
  package init(
    _ run: RunOptions, isSized: Bool, isPlain: Bool, slots: Int, windows: WindowLog? = nil
  ) {
    self.run = run
    self.windows = windows
    self.isSized = isSized
    self.isPlain = isPlain
    self.slots = slots
  }
}

extension SimulationLoop where Policy: ~Copyable {
  /// Begins a run block by block: with the same requests it counts what ``run(_:options:internals:observer:)``
  /// counts.
  ///
  /// - Throws: ``PolicyError`` if the policy cannot run with these options.
  @inlinable
  static func begin(_ options: BlockOptions) throws(PolicyError) -> BlockSimulation {
    let run = options.run
    let configuration = configuration(of: run, isSized: options.isSized, slots: options.slots)
    let policy = try Policy(configuration)
    let filter = try PolicyDescription.filter(
      run, policy: Policy.information.name, isSized: options.isSized)
    let loop = BlockLoop<Policy, SizedHost, ColumnSource>(
      policy,
      host: SizedHost(
        capacity: configuration.capacity, slots: options.slots, filter: filter, keyHashes: nil,
        options: SimulationOptions(run)),
      options: options, resizes: run.arguments.flag("resize"))
    return BlockSimulation(run: { loop.run($0) }, counts: { loop.counts })
  }

  /// Begins a run block by block of plain gets of objects that count one.
  ///
  /// - Throws: ``PolicyError`` if the policy cannot run with these options.
  @inlinable
  static func beginPlain(_ options: BlockOptions) throws(PolicyError) -> BlockSimulation {
    let configuration = configuration(of: options.run, isSized: false, slots: options.slots)
    let loop = BlockLoop<Policy, UnitHost, PlainSource>(
      try Policy(configuration), host: UnitHost(capacity: configuration.capacity),
      options: options, resizes: false)
    return BlockSimulation(run: { loop.run($0) }, counts: { loop.counts })
  }
}

/// A policy and its host between two blocks.
@usableFromInline
final class BlockLoop<
  Policy: ReplacementPolicy & ~Copyable, Host: SimulationHost & ~Copyable,
  Source: BlockRequestSource
> {
  @usableFromInline var policy: Policy
  @usableFromInline var host: Host
  @usableFromInline var counted = RequestCounts()
  @usableFromInline let options: RunOptions
  @usableFromInline let resizes: Bool
  @usableFromInline let windows: WindowLog?
  @usableFromInline var slots: Int
  @usableFromInline var done = 0
  @usableFromInline var evictionsBefore = 0

  @inlinable
  init(_ policy: consuming Policy, host: consuming Host, options: BlockOptions, resizes: Bool) {
    self.policy = policy
    self.host = host
    self.options = options.run
    self.resizes = resizes
    windows = options.windows
    slots = options.slots
  }

  /// The counts so far. What has expired leaves first.
  @inlinable var counts: RequestCounts {
    if done < options.warmup { return RequestCounts() }
    counted.expirations += SimulationLoop<Policy>.removeAllDue(policy: &policy, host: &host)
    var counts = counted
    counts.evictions = host.evictions - evictionsBefore
    return counts
  }

  @inlinable
  func run(_ block: RequestColumns) {
    if block.slots > slots {
      policy.reserve(slots: block.slots)
      host.reserve(slots: block.slots)
      slots = block.slots
    }
    host.use(keyHashes: block.keyHashes)
    let source = Source(block)
    let most = options.requestsBetweenLooks
    var next = 0
    while next < block.count {
      let left = options.warmup - done
      let window = (windows?.end(after: done) ?? .max) - done
      let end = next + min(block.count - next, left > 0 ? left : .max, window, most)
      SimulationLoop<Policy>.run(
        next..<end, of: block.count, source: source, policy: &policy, host: &host,
        counts: &counted, countsSets: options.countsSets, resizes: resizes)
      done += end - next
      next = end
      windows?.take(after: done, counted)
      if done == options.warmup {
        _ = SimulationLoop<Policy>.removeAllDue(policy: &policy, host: &host)
        counted = RequestCounts()
        evictionsBefore = host.evictions
      }
      if let cancellation = options.cancellation, cancellation.isCancelled { return }
    }
  }
}
