import ArgumentParser
import CacheReplay
import Experiments
import Traces

/// `evict replay`: the main job, real caches driven by a recorded key stream.
struct ReplayCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Drive real caches: hit ratio, latency, contention.",
    usage: "evict replay <trace> ... [<options>]",
    discussion: """
      A get for every request, and on a miss the set that follows. A round of a cell is a run for each \
      instrument, through a new cache each time: bare, for hits and throughput; with a clock around \
      operations, for latency; with meters around the locks, for contention. Rounds are repeated; \
      a cell that the machine disturbed is repeated once and then marked. With --rate or --pace \
      the last two runs are open loops: requests start when they are meant to, whether the cache \
      keeps up or not.

      Examples:
        evict replay OLTP.lis.zst --policy lru,arc --capacity 1000
        evict replay web.csv --policy lru --lock mutex,spin --threads 1,2
        evict replay web.csv --policy lru --rate 10%,50%,90% --miss-penalty 50us
        evict replay web.csv --policy lru --system yycache,afnetworking
        evict replay web.csv --policy lru --lock sharded:16:big-reader \\
          --reads buffered --threads 1,2
      """)

  @OptionGroup var options: ExperimentOptions
  @OptionGroup var caches: CacheOptions
  @OptionGroup var arrival: ArrivalOptions
  @OptionGroup var instrument: InstrumentOptions

  var traces: TraceOptions { options.traces }
  var resumption: ResumeOptions { options.resumption }
  var output: OutputOptions { options.output }

  func request() throws -> ExperimentRequest {
    var kind = ReplayExperiment(
      locks: try caches.locks(), reads: try caches.reads(), threads: try caches.threadCounts(),
      paces: try arrival.paces(), conditions: conditions,
      repetitions: instrument.rounds)
    if let folder = try instrument.histogramFolder() {
      kind.finished = { (cell, histograms) throws(TraceError) in
        try folder.write(histograms, of: cell)
      }
    }
    kind.systems = try caches.systems()
    kind.drivers = try caches.drivers()
    var request = try options.request(kind)
    request.columns.formUnion(arrival.columns)
    // Systems follow the trace's times, and hold values of its sizes.
    if !kind.systems.isEmpty || !kind.drivers.isEmpty {
      request.columns.formUnion([.times, .sizes])
    }
    return request
  }

  func check(_ traces: [Trace]) throws {
    try arrival.check(traces)
    instrument.noteCut(of: traces, warmup: options.run.counting.warmup.value)
  }

  private var conditions: ReplayConditions {
    var conditions = ReplayConditions()
    conditions.division = caches.division
    conditions.arrivals = arrival.arrivals ?? .poisson
    conditions.missPenalty = arrival.missPenalty?.penalty
    conditions.sample = instrument.sample?.value
    conditions.cut = instrument.cut?.cut
    conditions.measuresResources = instrument.resources
    return conditions
  }
}
