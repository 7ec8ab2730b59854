import ArgumentParser
import CacheReplay
import Experiments
import Runner
import Traces

/// `evict replay`: the main job, real caches driven by a recorded key stream.
struct ReplayCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Drive real caches: hit ratio, latency, contention.",
    usage: "evict replay <trace> ... [<options>]",
    discussion: """
      Examples:
        evict replay traces/orders.txt.zst --policy lru,s3fifo --time 200ms
        evict replay traces/orders.txt.zst --policy lru --capacity 10% \\
          --lock mutex,sharded:16:mutex --threads 1,2 --time 200ms

      A request is a get, and on a miss a set. Each cell is repeated with three instruments: bare, for hits \
      and throughput; with a clock around operations; with meters around the locks. All options: \
      --help-hidden, or man evict.
      """)

  @OptionGroup var options: ExperimentOptions
  @OptionGroup var caches: CacheOptions
  @OptionGroup var arrival: ArrivalOptions
  @OptionGroup var instrument: InstrumentOptions

  var traces: TraceOptions { options.traces }
  var resumption: ResumeOptions { options.resumption }
  var output: OutputOptions { options.output }

  var mayExpire: Bool { true }
  var mayCountBytes: Bool { true }

  func request() throws -> ExperimentRequest {
    var kind = ReplayExperiment(
      locks: try caches.locks(), reads: try caches.reads(), threads: try caches.threadCounts(),
      paces: try arrival.paces(), conditions: conditions,
      repetitions: instrument.rounds)
    if let folder = try instrument.histogramFolder(inputs: traces.files) {
      kind.finished = { (cell, histograms) throws(TraceError) in
        try folder.write(histograms, of: cell)
      }
    }
    kind.systems = try caches.systems()
    kind.drivers = try caches.drivers()
    if options.expiry.isOn && !(kind.systems.isEmpty && kind.drivers.isEmpty) {
      throw ValidationError(
        "--expire is for caches of this project: a system has rules of its own; leave one of them out"
      )
    }
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
    instrument.noteCut(of: traces, warmup: options.run.counting.warmup.requests)
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
