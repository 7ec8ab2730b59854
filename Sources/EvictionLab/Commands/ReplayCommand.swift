import ArgumentParser
import Eviction
import Laboratory

/// `evict replay`: the main job, real caches driven by a recorded key stream.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Drives real caches with traces: hit ratio, latency, lock contention.",
    discussion: """
      A get for every request, and on a miss the set that follows. Each cell runs twice, through a \
      new cache each time: bare, for hits and throughput, and with a clock around every operation, \
      for latency and contention.

      Examples:
        evict replay OLTP.lis.zst --policy lru,arc --capacity 1000
        evict replay web.csv --capacity 1% --lock mutex,spin --threads 1,2
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var caches: CacheOptions
  @OptionGroup var settings: RunOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let run = try PreparedRun(
      traces: traces, policies: policies, settings: settings, output: output)
    let session = try ReplaySession(
      run.plan, locks: caches.locks(), threads: caches.threadCounts())
    try run.perform(cells: session.count) { cancellation, progress in
      try session.run(cancellation: cancellation, progress: progress)
    }
  }
}
