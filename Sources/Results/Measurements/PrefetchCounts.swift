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

  /// Nothing counted yet.
  package init() {}

  /// The fraction of the prefetches that were requested while resident; nil without prefetches.
  package var accuracy: Double? {
    prefetches == 0 ? nil : Double(hits) / Double(prefetches)
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
  ]
}
