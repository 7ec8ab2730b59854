extension Measurement.Form: JSONValue {}
extension Measurement.Kind: JSONValue {}
extension Measurement.Unit: JSONValue {}

extension Measurement: Documented {
  package static let blank = Measurement(kind: .sweep, trace: "", policy: "", capacity: 0)
  package static let fields: [Field<Measurement>] = [
    Field("kind", \.kind, .exact, "the kind of run"),
    Field("trace", \.trace, .exact, "the trace's name"),
    Field("policy", \.policy, .exact, "the policy's name"),
    Field("parameters", \.parameters, .members, .exact, "the parameters given, typed, by name"),
    Field("capacity", \.capacity, .from(0), .exact, "the capacity, in `unit`"),
    Field("unit", \.unit, .exact, "what the capacity counts"),
    Field("seed", \.seed, .exact, "the random seed"),
    .unless(
      nil, "form", \.form, .descriptive,
      "how `evict speed` ran the policy: alone (`policy`), inside `MemoryCache` (`cache`), or a loop that counts the same without it (`theorem`)"
    ),
    Field("requests", \.requests, .count, .exact, "requests counted: those of the warm-up are not"),
    Field("hits", \.hits, .count, .exact, "counted requests that found their object"),
    .derived("hitRatio", \.hitRatio, .exact, "`hits` / `requests`"),
    Field(
      "byteHitRatio", \.byteHitRatio, .exact,
      "the fraction of the requested bytes that was resident"),
    Field(
      "costHitRatio", \.costHitRatio, .exact, "the fraction of the misses' cost that was saved"),
    Field("insertions", \.insertions, .count, .exact, "objects that entered the cache"),
    Field("evictions", \.evictions, .count, .exact, "objects that the policy evicted"),
    .unless(
      0, "expirations", \.expirations,
      .exact,
      "objects that left because their time to live was over (`--expire`)"),
    .unless(
      0, "unknownSizes", \.unknownSizes,
      .exact,
      "counted requests of objects whose size no request had told yet: misses that admit nothing"),
    Field(
      "seconds", \.seconds,
      .timed,
      "the time of set-up and run, in seconds, without loading; of a run block by block, its threads' time; of n cells in one pass, its time divided by n"
    ),
    Field(
      "requestsPerSecond", \.requestsPerSecond, .timed, "requests in a second, with the warm-up's"),
    Field(
      "missRatioReduction", \.missRatioReduction, .exact, "FIFO's miss ratio is reduced by this"),
    Field(
      "distanceToOptimum", \.distanceToOptimum,
      .exact,
      "the hit ratio of the optimum, Belady's MIN with bypass, less this one"),
    .only(
      "of kind `bounds`", if: { $0.kind == .bounds },
      Field("hitRatioBounds", \.hitRatioBounds, .exact, "bounds of the optimum's hit ratio"),
      Field("byteHitRatioBounds", \.byteHitRatioBounds, .exact, "bounds of the best byte hit ratio")
    ),
    .spread(only: "of kind `replay`", \.replay),
    .unless(nil, "disk", \.disk, "the measures of an experiment on disk"),
    .spread(only: "of kind `prefix`", \.prefix),
    .unless(nil, "internals", \.internals, "values that the policy learned along the run"),
    .unless(nil, "windows", \.windows, "the counts of each window (`--windows`)"),
    .unless(nil, "speed", \.speed, "instructions and times (`evict speed`)"),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    if hits > requests { throw object["hits"].wrong("at most “requests”") }
  }
}

extension InternalsSeries: Documented {
  package static let blank = InternalsSeries(points: 0)
  package static let fields: [Field<InternalsSeries>] = [
    Field("requests", \.requests, .exact, "requests done at each point, with the warm-up's"),
    .others(
      than: "requests", \.series, of: Series(name: "", values: []), name: \.name, value: \.values,
      .exact,
      "the values of that name at each point"),
  ]

  package mutating func finish(reading object: JSONNode) throws(ResultSetError) {
    for series in series where series.values.count != requests.count {
      throw object[series.name].wrong("a list of \(requests.count) numbers")
    }
    self = InternalsSeries(requests: requests, series: series)
  }
}

extension RequestWindows: Documented {
  package static let blank = RequestWindows(ends: [], requests: [], hits: [])
  package static let fields: [Field<RequestWindows>] = [
    Field(
      "seconds", \.seconds, .exact, "the length of a window, in seconds, where all are equally long"
    ),
    Field("ends", \.ends, .exact, "requests of the trace at each window's end, with the warm-up's"),
    Field("requests", \.requests, .counts, .exact, "counted requests of each window"),
    Field("hits", \.hits, .counts, .exact, "hits among them"),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    if requests.count != ends.count || hits.count != ends.count {
      throw object["hits"].wrong("as long as “ends”")
    }
    if zip(hits, requests).contains(where: { $0 > $1 }) {
      throw object["hits"].wrong("at most “requests” in each window")
    }
  }
}

extension SpeedFigures: Documented {
  package static let blank = SpeedFigures()
  package static let fields: [Field<SpeedFigures>] = [
    Field("instructions", \.instructions, .estimated, "machine instructions of the whole run"),
    Field(
      "ratios", \.ratios, .timed, "the time of a request in steps of a calibration loop, by round"),
  ]
}
