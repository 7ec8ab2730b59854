import Parameters

/// Four servers log requests by clocks that differ: each server is late by a number of places of its own, the same all the
/// time; any server takes any request.
enum ClocksOrder: OrderModel {
  static let information = CatalogEntry(
    name: "clocks", summary: "four servers whose clocks differ, each by the same all the time")

  static func arrivals(of count: Int, reach: Int, random: inout RandomSource) -> [UInt32] {
    let offsets = (0..<4).map { _ in Int.random(in: 0...reach, using: &random) }
    return late(count, reach: reach, random: &random) { offsets[Int($0.next() & 3)] }
  }
}
