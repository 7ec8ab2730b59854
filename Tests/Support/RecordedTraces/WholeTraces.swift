import Foundation
import Testing
import Traces

/// The recorded traces that tests simulate.
package enum WholeTraces {
  /// The folder of the published ones, which the environment names.
  package static let publicFolder = ProcessInfo.processInfo.environment["EVICTIONLAB_TRACES"]

  /// The folder of those that come with the package.
  package static let bundledFolder = URL(filePath: #filePath).resolvingSymlinksInPath().appending(
    path: "../../../../traces"
  )
  .standardized.path

  package static let bundled = [
    "build.csv.zst", "history.txt.zst", "hotscan.txt.zst", "orders.txt.zst", "search.txt.zst",
    "zipf.txt.zst",
  ]

  package static let published = [
    "OLTP.lis.zst", "P2.lis.zst", "P3.lis.zst", "lirs-2_pools.trace.gz", "lirs-cpp.trace.gz",
    "lirs-loop.trace.gz", "lirs-multi1.trace.gz", "lirs-sprite.trace.gz", "cloudPhysicsIO.txt",
    "cloudPhysicsIO.csv", "cloudPhysicsIO.oracleGeneral.bin",
  ]

  package static func load(
    _ name: String, columns: TraceColumns = [], limit: Int? = nil
  ) throws -> Trace {
    let folder = bundled.contains(name) ? bundledFolder : try #require(publicFolder)
    return try TraceLoader.load(path: "\(folder)/\(name)", columns: columns, limit: limit)
  }
}

extension Trait where Self == ConditionTrait {
  /// The test simulates whole traces, which is too slow without optimisation.
  package static var inReleaseBuilds: Self {
    #if DEBUG
      .disabled("tests over whole traces need a release build: swift test -c release")
    #else
      .enabled(if: true)
    #endif
  }

  /// The test needs the published traces.
  package static var withPublicTraces: Self {
    .enabled(
      if: WholeTraces.publicFolder != nil, "EVICTIONLAB_TRACES names no folder of public traces")
  }
}
