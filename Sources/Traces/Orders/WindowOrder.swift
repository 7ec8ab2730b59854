import Parameters

/// Each request is late by a number of places of its own, from 0 to the reach, each as likely; of those that arrive
/// together each is as likely first.
enum WindowOrder: OrderModel {
  static let information = CatalogEntry(
    name: "window", summary: "each request is late by a random number of places of its own")

  static func arrivals(of count: Int, reach: Int, random: inout RandomSource) -> [UInt32] {
    late(count, reach: reach, random: &random, drawsTies: true) {
      Int.random(in: 0...reach, using: &$0)
    }
  }
}
