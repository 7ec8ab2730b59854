import Parameters

/// A balancer sends each request to one of four queues, whose lengths wander: each request is late by the length of its
/// queue, which now and then becomes a place longer or shorter.
enum QueuesOrder: OrderModel {
  static let information = CatalogEntry(
    name: "queues", summary: "a balancer before four queues, whose lengths wander")

  static func arrivals(of count: Int, reach: Int, random: inout RandomSource) -> [UInt32] {
    var lengths = (0..<4).map { _ in Int.random(in: 0...reach, using: &random) }
    return late(count, reach: reach, random: &random) {
      let word = $0.next()
      let queue = Int(word & 3)
      // One of eight requests finds its queue longer than the one before, and one finds it shorter.
      switch (word >> 2) & 7 {
      case 0: lengths[queue] = min(reach, lengths[queue] + 1)
      case 1: lengths[queue] = max(0, lengths[queue] - 1)
      default: break
      }
      return lengths[queue]
    }
  }
}
