import Experiments
import Parameters
import Requests
import Results
import Runner
import Simulation
import Testing

/// Simulates one policy, written as on a command line, over a prepared stream.
func simulate(
  _ text: String, _ stream: RequestStream, capacity: Int, seed: UInt64 = 42, warmup: Int = 0,
  countsSets: Bool = false
) throws -> RequestCounts {
  let specification = try Specification(parsing: text)
  let policy = try #require(
    RunnablePolicyEntry.catalog.first { $0.information.name == specification.name })
  let options = RunOptions(
    capacity: capacity, arguments: try policy.description.arguments(of: specification), seed: seed,
    warmup: warmup, countsSets: countsSets)
  return try #require(try policy.simulator.run(stream, options: SimulationOptions(options)))
}
