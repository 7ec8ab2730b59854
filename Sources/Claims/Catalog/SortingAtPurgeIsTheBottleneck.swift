extension Claim {
  /// A purge that sorts against one that follows a list.
  static let sortingAtPurgeIsTheBottleneck = Claim(
    "C7", "Sorting all entries at purge is the bottleneck.",
    hypothesis: "A purge of 40 % of the entries takes more time with a sort by last access than "
      + "along a list in that order.",
    effect: "time with sort / time along list",
    note: "the purge is the tail of the insertions: it happens in one of them, and all others "
      + "wait; the details hold the times of the insertions until the next purge, that one included, "
      + "and the purge's share of them",
    conditions: [1_000, 10_000, 100_000, 1_000_000].map { count in
      ClaimCondition(["entries": "\(count)"], .slower) { context in
        let order = (0..<count).shuffled(using: &context.random)
        let entries = [Int: Int](uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        var (sorted, listed) = (entries, entries)
        // Neither copy is made while the clock runs.
        sorted.reserveCapacity(count)
        sorted[0] = entries[0]
        listed.reserveCapacity(count)
        listed[0] = entries[0]
        let victims = count * 2 / 5
        return context.compare {
          let purge = nanoseconds {
            let keys = sorted.sorted { $0.value < $1.value }
            for key in keys.prefix(victims) { sorted.removeValue(forKey: key.key) }
          }
          return refill(&sorted, from: count, victims, after: purge)
        } with: {
          let purge = nanoseconds {
            for key in order.prefix(victims) { listed.removeValue(forKey: key) }
          }
          return refill(&listed, from: count, victims, after: purge)
        }
      }
    })

  /// Returns the time of a purge, and what it means among the insertions until the next one.
  private static func refill(
    _ entries: inout [Int: Int], from first: Int, _ number: Int, after purge: Double
  ) -> ClaimSample {
    var times = [purge]
    times.reserveCapacity(number + 1)
    for key in first..<first + number {
      times.append(nanoseconds { entries[key] = key })
    }
    return ClaimSample(
      purge,
      [
        "insertionP50": times.quantile(0.5), "insertionP99": times.quantile(0.99),
        "insertionP99.9": times.quantile(0.999), "longestInsertion": times.max() ?? 0,
        "purgeShare": purge / times.reduce(0, +),
      ])
  }
}
