import Parameters

/// Two threads take batches of 16 requests, or of half the reach where that is less, and meet at a lock. The one that has
/// it keeps it for batches of up to the reach together, each number of them as likely; the other one's batch waits.
enum LockOrder: OrderModel {
  static let information = CatalogEntry(
    name: "lock", summary: "two threads at a lock, which one keeps while the other's batch waits")

  static func arrivals(of count: Int, reach: Int, random: inout RandomSource) -> [UInt32] {
    let batch = min(16, max(1, reach / 2))
    var dealt = 0
    func deal() -> Range<Int> {
      let start = dealt
      dealt = min(count, dealt + batch)
      return start..<dealt
    }
    var (mine, waiting) = (deal(), deal())
    var arrivals: [UInt32] = []
    arrivals.reserveCapacity(count)
    while arrivals.count < count {
      for _ in 0..<Int.random(in: 1...reach / batch, using: &random) {
        for request in mine { arrivals.append(UInt32(truncatingIfNeeded: request)) }
        mine = deal()
      }
      swap(&mine, &waiting)
    }
    return arrivals
  }
}
