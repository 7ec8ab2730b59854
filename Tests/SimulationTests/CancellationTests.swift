import Parameters
import Requests
import Runner
import Simulation
import Testing
import Traces

/// A run looks at its cancellation after a thousand requests at most, whatever its policy does with one.
@Suite struct CancellationTests {
  private let trace = Trace.of(
    (0..<5_000).map { UInt64($0 % 3) }, sizes: Array(repeating: 1, count: 5_000))

  /// The hits that a policy logs of a cache that holds all keys, each of whose requests after the third hits.
  @Test(arguments: RunnablePolicyEntry.catalog.map(\.information.name))
  func aRunThatIsStoppedRunsFewRequestsMore(_ policy: String) throws {
    let choice = try PolicyChoice.parse([policy])[0]
    if !choice.needs.isDisjoint(with: [.keyLength, .expiry]) { return }
    let stream = RequestStream(trace, isSized: false, needs: choice.needs)
    func hits(stopped: Bool) throws -> (hits: Int, isWhole: Bool) {
      let log = HitLog(requests: trace.requests)
      var run = RunOptions(capacity: 1_000, arguments: choice.arguments)
      run.cancellation = Cancellation()
      if stopped { run.cancellation?.cancel() }
      var options = SimulationOptions(run)
      options.hits = log
      let counts = try choice.entry.simulator.run(stream, options: options)
      return ((0..<trace.requests).count { log[$0] }, counts != nil)
    }
    let whole = try hits(stopped: false)
    #expect(whole.isWhole && whole.hits > 1_000)
    let part = try hits(stopped: true)
    #expect(!part.isWhole && part.hits <= 1 << 10)
  }
}
