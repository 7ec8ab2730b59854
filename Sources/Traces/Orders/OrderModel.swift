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
    WindowOrder.self, TurnsOrder.self, LockOrder.self, ClocksOrder.self, QueuesOrder.self,
  ]

  /// The model of that name.
  package static func named(_ name: String) -> (any OrderModel.Type)? {
    all.first { model in model.information.name == name }
  }
}

extension OrderModel {
  /// The requests in the order in which they arrive, those of one key in their order among themselves.
  ///
  /// O(count and distinct keys).
  ///
  /// - Parameters:
  ///   - count: The number of requests.
  ///   - reach: The most places that one moves, 1 or more.
  ///   - seed: The seed of what is drawn.
  ///   - keys: The key of each request, numbered from 0; empty where any may overtake any.
  package static func arrivals(
    of count: Int, reach: Int, seed: UInt64, keeping keys: UnsafeBufferPointer<UInt32>
  ) -> [UInt32] {
    var random = RandomSource(seed: seed)
    var rows = arrivals(of: count, reach: reach, random: &random)
    if keys.isEmpty { return rows }
    // The requests of each key, in their order, in the places that their key has now.
    var following = [UInt32](repeating: .max, count: count)
    var first = [UInt32](repeating: .max, count: (keys.max().map(Int.init) ?? 0) + 1)
    for row in (0..<count).reversed() {
      let key = Int(keys[row])
      following[row] = first[key]
      first[key] = UInt32(row)
    }
    for place in rows.indices {
      let key = Int(keys[Int(rows[place])])
      rows[place] = first[key]
      first[key] = following[Int(rows[place])]
    }
    return rows
  }

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
