import EvictionCore
import Parameters
import Requests
import Simulation
import Traces

extension Trace {
  /// The hit ratio of a policy of the catalog in a cache of this fraction of the distinct keys.
  func hitRatio(of policy: String, fraction: Double) throws -> Double {
    guard
      let simulator = PolicySimulator.catalog.first(where: {
        $0.description.information.name == policy
      })
    else { throw ClaimUnavailable("no policy is called “\(policy)”") }
    let stream = RequestStream(self, needs: simulator.description.needs)
    let options = RunOptions(
      capacity: capacity(fraction),
      arguments: Arguments(parameters: simulator.description.parameters))
    guard let counts = try simulator.run(stream, options: SimulationOptions(options)) else {
      throw ClaimUnavailable("the simulation was stopped")
    }
    return Double(counts.hits) / Double(counts.requests)
  }

  /// A fraction of the distinct keys, at least 1.
  func capacity(_ fraction: Double) -> Int { max(1, Int(Double(distinct) * fraction)) }

  /// The traces that come with the project, on which claims about hits are tested.
  static let bundled = [
    "build.csv.zst", "history.txt.zst", "hotscan.txt.zst", "orders.txt.zst", "search.txt.zst",
    "zipf.txt.zst",
  ]
}
