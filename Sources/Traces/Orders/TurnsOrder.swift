import Parameters

/// Two threads take batches of requests by turns, and work at the same time: each has its own in their order, and whose
/// is next is as likely as there are requests left.
enum TurnsOrder: OrderModel {
  static let information = CatalogEntry(
    name: "turns", summary: "two threads take batches by turns, and work on them side by side")

  static func arrivals(of count: Int, reach: Int, random: inout RandomSource) -> [UInt32] {
    var arrivals: [UInt32] = []
    arrivals.reserveCapacity(count)
    for start in stride(from: 0, to: count, by: 2 * reach) {
      let end = min(start + 2 * reach, count)
      let middle = start + (end - start) / 2
      var (first, second) = (start, middle)
      while first < middle || second < end {
        let (mine, others) = (middle - first, end - second)
        let isFirst = Int.random(in: 0..<mine + others, using: &random) < mine
        arrivals.append(UInt32(truncatingIfNeeded: isFirst ? first : second))
        if isFirst { first += 1 } else { second += 1 }
      }
    }
    return arrivals
  }
}
