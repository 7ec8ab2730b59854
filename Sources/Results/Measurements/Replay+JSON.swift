extension ReplayDivision: JSONValue {}
extension ArrivalModel: JSONValue {}
extension MissPenalty.Wait: JSONValue {}
extension ContentionSummary.Criterion: JSONValue {}

extension Replay: Documented {
  package static let blank = Replay(threads: 0, lock: "")
  package static let fields: [Field<Replay>] = [
    Field("threads", \.threads, .exact, "the number of clients"),
    Field("lock", \.lock, .exact, "the cache's lock"),
    Field("system", \.system, .exact, "the system under test; `null` for this project's cache"),
    Field("latency", \.latency, "how long operations took"),
    Field("contention", \.contention, "how often and how long clients waited for the lock"),
    .unless(false, "oversubscribed", \.isOversubscribed, .timed, "more threads than cores"),
    .unless(
      "strict", "reads", \.reads, .exact, "when the policy learns of hits: `strict` or `buffered`"),
    .unless(.interleaved, "share", \.division, .exact, "what each thread takes of the trace"),
    .unless(nil, "missPenalty", \.missPenalty, "what a miss waits for"),
    .unless(nil, "pace", \.pace, "what was offered and served in an open loop"),
    .unless(nil, "response", \.response, "from the intended starts of requests to their ends"),
    .unless(nil, "service", \.service, "from the actual starts of requests to their ends"),
    .unless(nil, "lateness", \.lateness, "the delay that the load generator adds"),
    .unless(nil, "idle", \.idle, "response times of a cache that does nothing, same schedule"),
    .unless(nil, "machine", \.machine, "what the machine did meanwhile"),
    .unless([], "disturbed", \.disturbed, .timed, "why the figures are not of the cache alone"),
    .spread(only: "of a run in two parts", \.cut),
    .spread(only: "with `--resources`", \.resources),
    .spread(only: "with `--system`", \.systemUse),
    .spread(only: "with `--repeat`", \.repetitions),
  ]
}

extension LatencyReport: Documented {
  package static let blank = LatencyReport(timerOverhead: 0)
  package static let fields: [Field<LatencyReport>] = [
    .constant("unit", "ns", "the unit of times"),
    .group(
      "operation",
      Field("get", \.get, "every lookup"),
      Field("hit", \.hit, "lookups that found their object"),
      Field("miss", \.miss, "lookups that did not"),
      Field("set", \.set, "writes"),
      .unless(nil, "fill", \.fill, "misses with the penalty and the set that follow")),
    Field(
      "timerOverhead", \.timerOverhead, .timed,
      "an empty measurement, in ns; taken off with `clock`"),
    .unless(nil, "sample", \.sample, .timed, "one request in this number was timed"),
    .unless(
      nil, "slowdown", \.slowdown, .timed, "the time that timing adds, as a fraction of the run's"),
    .unless(nil, "clock", \.clock, "the clock of the times"),
  ]
}

extension LatencyClock: Documented {
  package static let blank = LatencyClock(source: "", resolution: 0, floor: 0)
  package static let fields: [Field<LatencyClock>] = [
    Field("source", \.source, .timed, "`counter` (the processor's) or `monotonic` (the system's)"),
    Field("resolution", \.resolution, .timed, "its step, in ns"),
    Field("floor", \.floor, .timed, "the shortest time that it tells from nothing, in ns"),
  ]
}

extension MachineReport: Documented {
  package static let blank = MachineReport(pinned: false, seconds: 0)
  package static let fields: [Field<MachineReport>] = [
    Field("seconds", \.seconds, .timed, "the time of all passes"),
    Field("pinned", \.pinned, .timed, "each client had a processor of its own"),
    Field(
      "overlap", \.overlap, .timed, "the fraction of the time in which all clients ran, at least"),
    Field("waiting", \.waiting, .timed, "the fraction of the clients' time without a processor"),
    Field(
      "hiccups", \.hiccups, .timed, "the fraction of the time that an idle thread woke up late"),
    Field("longestHiccup", \.longestHiccup, .timed, "the longest delay of that thread, in ns"),
    Field("steal", \.steal, .timed, "the fraction of processor time that the hypervisor took"),
    Field("preemptions", \.preemptions, .timed, "how often threads lost a processor"),
    Field(
      "clockDrift", \.clockDrift, .timed, "the counter's disagreement with the monotonic clock"),
    .unless(nil, "frequency", \.frequency, .timed, "the lowest and the highest clock rate, in Hz"),
  ]
}

