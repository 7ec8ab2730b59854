import Parameters

/// A model of requests that change places on their way to a cache: one file in this folder, one line in ``OrderModels``.
package protocol OrderModel: SendableMetatype {
  /// The name and what it imitates.
  static var information: CatalogEntry { get }

  /// The requests in the order in which they arrive: the numbers 0 to `count` − 1, none further than `reach`, 1 or more,
  /// from its place. O(count).
  static func arrivals(of count: Int, reach: Int, random: inout RandomSource) -> [UInt32]
}

/// The models of the order of requests.
package enum OrderModels {
  /// Every model; the first is the default.
  package static let all: [any OrderModel.Type] = [
    WindowOrder.self, TurnsOrder.self, ClocksOrder.self, QueuesOrder.self,
  ]

  /// The model of that name.
  package static func named(_ name: String) -> (any OrderModel.Type)? {
    all.first { model in model.information.name == name }
  }
}

extension OrderModel {
  /// Sorts the requests by their places and by how many places each is late, at most `reach`.
  ///
  /// None is overtaken by one that is further than `reach` behind it, nor overtakes such a one. O(count + reach).
  ///
  /// - Parameters:
  ///   - count: The number of requests.
  ///   - reach: The most places.
  ///   - random: Draws the delays.
  ///   - drawsTies: True if of those that arrive together any may be first; else the earlier is.
  ///   - delay: The places by which the next request is late.
  static func late(
    _ count: Int, reach: Int, random: inout RandomSource, drawsTies: Bool = false,
    by delay: (inout RandomSource) -> Int
  ) -> [UInt32] {
    var arrivals: [UInt32] = []
    arrivals.reserveCapacity(count)
    // Those that wait, by the place of their arrival.
    var waiting = [[UInt32]](repeating: [], count: reach + 1)
    for place in 0..<count + reach {
      if place < count {
        let late = delay(&random)
        precondition(0...reach ~= late, "a request is late by more than the reach")
        waiting[(place + late) % (reach + 1)].append(UInt32(truncatingIfNeeded: place))
      }
      let now = place % (reach + 1)
      if drawsTies && waiting[now].count > 1 { waiting[now].shuffle(using: &random) }
      arrivals += waiting[now]
      waiting[now].removeAll(keepingCapacity: true)
    }
    return arrivals
  }
}
