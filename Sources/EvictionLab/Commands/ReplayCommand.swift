import ArgumentParser
import Eviction
import Laboratory

/// `evict replay`: the main job, real caches driven by a recorded key stream.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Drive real caches: hit ratio, latency, contention.",
    usage: "evict replay <trace> ... [<options>]",
    discussion: """
      A get for every request, and on a miss the set that follows. Each cell runs twice, through a \
      new cache each time: bare, for hits and throughput, and with a clock around every operation, \
      for latency and contention.

      Examples:
        evict replay OLTP.lis.zst --policy lru,arc --capacity 1000
        evict replay web.csv --capacity 1% --lock mutex,spin --threads 1,2
      """)

  @OptionGroup var options: ExperimentOptions
  @OptionGroup var caches: CacheOptions

  func run() throws {
    let (locks, threads) = (try caches.locks(), try caches.threadCounts())
    let experiment = try options.prepare()
    let session = try ReplaySession(
      experiment.plan, locks: locks, threads: threads, yardsticks: experiment.yardsticks)
    let line = ProgressLine()
    let measurements = try session.run(
      cancellation: Interruption.cancellation, progress: { line.show($0) })
    line.clear()
    try options.finish(experiment, measurements, planned: session.count)
  }
}
