import Conformance
import EvictionCore
import Requests
import Results
import Traces

/// Turns cells into outcomes: one engine for each way to run a policy.
package protocol Engine: Sendable {
  /// True for cells that a neighbour would disturb: these run one at a time.
  var runsAlone: Bool { get }
  /// True if an outcome says all that a run leaves behind, and it needs one thread: then a policy that may trap runs in a
  /// child.
  var runsInChild: Bool { get }
  /// The most rounds of a cell, interleaved with the cells at the same place.
  var rounds: Int { get }
  /// The rounds that a cell is expected to take, for the progress.
  func usualRounds(of cell: Cell, on stream: RequestStream) -> Int
  /// The fields of a request that are prepared for a cell of this policy.
  func needs(of policy: PolicyChoice) -> RequestNeeds
  /// False where cells read their trace elsewhere: then none is made of their variations.
  var readsStream: Bool { get }
  /// The requests of one round, for the progress.
  func work(of cell: Cell, on stream: RequestStream) -> Int
  /// The engine that draws lru at all sizes, and the unit of these; nil where nothing draws it.
  var reference: (engine: any Engine, unit: Measurement.Unit)? { get }
  /// The seconds of one round that no machine could shorten, as requests have times of their own.
  func scheduledSeconds(of cell: Cell, on stream: RequestStream) -> Double
  /// Runs one round of a cell.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - stream: Its trace, prepared.
  ///   - round: The round, from 1.
  ///   - observer: Takes the requests done; returning false stops the cell.
  /// - Returns: The outcome, after the last round that the cell takes; nil before, and for a stopped cell.
  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome?
  /// True if the cell may share a pass over the trace with others that differ from it in their capacities only.
  func sharesPass(_ cell: Cell, on stream: RequestStream) -> Bool
  /// Runs cells that share a pass.
  ///
  /// - Parameters:
  ///   - cells: The cells.
  ///   - stream: Their trace, prepared.
  ///   - observer: Takes the number of requests done, the same of every cell; returning false stops the pass.
  /// - Returns: The outcome of each; nil for a stopped pass.
  func run(
    sharing cells: [Cell], on stream: RequestStream, observer: (Int) -> Bool
  ) throws(ExperimentError) -> [Outcome]?
}

extension Engine {
  package func sharesPass(_ cell: Cell, on stream: RequestStream) -> Bool { false }
  package func run(
    sharing cells: [Cell], on stream: RequestStream, observer: (Int) -> Bool
  ) throws(ExperimentError) -> [Outcome]? {
    preconditionFailure("no pass to share")
  }
  package var reference: (engine: any Engine, unit: Measurement.Unit)? {
    (ReferenceEngine(), .objects)
  }
  package var readsStream: Bool { true }
  package var runsAlone: Bool { false }
  package var runsInChild: Bool { false }
  package var rounds: Int { 1 }
  package func usualRounds(of cell: Cell, on stream: RequestStream) -> Int { rounds }
  package func needs(of policy: PolicyChoice) -> RequestNeeds { policy.needs }
  package func work(of cell: Cell, on stream: RequestStream) -> Int { stream.requests }
  package func scheduledSeconds(of cell: Cell, on stream: RequestStream) -> Double { 0 }
}

/// The outcome of a cell.
package enum Outcome: Sendable {
  /// The measurement of a run.
  case measurement(Measurement)
  /// The hit ratio of the optimum, between these; nil where nothing is counted.
  case bound(ClosedRange<Double>?)
  /// A curve with all its points.
  case curve(MissRatioCurve)
  /// Points of a curve that are drawn when all are known.
  case points([SampledMissRatio], MissRatioCurve.Method, seconds: Double)

  /// The hit ratio, as far as it is known.
  package var hitRatio: ClosedRange<Double>? {
    switch self {
    case .measurement(let measurement): measurement.comparedHitRatio.map { $0...$0 }
    case .bound(let range): range
    case .curve, .points: nil
    }
  }
}

/// The reason why a cell failed. Plans refuse what cannot run, so this is rare.
package enum ExperimentError: Error {
  /// The policy refuses to run after all.
  case policy(PolicyError)
  /// The policy breaks the contract with its host.
  case contract(ContractBreach)
  /// A file cannot be written.
  case file(TraceError)
  /// A trace that is read block by block has an error, or has changed, or ends too soon.
  case stream(any Error)
  /// A store or its disk fails.
  case store(any Error)
  /// A system under test fails.
  case system(any Error)

  /// Calls `body`, which runs a policy.
  package static func running<Value>(
    _ body: () throws(PolicyError) -> Value
  ) throws(ExperimentError) -> Value {
    do throws(PolicyError) { return try body() } catch { throw .policy(error) }
  }

  /// True for what one cell's system did, which the others need not mind.
  package var endsItsCellOnly: Bool { if case .system = self { true } else { false } }

  /// The error behind it.
  package var cause: any Error {
    switch self {
    case .policy(let error): error
    case .contract(let error): error
    case .stream(let error): error
    case .store(let error): error
    case .file(let error): error
    case .system(let error): error
    }
  }
}

/// A policy that broke the contract with its host in a cell.
package struct ContractBreach: Error, CustomStringConvertible {
  package let cell: CellKey
  package let request: Int
  package let breach: String

  /// The cell, the request, the property and the breach, in one line.
  package var description: String {
    "\(cell.label) on \(cell.trace), request \(request): violates “"
      + "\(ConformanceProperty.contract.rawValue)”: \(breach); see evict policies check"
  }
}
