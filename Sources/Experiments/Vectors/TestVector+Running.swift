import EvictionCore
import Parameters
import Requests
import Runner
import Simulation

extension TestVector {
  /// The number of checkpoints, evenly spaced over the evictions.
  private static let checkpointCount = 8

  /// Runs a policy over a stream and records what it did.
  ///
  /// - Parameters:
  ///   - choice: The policy with its parameters.
  ///   - stream: The requests.
  ///   - capacity: In objects, or bytes in a sized stream.
  ///   - seed: The random seed.
  ///   - traceFormat: The format that the trace was read in, if it must be named.
  ///   - keepsSequence: Keeps every eviction, so that a divergence can be named exactly.
  /// - Throws: `PolicyError` when the policy cannot run so.
  package init(
    recording choice: PolicyChoice, over stream: RequestStream, capacity: Int, seed: Int = 42,
    traceFormat: String? = nil, keepsSequence: Bool = false
  ) throws(PolicyError) {
    let run = try TestVector.run(choice, over: stream, capacity: capacity, seed: seed)
    var hash = EvictionHash()
    var checkpoints: [Checkpoint] = []
    let count = run.log.slots.count
    let marks = (1...TestVector.checkpointCount).map { count * $0 / TestVector.checkpointCount }
    for (index, slot) in run.log.slots.enumerated() {
      hash.add(slot)
      if marks.contains(index + 1) {
        checkpoints.append(Checkpoint(evictions: index + 1, hash: hash))
      }
    }
    self.init(
      trace: stream.trace.name, traceFormat: traceFormat, requests: stream.requests,
      requestsDigest: TestVector.digest(of: stream), policy: choice.specification,
      capacity: capacity, unit: stream.isSized ? .bytes : .objects, seed: seed, hits: run.hits,
      checkpoints: checkpoints, sequence: keepsSequence ? run.log.slots : nil)
  }

  /// The vectors of a plan's cells, in its order.
  ///
  /// - Throws: `PolicyError` when a policy refuses to run after all.
  package static func record(
    _ plan: ExperimentPlan, traceFormat: String? = nil, keepsSequence: Bool = false
  ) throws(PolicyError) -> [TestVector] {
    let streams = PlannedStreams(plan)
    return try plan.cells.map { cell throws(PolicyError) in
      try TestVector(
        recording: cell.policy, over: streams[cell], capacity: cell.capacity, seed: cell.seed,
        traceFormat: traceFormat, keepsSequence: keepsSequence)
    }
  }

  private static func run(
    _ choice: PolicyChoice, over stream: RequestStream, capacity: Int, seed: Int
  ) throws(PolicyError) -> (hits: Int, log: EvictionLog) {
    let log = EvictionLog()
    var options = SimulationOptions(
      RunOptions(
        capacity: capacity, arguments: choice.arguments, seed: UInt64(bitPattern: Int64(seed))))
    options.evictions = log
    guard let counts = try choice.entry.simulator.run(stream, options: options) else {
      preconditionFailure("the observer stops no run")
    }
    return (counts.hits, log)
  }

  /// The first difference between this vector and a run.
  package enum Divergence: Sendable, Equatable {
    /// The trace has fewer requests than the vector.
    case shortTrace(requests: Int)
    /// The requests are not those of the vector.
    case otherRequests(digest: String)
    /// An eviction differs: its number from 1, the request that caused it from 1, the object that
    /// left here (nil for none), and the one that left in the vector.
    case eviction(number: Int, request: Int?, here: Slot?, vector: Slot?)
    /// Some eviction differs after the first number and up to the second; `request` is the first
    /// request, from 1, at which it can be.
    case evictions(after: Int, upTo: Int, request: Int?)
    /// The evictions are equal, and the hits are not.
    case hits(here: Int)
  }

  /// Runs the policy over the vector's requests and finds where the two part.
  ///
  /// - Parameters:
  ///   - choice: The policy with its parameters.
  ///   - stream: The first ``requests`` of the trace, with sizes where ``unit`` is bytes.
  /// - Returns: The first divergence, or nil if there is none.
  /// - Throws: `PolicyError` when the policy cannot run so.
  package func divergence(
    of choice: PolicyChoice, over stream: RequestStream
  ) throws(PolicyError) -> Divergence? {
    if stream.requests < requests { return .shortTrace(requests: stream.requests) }
    let digest = TestVector.digest(of: stream)
    if digest != requestsDigest { return .otherRequests(digest: digest) }
    let run = try TestVector.run(choice, over: stream, capacity: capacity, seed: seed)
    if let found = firstDifference(from: run.log) { return found }
    return run.hits == hits ? nil : .hits(here: run.hits)
  }

  private func firstDifference(from log: EvictionLog) -> Divergence? {
    func request(_ index: Int) -> Int? {
      index < log.requests.count ? Int(log.requests[index]) + 1 : nil
    }
    if let sequence {
      if sequence == log.slots { return nil }
      let same = zip(sequence, log.slots).prefix { $0 == $1 }.count
      return .eviction(
        number: same + 1, request: request(same),
        here: same < log.slots.count ? log.slots[same] : nil,
        vector: same < sequence.count ? sequence[same] : nil)
    }
    var hash = EvictionHash()
    var done = 0
    for checkpoint in checkpoints {
      for slot in log.slots[done..<min(checkpoint.evictions, log.slots.count)] { hash.add(slot) }
      if checkpoint.evictions > log.slots.count || hash != checkpoint.hash {
        return .evictions(after: done, upTo: checkpoint.evictions, request: request(done))
      }
      done = checkpoint.evictions
    }
    if log.slots.count == done { return nil }
    return .eviction(number: done + 1, request: request(done), here: log.slots[done], vector: nil)
  }
}
