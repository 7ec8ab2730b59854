import Dispatch
import EvictionCore
import Parameters
import Requests
import Results
import Runner
import Simulation

/// A candidate, ready to be run.
package protocol Contender: Sendable {
  /// The candidate as it was named.
  var name: String { get }
  /// The kind of candidate.
  var kind: CandidateKind { get }
  /// The sandbox around it; nil for none.
  var sandbox: String? { get }
  /// The fields of a request that it reads.
  var needs: RequestNeeds { get }
  /// The memory for each key that it declares, in bytes.
  var bytesPerEntry: Int { get }
  /// The violations of its conformance suite, in words.
  func violations() -> [String]
  /// Runs it, on any thread.
  func run(_ cell: ScoreCell) -> ScoreRun
}

/// A run of a candidate.
package struct ScoreCell: Sendable {
  /// The requests, prepared for what the candidate needs.
  let stream: RequestStream
  let capacity: Int
  var seed: UInt64 = 42
  /// Numbers the slots from the other end.
  var reversesSlots = false
}

/// The outcome of a run.
package struct ScoreRun: Sendable {
  var misses = 0
  var evictions = 0
  var duration = Duration.zero
  /// The reason why there are no counts; nil for a finished run.
  var failure: String?
  /// True where that is the time which it took.
  var isLate = false

  /// Compares the counts of two finished runs.
  func isLike(_ other: ScoreRun) -> Bool {
    failure == nil && other.failure == nil && misses == other.misses
      && evictions == other.evictions
  }
}

/// A policy of the catalog, also by a formula: it is trusted, and runs in this process.
package struct CatalogContender: Contender {
  package let choice: PolicyChoice
  private let limits: CandidateLimits

  /// The seeds and the operations of the conformance suite's workloads.
  package static let conformance = (seeds: UInt64(1)..<3, operations: 150)

  /// A policy that knows no future.
  ///
  /// - Parameter limits: Those of a run; there is no sandbox.
  /// - Throws: `PolicyError` for a bound, which no cache can reach, and for parameters that no run accepts.
  package init(_ choice: PolicyChoice, _ limits: CandidateLimits) throws(PolicyError) {
    if choice.information.isBound {
      throw .conflict(
        policy: choice.name, explanation: "knows the future; a candidate must not")
    }
    try CatalogContender.check(choice)
    self.choice = choice
    self.limits = limits
  }

  /// Throws if no run accepts the parameters.
  static func check(_ choice: PolicyChoice) throws(PolicyError) {
    try choice.entry.description.check(
      capacity: max(1_000, choice.information.minimumCapacity), isSized: false,
      arguments: choice.arguments)
  }

  package var name: String { choice.label }
  package var kind: CandidateKind { .formula }
  package var sandbox: String? { nil }
  package var needs: RequestNeeds { choice.needs }
  package var bytesPerEntry: Int { choice.information.bytesPerSlot }

  package func violations() -> [String] {
    do throws(PolicyError) {
      return try choice.entry.violations(
        of: choice.specification, seeds: CatalogContender.conformance.seeds,
        operations: CatalogContender.conformance.operations
      ).map(\.description)
    } catch { return ["\(error)"] }
  }

  package func run(_ cell: ScoreCell) -> ScoreRun {
    var options = SimulationOptions(
      Requests.RunOptions(
        capacity: cell.capacity, arguments: choice.arguments, seed: cell.seed))
    let cancellation = Cancellation()
    options.run.cancellation = cancellation
    let start = ContinuousClock.now
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler {
      if .now - start >= limits.time || limits.cancellation.isCancelled { cancellation.cancel() }
    }
    let pause = min(limits.time.seconds, 0.05)
    timer.schedule(deadline: .now() + pause, repeating: pause)
    timer.resume()
    defer { timer.cancel() }
    do throws(PolicyError) {
      let counts = try choice.entry.simulator.run(cell.stream, options: options)
      guard let counts else {
        return ScoreRun(failure: ScoreRun.tooSlow(limits.time), isLate: true)
      }
      return ScoreRun(
        misses: counts.requests - counts.hits, evictions: counts.evictions,
        duration: ContinuousClock.now - start)
    } catch { return ScoreRun(failure: "\(error)") }
  }
}

extension ScoreRun {
  /// The reason of a run that took too long.
  static func tooSlow(_ limit: Duration) -> String { "took more than \(limit.seconds.digits(3)) s" }
}
