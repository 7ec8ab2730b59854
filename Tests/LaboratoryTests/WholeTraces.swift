import Experiments
import Foundation
import Parameters
import Requests
import Results
import Simulation
import Testing
import Traces

/// The recorded traces that tests simulate.
enum WholeTraces {
  /// The folder of the published ones, which the environment names.
  static let publicFolder = ProcessInfo.processInfo.environment["EVICTIONLAB_TRACES"]

  /// The folder of those that come with the package.
  static let bundledFolder = URL(filePath: #filePath).appending(path: "../../../traces")
    .standardized.path

  static let bundled = [
    "build.csv.zst", "history.txt.zst", "hotscan.txt.zst", "orders.txt.zst", "search.txt.zst",
    "zipf.txt.zst",
  ]

  static let published = [
    "OLTP.lis.zst", "P2.lis.zst", "P3.lis.zst", "lirs-2_pools.trace.gz", "lirs-cpp.trace.gz",
    "lirs-loop.trace.gz", "lirs-multi1.trace.gz", "lirs-sprite.trace.gz", "cloudPhysicsIO.txt",
    "cloudPhysicsIO.csv", "cloudPhysicsIO.oracleGeneral.bin",
  ]

  static func load(
    _ name: String, columns: TraceColumns = [], limit: Int? = nil
  ) throws -> Trace {
    let folder = bundled.contains(name) ? bundledFolder : try #require(publicFolder)
    return try TraceLoader.load(path: "\(folder)/\(name)", columns: columns, limit: limit)
  }
}

extension Trait where Self == ConditionTrait {
  /// The test simulates whole traces, which is too slow without optimisation.
  static var inReleaseBuilds: Self {
    #if DEBUG
      .disabled("tests over whole traces need a release build: swift test -c release")
    #else
      .enabled(if: true)
    #endif
  }

  /// The test needs the published traces.
  static var withPublicTraces: Self {
    .enabled(
      if: WholeTraces.publicFolder != nil, "EVICTIONLAB_TRACES names no folder of public traces")
  }
}

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
