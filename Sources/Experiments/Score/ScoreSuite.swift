import Runner
import Traces

/// The traces and capacities on which candidates are judged.
///
/// Each trace has a public form, the same in every run, and a hidden one, which a salt makes: who learns the public ones by
/// heart gains nothing on those.
package struct ScoreSuite: Sendable {
  /// The name on the command line.
  package let name: String
  /// One line.
  package let summary: String
  /// The capacities: fractions of a trace's distinct keys.
  package let capacities: [Capacity]
  /// The origins of the traces.
  package let sources: [Source]

  /// The origin of a trace.
  package enum Source: Sendable {
    /// The phases of a workload that is made.
    case generated([String])
    /// A recording, of which a window of that many requests is run.
    case recorded(String, bytes: @Sendable () -> [UInt8], requests: Int)
  }

  /// The suites, the one by default first.
  package static let all: [ScoreSuite] = [
    ScoreSuite(
      "standard", "seven made traces and windows of two recordings, at 1, 5 and 20 % of the keys",
      "1%,5%,20%", made(requests: 60_000) + recordings(requests: 50_000)),
    ScoreSuite(
      "quick", "the made traces alone, a third as long, at 5 and 20 % of the keys: for searches",
      "5%,20%", made(requests: 20_000)),
  ]

  private init(_ name: String, _ summary: String, _ capacities: String, _ sources: [Source]) {
    self.name = name
    self.summary = summary
    self.sources = sources
    do throws(PlanError) {
      self.capacities = try Capacity.list(parsing: capacities)
    } catch { preconditionFailure("\(error)") }
  }

  /// Workloads of several kinds, whose parameters keep their proportions whatever their length.
  private static func made(requests: Int) -> [Source] {
    let (keys, half) = (requests / 10, requests / 2)
    return [
      ["zipf:alpha=0.8:keys=\(keys):requests=\(requests)"],
      ["zipf:alpha=1.1:keys=\(keys):requests=\(requests)"],
      ["zipf-drift:alpha=1:keys=\(keys):period=\(requests / 3_000):requests=\(requests)"],
      ["hotscan:hot=\(keys / 20):scan=\(keys):share=0.6:requests=\(requests)"],
      [
        "hot-shift:keys=\(keys):hot=\(keys / 20):share=0.8:period=\(requests / 10):"
          + "requests=\(requests)"
      ],
      ["stack-distance:alpha=0.7:depth=\(keys):new=0.05:requests=\(requests)"],
      ["zipf:alpha=0.9:keys=\(keys):requests=\(half)", "loop:keys=\(keys / 4):requests=\(half)"],
    ].map(Source.generated)
  }

  private static func recordings(requests: Int) -> [Source] {
    [
      .recorded(
        "search.txt.zst", bytes: { PackageResources.search_txt_zst }, requests: requests),
      .recorded(
        "history.txt.zst", bytes: { PackageResources.history_txt_zst }, requests: requests),
    ]
  }
}

/// A trace of a suite, public or hidden.
package struct ScoreTrace: Sendable {
  /// The specification of a generator, or the name of a recording.
  package let name: String
  /// The number of the request of a recording with which it begins; 0 of a made trace.
  package let start: Int
  /// The keys of the requests.
  package let keys: [UInt64]

  /// The seed of public traces.
  static let publicSeed: UInt64 = 42

  /// Makes a trace.
  ///
  /// - Parameter perturbation: The changes of a hidden trace; nil for the public form.
  package init(_ source: ScoreSuite.Source, _ perturbation: Perturbation?) throws(TraceError) {
    var perturbation = perturbation
    var keys: [UInt64]
    switch source {
    case .generated(let phases):
      name = phases.joined(separator: "+")
      start = 0
      let workload = try SyntheticWorkload(
        phases: phases, seed: perturbation?.draw() ?? ScoreTrace.publicSeed)
      keys = try TraceGenerators.trace(workload).ids.map(UInt64.init)
    case .recorded(let file, let bytes, let requests):
      name = file
      let all = try TraceLoader.load(bytes: bytes(), name: file).ids
      precondition(2 * requests < all.count, "a window behind the public one")
      // The public window is the first; hidden ones share no request with it.
      start = perturbation?.place(in: requests...all.count - requests) ?? 0
      keys = all.dropFirst(start).prefix(requests).map(UInt64.init)
    }
    if perturbation != nil { perturbation?.perturb(&keys) }
    self.keys = keys
  }

  /// The requests, a millisecond apart.
  ///
  /// - Parameters:
  ///   - renaming: Gives the keys other names, hence other hashes; 0 for none.
  ///   - delay: Nanoseconds that all requests come later.
  func trace(renaming: UInt64 = 0, delay: Int64 = 0) -> Trace {
    let times = keys.indices.map { delay + Int64($0) * 1_000_000 }
    let names = keys.lazy.map { renaming == 0 ? $0 : KeyHash.finish($0 &+ renaming) }
    return Trace.of(names, name: name, times: times)
  }
}
