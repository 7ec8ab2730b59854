/// The counts of a run in each of the windows that its requests were cut into.
package struct RequestWindows: Documented {
  /// Nil where windows hold equally many requests.
  package var seconds: Double?
  package var ends: [Int]
  package var requests: [Int]
  package var hits: [Int]

  /// Windows with these counts.
  package init(seconds: Double? = nil, ends: [Int], requests: [Int], hits: [Int]) {
    self.seconds = seconds
    self.ends = ends
    self.requests = requests
    self.hits = hits
  }

  package init() { self.init(ends: [], requests: [], hits: []) }

  /// The hit ratio of each window; nil where nothing was counted.
  package var hitRatios: [Double?] {
    zip(requests, hits).map { requests, hits in
      requests == 0 ? nil : Double(hits) / Double(requests)
    }
  }

  package static let fields: [Field<RequestWindows>] = [
    Field(
      "seconds", \.seconds, "the length of a window, in seconds, where all are equally long", .exact
    ),
    Field("ends", \.ends, "requests of the trace at each window's end, with the warm-up's", .exact),
    Field("requests", \.requests, "counted requests of each window", .exact, as: .counts),
    Field("hits", \.hits, "hits among them", .exact, as: .counts),
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
