/// The counts of a prefetcher before a policy.
@usableFromInline
package struct PrefetchCounts: Sendable, Equatable {
  /// Objects fetched before they were requested.
  package var prefetches = 0
  /// Hits of an object that was prefetched, each at its first request.
  package var hits = 0
  /// Misses of an object that a prefetch evicted.
  package var pollution = 0
  /// Objects fetched: the misses and the prefetches.
  package var fetches = 0
  /// The same in bytes; nil where objects count one.
  package var bytes: PrefetchBytes?

  /// Nothing counted yet.
  package init() {}

  /// The fraction of the prefetches that were requested while resident; nil without prefetches.
  package var accuracy: Double? {
    prefetches == 0 ? nil : Double(hits) / Double(prefetches)
  }

  /// Counts an object that is fetched before it is requested.
  package mutating func countPrefetch(bytes size: Int) {
    prefetches += 1
    fetches += 1
    bytes?.prefetched &+= size
    bytes?.fetched &+= size
  }

  /// Counts the first hit of an object that was prefetched.
  package mutating func countHit(bytes size: Int) {
    hits += 1
    bytes?.useful &+= size
  }

  /// Counts a miss; it is pollution if a prefetch evicted the object.
  package mutating func countMiss(isPollution: Bool, bytes size: Int) {
    fetches += 1
    bytes?.fetched &+= size
    if !isPollution { return }
    pollution += 1
    bytes?.pollution &+= size
  }
}

extension PrefetchCounts: Documented {
  package static let fields: [Field<PrefetchCounts>] = [
    Field(
      "prefetches", \.prefetches, "objects fetched before they were requested", .exact, as: .count),
    Field(
      "hits", \.hits, "hits of a prefetched object, each at its first request", .exact, as: .count),
    .derived("accuracy", \.accuracy, "`hits` / `prefetches`", .exact),
    Field(
      "pollution", \.pollution, "misses of an object that a prefetch evicted", .exact, as: .count),
    Field("fetches", \.fetches, "objects fetched: misses and prefetches", .exact, as: .count),
    .omittable("bytes", \.bytes, "the same in bytes, where objects have sizes"),
  ]
}

/// The bytes behind the counts of a prefetcher.
package struct PrefetchBytes: Documented {
  /// Bytes requested.
  package var requested = 0
  /// Bytes of the prefetches.
  package var prefetched = 0
  /// Bytes of the prefetches that were requested while resident.
  package var useful = 0
  /// Bytes of the misses of objects that a prefetch evicted.
  package var pollution = 0
  /// Bytes of the misses and of the prefetches.
  package var fetched = 0

  /// Nothing counted yet.
  package init() {}

  /// Bytes of the prefetches that no request found.
  package var useless: Int { prefetched &- useful }

  /// The fraction of the prefetched bytes that were requested while resident; nil without prefetches.
  package var accuracy: Double? {
    prefetched == 0 ? nil : Double(useful) / Double(prefetched)
  }

  package static let fields: [Field<PrefetchBytes>] = [
    Field("requested", \.requested, "bytes requested", .exact, as: .count),
    Field("prefetched", \.prefetched, "bytes of the prefetches", .exact, as: .count),
    Field(
      "useful", \.useful, "bytes of the prefetches that were requested while resident", .exact,
      as: .count),
    .derived("useless", \.useless, "`prefetched` − `useful`", .exact),
    .derived("accuracy", \.accuracy, "`useful` / `prefetched`", .exact),
    Field(
      "pollution", \.pollution, "bytes of the misses of objects that a prefetch evicted", .exact,
      as: .count),
    Field("fetched", \.fetched, "bytes fetched: misses and prefetches", .exact, as: .count),
  ]
}
