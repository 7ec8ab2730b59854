import Conformance
import EvictionCore
import Parameters
import Requests
import Results

/// The run of one policy that is handed its requests block by block; those of a trace in memory are one block.
///
/// Closures over a concrete run, as only these are compiled for its policy: through a protocol each request would
/// take several times as long. One thread at a time.
@usableFromInline
package struct BlockSimulation: @unchecked Sendable {
  @usableFromInline
  typealias Observer = (_ requests: Int) -> Bool
  private let owner: RunOwner
  private let runBlock: (RequestColumns, inout InternalsSeries, Observer) -> Bool
  private let countSoFar: () -> RequestCounts

  /// The run of a counter.
  @inlinable
  package init<Body: Counter & ~Copyable>(_ counter: consuming Body, _ options: SimulationOptions) {
    // Memory in place of an object, whose type would be put together for each policy when it runs.
    let run = UnsafeMutablePointer<SimulationRun<Body>>.allocate(capacity: 1)
    run.initialize(to: SimulationRun(counter, options))
    let owner = RunOwner {
      run.deinitialize(count: 1)
      run.deallocate()
    }
    self.init(owner: owner, run: { run.pointee.run($0, &$1, $2) }, counts: { run.pointee.counts() })
  }

  @usableFromInline
  init(
    owner: RunOwner, run: @escaping (RequestColumns, inout InternalsSeries, Observer) -> Bool,
    counts: @escaping () -> RequestCounts
  ) {
    self.owner = owner
    runBlock = run
    countSoFar = counts
  }

  /// The counts so far; none before the warm-up is over.
  package var counts: RequestCounts { withExtendedLifetime(owner) { countSoFar() } }

  /// Runs the requests of the next block.
  ///
  /// - Parameters:
  ///   - block: The requests.
  ///   - internals: Takes what the policy has learned at its points; none of several blocks.
  ///   - observer: Called at least every million requests with the number done; returning false stops the run.
  /// - Returns: False if it was stopped: by the observer, by the options' cancellation, or by a broken contract.
  @discardableResult
  package func run(
    _ block: RequestColumns, internals: inout InternalsSeries, observer: (Int) -> Bool
  ) -> Bool {
    withExtendedLifetime(owner) { runBlock(block, &internals, observer) }
  }

  /// Runs the requests of the next block, without a look at them meanwhile.
  @discardableResult
  package func run(_ block: RequestColumns) -> Bool {
    var none = InternalsSeries(points: 0)
    return run(block, internals: &none) { _ in true }
  }
}

/// Releases a run with the last that holds it.
@usableFromInline
final class RunOwner {
  private let release: () -> Void

  @usableFromInline
  init(release: @escaping () -> Void) { self.release = release }

  deinit { release() }
}

/// Counts requests that come block by block: by a policy, or by a theorem about one.
@usableFromInline
package protocol Counter: ~Copyable {
  /// The counts since the warm-up.
  var counts: RequestCounts { get }
  /// Takes the block whose requests are counted next.
  mutating func begin(_ block: RequestColumns)
  /// Runs and counts consecutive requests of the block.
  mutating func count(_ range: Range<Int>)
  /// Lets go of what has expired, and counts it.
  mutating func settle()
  /// Counts from here on.
  mutating func restart()
  /// Passes on what has been learned, with its names.
  func showInternals(_ show: (String, Double) -> Void)
  /// Returns true if the contract between policy and host is broken; at the end all slots are looked at.
  mutating func isBroken(atEnd: Bool) -> Bool
}

extension Counter where Self: ~Copyable {
  @inlinable package mutating func settle() {}
  @inlinable package func showInternals(_ show: (String, Double) -> Void) {}
  @inlinable package mutating func isBroken(atEnd: Bool) -> Bool { false }
}

/// The one driver of simulations: warm-up, windows, points, observers and cancellation of a run.
@usableFromInline
struct SimulationRun<Body: Counter & ~Copyable>: ~Copyable {
  @usableFromInline var counter: Body
  @usableFromInline let options: SimulationOptions
  /// The requests of all blocks so far.
  @usableFromInline var done = 0

