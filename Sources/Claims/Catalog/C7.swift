extension Claim {
  /// A purge that sorts against one that follows a list.
  static let c7 = Claim(
    "C7", "Sorting all entries at purge is the bottleneck.",
    hypothesis: "A purge of 40 % of the entries takes more time with a sort by last access than "
      + "along a "
      + "list in that order.",
    effect: "time with sort / time along list",
    note: "the purge is the tail of the insertions: it happens in one of them, and all others wait",
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
          nanoseconds {
            let keys = sorted.sorted { $0.value < $1.value }
            for key in keys.prefix(victims) { sorted.removeValue(forKey: key.key) }
          }
        } with: {
          nanoseconds { for key in order.prefix(victims) { listed.removeValue(forKey: key) } }
        }
      }
    })
}
