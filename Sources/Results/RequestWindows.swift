/// What a run counted in each of the windows that its requests were cut into.
public struct RequestWindows: Sendable, Equatable {
  /// How long a window lasts, in seconds; nil where windows hold equally many requests.
  public var seconds: Double?
  /// After how many requests of the trace, those of a warm-up included, each window ends.
  public var ends: [Int]
  /// Counted requests of each window.
  public var requests: [Int]
  /// Those that were hits.
  public var hits: [Int]

  /// Windows with these counts.
  public init(seconds: Double? = nil, ends: [Int], requests: [Int], hits: [Int]) {
    self.seconds = seconds
    self.ends = ends
    self.requests = requests
    self.hits = hits
  }

  /// The hit ratio of each window; nil where nothing was counted.
  public var hitRatios: [Double?] {
    zip(requests, hits).map { requests, hits in
      requests == 0 ? nil : Double(hits) / Double(requests)
    }
  }
}

extension RequestWindows {
  var json: JSON {
    [
      "seconds": .optional(seconds), "ends": .array(ends.map(JSON.integer)),
      "requests": .array(requests.map(JSON.integer)), "hits": .array(hits.map(JSON.integer)),
    ]
  }

  init(_ object: JSONObject) throws(ResultSetError) {
    seconds = try object.optionalNumber("seconds")
    ends = try object.integers("ends")
    requests = try object.counts("requests")
    hits = try object.counts("hits")
    if requests.count != ends.count || hits.count != ends.count {
      throw object.wrong("hits", "as long as “ends”")
    }
    if zip(hits, requests).contains(where: { $0 > $1 }) {
      throw object.wrong("hits", "at most “requests” in each window")
    }
  }
}