extension LatencySummary: Documented {
  package static let blank = LatencySummary(
    count: 0, mean: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0)
  package static let fields: [Field<LatencySummary>] = [
    Field("count", \.count, .timed, "operations timed"),
    Field("mean", \.mean, .timed, "their mean, in ns"),
    Field("p50", \.p50, .timed, "the median, in ns"),
    Field("p90", \.p90, .timed, "the 90th percentile, in ns"),
    Field("p99", \.p99, .timed, "the 99th percentile, in ns"),
    Field("p999", \.p999, .timed, "the 99.9th percentile, in ns"),
    Field("max", \.max, .timed, "the longest, in ns"),
    .unless(
      [], "percentiles", \.percentiles, .timed, "more of the distribution, by rising percentage"),
  ]
}

extension LatencyPercentile: JSONValue {
  package static let format = JSONFormat<LatencyPercentile>(
    "a pair [percent, nanoseconds]", plural: "[percent, nanoseconds]",
    write: { .array([.number($0.percent), .integer($0.nanoseconds)]) }
  ) {
    guard case .array(let values) = $0, values.count == 2, let percent = values[0].double,
      (0..<100).contains(percent), case .integer(let nanoseconds) = values[1]
    else { return nil }
    return LatencyPercentile(percent: percent, nanoseconds: nanoseconds)
  }
}

extension ContentionSummary: Documented {
  package static let blank = ContentionSummary(
    acquisitions: 0, contended: 0, wait: .blank, hold: .blank)
  package static let fields: [Field<ContentionSummary>] = [
    Field("acquisitions", \.acquisitions, .timed, "how often the lock was taken"),
    Field("contended", \.contended, .timed, "how often its taker had to wait"),
    .derived("contendedRatio", \.contendedRatio, .timed, "`contended` / `acquisitions`"),
    Field("wait", \.wait, "how long takers waited"),
    Field("hold", \.hold, "how long the lock was held"),
    .unless(.failedTry, "criterion", \.criterion, .timed, "what makes an acquisition contended"),
    .unless(
      nil, "slowdown", \.slowdown, .timed, "the time that meters add, as a fraction of the run's"),
    .unless([], "shards", \.shards, .timed, "how often the lock of each shard was taken"),
    .only(
      "with `shards`", if: { !$0.shards.isEmpty },
      .derived("shardSkew", \.shardSkew, .timed, "the busiest shard's acquisitions over the mean")),
  ]
}

extension DurationSummary: Documented {
  package static let blank = DurationSummary(p50: 0, p99: 0, max: 0, total: 0)
  package static let fields: [Field<DurationSummary>] = [
    Field("p50", \.p50, .timed, "the median, in ns"),
    Field("p99", \.p99, .timed, "the 99th percentile, in ns"),
    .unless(0, "p9999", \.p9999, .timed, "the 99.99th percentile, in ns"),
    Field("max", \.max, .timed, "the longest, in ns"),
    Field("total", \.total, .timed, "the sum, in ns; of holdings estimated"),
  ]
}

extension MissPenalty: Documented {
  package static let blank = MissPenalty(nanoseconds: 0)
  package static let fields: [Field<MissPenalty>] = [
    Field("ns", \.nanoseconds, .exact, "the least that is waited, in ns"),
    Field("wait", \.wait, .exact, "how the thread waits"),
  ]
}

extension PaceReport: Documented {
  package static let blank = PaceReport(
    label: "", arrivals: .poisson, offered: 0, achieved: 0, isOverload: false)
  package static let fields: [Field<PaceReport>] = [
    Field("pace", \.label, .exact, "the pace as on the command line"),
    Field("arrivals", \.arrivals, .exact, "the distribution of arrival times"),
    Field("offered", \.offered, .timed, "requests a second that were meant to start"),
    Field("achieved", \.achieved, .timed, "requests a second that were served"),
    Field("overload", \.isOverload, .timed, "requests came faster than they were served"),
    Field("capacity", \.capacity, .timed, "requests a second of the bare pass"),
    Field("tick", \.tick, .timed, "the tick of the trace's clock, in ns"),
    Field("requestsPerReading", \.requestsPerReading, .timed, "requests in one tick, on average"),
  ]
}

