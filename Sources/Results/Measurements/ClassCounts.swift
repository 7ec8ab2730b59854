/// The counts of a run in each class of its trace: a tenant, a prefix of keys, or a layer of experts.
package struct ClassCounts: Documented {
  package var names: [String]
  package var requests: [Int]
  package var hits: [Int]

  /// Classes with these names, of which nothing is counted yet.
  package init(names: [String]) {
    self.names = names
    requests = names.map { _ in 0 }
    hits = requests
  }

  package init() { self.init(names: []) }

  /// Counts a request of a class.
  package mutating func count(_ place: Int, isHit: Bool) {
    requests[place] += 1
    if isHit { hits[place] += 1 }
  }

  /// The hit ratio of each class; nil where nothing was counted.
  package var hitRatios: [Double?] {
    zip(requests, hits).map { requests, hits in
      requests == 0 ? nil : Double(hits) / Double(requests)
    }
  }

  package static let fields: [Field<ClassCounts>] = [
    Field("names", \.names, "the classes, in the order of their first requests", .exact),
    Field("requests", \.requests, "counted requests of each class", .exact, as: .counts),
    Field("hits", \.hits, "hits among them", .exact, as: .counts),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    if requests.count != names.count || hits.count != names.count {
      throw object["hits"].wrong("as long as “names”")
    }
    if zip(hits, requests).contains(where: { $0 > $1 }) {
      throw object["hits"].wrong("at most “requests” in each class")
    }
  }
}