  @inlinable
  init(_ counter: consuming Body, _ options: SimulationOptions) {
    self.counter = consume counter
    self.options = options
  }

  /// The counts so far. What has expired leaves first.
  @inlinable
  mutating func counts() -> RequestCounts {
    if done < options.run.warmup { return RequestCounts() }
    counter.settle()
    return counter.counts
  }

  @inlinable
  mutating func run(
    _ block: RequestColumns, _ internals: inout InternalsSeries,
    _ observer: BlockSimulation.Observer
  ) -> Bool {
    counter.begin(block)
    let before = done
    let requests = block.count
    let most = options.run.requestsBetweenLooks
    var next = 0
    var isFinished = true
    while next < requests && isFinished {
      let left = options.run.warmup - done
      let point = internals.point(after: next, of: requests)
      let window = (options.windows?.end(after: done) ?? .max) - done
      let end =
        next
        + min(
          options.run.requestsBetweenReports, requests - next, point - next,
          left > 0 ? left : .max, window)
      while next < end && isFinished {
        let part = next + min(most, end - next)
        counter.count(next..<part)
        next = part
        isFinished = options.run.cancellation?.isCancelled != true
      }
      done = before + next
      if !isFinished { break }
      if next == point && internals.points > 0 {
        internals.take(after: next) { show in counter.showInternals(show) }
      }
      options.windows?.take(after: done, counter.counts)
      if done == options.run.warmup {
        counter.settle()
        counter.restart()
      }
      isFinished = !counter.isBroken(atEnd: next == requests) && observer(done)
    }
    return isFinished
  }
}

/// A policy and its host, and the requests that they run.
@usableFromInline
struct PolicyCounter<
  Policy: ReplacementPolicy & ~Copyable, Host: SimulationHost & ~Copyable, Source: RequestSource
>: Counter, ~Copyable {
  @usableFromInline var policy: Policy
  @usableFromInline var host: Host
  @usableFromInline var source: Source?
  @usableFromInline var counted = RequestCounts()
  /// The requests of the block.
  @usableFromInline var requests = 0
  @usableFromInline var slots: Int
  @usableFromInline var evictionsBefore = 0
  @usableFromInline let options: SimulationOptions
  @usableFromInline let resizes: Bool

  @inlinable
  init(
    _ policy: consuming Policy, host: consuming Host, options: SimulationOptions, slots: Int,
    resizes: Bool
  ) {
    self.policy = policy
    self.host = host
    self.options = options
    self.slots = slots
    self.resizes = resizes
  }

  @inlinable var counts: RequestCounts {
    var counts = counted
    counts.evictions = host.evictions - evictionsBefore
    counts.learning = policy.learningCosts.map(LearningMeasures.init)
    return counts
  }

  @inlinable
  mutating func begin(_ block: RequestColumns) {
    if block.slots > slots {
      policy.reserve(slots: block.slots)
      host.reserve(slots: block.slots)
      slots = block.slots
    }
    host.use(keyHashes: block.keyHashes)
    source = Source(block)
    requests = block.count
  }

  @inlinable @inline(__always)
  mutating func count(_ range: Range<Int>) {
    guard let source else { preconditionFailure("a block was begun") }
    SimulationLoop<Policy>.run(
      range, of: requests, source: source, policy: &policy, host: &host, counts: &counted,
      countsSets: options.run.countsSets, resizes: resizes)
  }

  @inlinable
  mutating func settle() {
    counted.expirations += SimulationLoop<Policy>.removeAllDue(policy: &policy, host: &host)
  }

  @inlinable
  mutating func restart() {
    counted = RequestCounts()
    evictionsBefore = host.evictions
  }

  @inlinable
  func showInternals(_ show: (String, Double) -> Void) { policy.showInternals(show) }

  @inlinable
  mutating func isBroken(atEnd: Bool) -> Bool {
    guard let account = options.account else { return false }
    if atEnd {
      settle()
      account.compareAll { policy.contains($0) }
    }
    return account.breach != nil
  }
}