extension ResponseSummary: Documented {
  package static let blank = ResponseSummary(whole: .blank, quarters: [])
  package static let fields: [Field<ResponseSummary>] = [
    .spread(\.all),
    Field("quarters", \.quarters, .timed, "the medians of the run's four quarters, in ns"),
  ]

  private var all: LatencySummary? {
    get { whole }
    set { if let newValue { whole = newValue } }
  }
}

extension CutReport: Documented {
  package static let blank = CutReport(cold: .blank, postFill: nil)
  package static let fields: [Field<CutReport>] = [
    Field("cold", \.cold, "the run until the cache was full"),
    Field("postFill", \.postFill, "the rest of the run"),
  ]
}

extension CutReport.Part: Documented {
  package static let blank = CutReport.Part(requests: 0, hits: 0, seconds: 0, get: nil)
  package static let fields: [Field<CutReport.Part>] = [
    Field("requests", \.requests, .exact, "counted requests"),
    Field("hits", \.hits, .exact, "those that found their object"),
    .derived("hitRatio", \.hitRatio, .exact, "`hits` / `requests`"),
    Field("seconds", \.seconds, .timed, "the time of the part, in seconds, nothing timed"),
    .derived("requestsPerSecond", \.requestsPerSecond, .timed, "`requests` / `seconds`"),
    Field("get", \.get, "how long lookups took"),
  ]
}

extension ResourceUse: Documented {
  package static let blank = ResourceUse(cpuSeconds: 0)
  package static let fields: [Field<ResourceUse>] = [
    Field("cpuSeconds", \.cpuSeconds, .timed, "processor time of all threads, in seconds"),
    Field("allocations", \.allocations, .estimated, "allocations while requests were made"),
    Field("peakMemory", \.peakMemory, .timed, "memory that the cache added at most, in bytes"),
  ]
}

extension SystemUse: Documented {
  package static let blank = SystemUse(bytesSet: 0)
  package static let fields: [Field<SystemUse>] = [
    Field(
      "residents", \.residents,
      .estimated,
      "the entries that the system held at the end, of `exec:` on average"),
    Field(
      "lruHitRatioAtResidents", \.lruHitRatioAtResidents,
      .estimated,
      "with `exec:`, the hit ratio of exact LRU with as many entries"),
    Field(
      "lruHitRatioAtMemory", \.lruHitRatioAtMemory,
      .estimated,
      "with `exec:`, the hit ratio of exact LRU whose values alone take as much memory"),
    Field(
      "memory", \.memory, .estimated,
      "the memory that it allocated and still held at the end, in bytes"),
    .derived("bytesPerEntry", \.bytesPerEntry, .estimated, "`memory` / `residents`"),
    Field("diskBytes", \.diskBytes, .estimated, "the blocks of its files, in bytes"),
    Field("files", \.files, .estimated, "its files"),
    Field("bytesWritten", \.bytesWritten, .estimated, "bytes handed to the operating system"),
    Field("bytesSet", \.bytesSet, .exact, "bytes of the values that were set"),
    .derived("writeAmplification", \.writeAmplification, .estimated, "`bytesWritten` / `bytesSet`"),
  ]
}

extension Repetitions: Documented {
  package static let blank = Repetitions(count: 0, figures: [])
  package static let fields: [Field<Repetitions>] = [
    Field("repetitions", \.count, .timed, "how often the run was made"),
    .group(
      "intervals",
      .constant("confidence", confidence, "the confidence of intervals"),
      .others(
        than: "confidence", \.figures, of: .blank, name: \.name, value: \.self,
        .timed,
        "the metric of that name: `requestsPerSecond`, `get.p99`")),
  ]
}

extension Repetitions.Figure: Documented {
  package static let blank = Repetitions.Figure(name: "", values: [], mean: 0, interval: 0...0)
  package static let fields: [Field<Repetitions.Figure>] = [
    Field("mean", \.mean, .timed, "the mean of the repetitions"),
    .unless(nil, "median", \.median, .timed, "their median"),
    Field(
      "interval", \.interval, .timed, "for the median of ever more, or without `median` the mean"),
    Field("values", \.values, .timed, "the value of each repetition"),
  ]
}
