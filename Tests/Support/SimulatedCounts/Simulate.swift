import Parameters
import Requests
import Results
import Runner
import Simulation

/// Simulates one policy, written as on a command line, over a prepared stream.
package func simulate(
  _ text: String, _ stream: RequestStream, capacity: Int, seed: UInt64 = 42, warmup: Int = 0,
  countsSets: Bool = false
) throws -> RequestCounts {
  let specification = try Specification(parsing: text)
  let policy = try PolicyChoice.entry(
    named: specification.name, among: RunnablePolicyEntry.catalog)
  let options = RunOptions(
    capacity: capacity, arguments: try policy.description.arguments(of: specification), seed: seed,
    warmup: warmup, countsSets: countsSets)
  return try policy.simulator.run(stream, options: SimulationOptions(options))!
}
