import Parameters

/// The room of a cache over time, sold to stays by size and time.
struct StayMarket {
  private let intervals: [ReuseIntervals.Interval]
  private let gains: [Double]
  private let steps: Int
  private let capacity: Int

  /// In how many parts of the trace prices differ at most.
  private static let parts = 4_096
  /// The largest number of times that prices are adjusted.
  private static let rounds = 60
  /// The work is done when that number of rounds together lowers the bound by less than a 10,000th.
  private static let patience = 8
  /// A bound of the error of sums of that number of rounded terms.
  private static let rounding = 1e-8

  /// The stays that fit the capacity; nil if the work was stopped.
  init?(
    _ reuse: ReuseIntervals, capacity: Int, objective: OptimumBounds.Objective, goesOn: () -> Bool
  ) {
    var intervals: [ReuseIntervals.Interval] = []
    var gains: [Double] = []
    intervals.reserveCapacity(reuse.intervals.count)
    gains.reserveCapacity(reuse.intervals.count)
    for (index, interval) in reuse.intervals.enumerated() {
      if index & 0x3FFF == 0 && !goesOn() { return nil }
      if interval.smallest > capacity { continue }
      intervals.append(interval)
      gains.append(Double(reuse.gain(of: interval, objective: objective)))
    }
    self.intervals = intervals
    self.gains = gains
    steps = reuse.steps
    self.capacity = capacity
  }

  // MARK: From above

  /// The prices with the lowest bound that were found, and that bound.
  func prices(goesOn: () -> Bool) -> (prices: RoomPrices, bound: Int)? {
    guard let clearingPrice = clearingPrice(goesOn: goesOn) else { return nil }
    var prices = RoomPrices(clearingPrice, steps: steps, parts: StayMarket.parts)
    // At no price at all every stay is bought.
    var best = (prices: prices, bound: gains.reduce(0, +))
    var lately: [Double] = []
    for round in 0...StayMarket.rounds {
      guard let (bound, demand) = sell(at: prices, goesOn: goesOn) else { return nil }
      if bound < best.bound || round == 0 { best = (prices, min(bound, best.bound)) }
      lately.append(best.bound)
      if round >= StayMarket.patience,
        lately[round - StayMarket.patience] < best.bound * 1.0001
      {
        break
      }
      prices.adjust(
        demand: demand, capacity: capacity, steps: steps, exponent: 0.7 / (1 + Double(round) / 8))
    }
    // What is counted is whole, so no optimum lies between the bound and the whole number below it.
    return (best.prices, Int(best.bound * (1 + StayMarket.rounding)))
  }

  /// Returns the gain of all stays beyond their price, plus what the room brings; and the room they take in
  /// each part of the trace.
  private func sell(
    at prices: RoomPrices, goesOn: () -> Bool
  ) -> (bound: Double, demand: [Double])? {
    var bound = prices.total * Double(capacity)
    // The size of stays that fill whole parts changes where the first and after the last such part.
    var demand = [Double](repeating: 0, count: prices.prices.count)
    var changes = [Double](repeating: 0, count: prices.prices.count + 1)
    for (index, interval) in intervals.enumerated() {
      if index & 0x3FFF == 0 && !goesOn() { return nil }
      let size = Double(interval.smallest)
      let profit = gains[index] - size * prices.price(of: interval)
      if profit <= 0 { continue }
      bound += profit
      let (first, last) = (Int(interval.start) >> prices.shift, Int(interval.end) >> prices.shift)
      if first == last {
        demand[first] += size * Double(interval.length)
      } else {
        demand[first] += size * Double((first + 1) << prices.shift - Int(interval.start))
        demand[last] += size * Double(Int(interval.end) - last << prices.shift)
        changes[first + 1] += size
        changes[last] -= size
      }
    }
    var whole = 0.0
    for part in demand.indices {
      whole += changes[part]
      demand[part] += whole * Double(1 << prices.shift)
    }
    return (bound, demand)
  }

  /// The one price at which the stays that gain more than it take all the room there is: PFOO-L's.
  private func clearingPrice(goesOn: () -> Bool) -> Double? {
    var offers: [(worth: Double, volume: Double)] = []
    offers.reserveCapacity(intervals.count)
    for (index, interval) in intervals.enumerated() {
      if index & 0x3FFF == 0 && !goesOn() { return nil }
      let volume = Double(interval.smallest) * Double(interval.length)
      if volume > 0 && gains[index] > 0 { offers.append((gains[index] / volume, volume)) }
    }
    if !offers.sortDescending(by: { $0.worth }, goesOn: goesOn) { return nil }
    var left = Double(capacity) * Double(steps)
    for offer in offers {
      left -= offer.volume
      if left <= 0 { return offer.worth }
    }
    // There is room for all, over the whole time, if not at every time.
    return (offers.last?.worth ?? 0) / 16
  }

  // MARK: From below

  /// Returns the gain of keeping stays wherever there is room, in the order of their gain by price.
  func schedule(_ prices: RoomPrices, goesOn: () -> Bool) -> Int? {
    var order: [(worth: Double, index: UInt32)] = []
    order.reserveCapacity(intervals.count)
    for (index, interval) in intervals.enumerated() {
      if index & 0x3FFF == 0 && !goesOn() { return nil }
      if interval.largest > capacity { continue }
      let price = prices.price(of: interval) * Double(interval.largest)
      // The bytes of an empty object are no gain, and its room has no price.
      order.append((gains[index] > 0 ? gains[index] / price : 0, UInt32(index)))
    }
    if !order.sortDescending(by: { $0.worth }, goesOn: goesOn) { return nil }
    var room = RoomProfile(steps: steps, capacity: capacity)
    var gain = 0
    for (place, entry) in order.enumerated() {
      if place & 0x3FFF == 0 && !goesOn() { return nil }
      let interval = intervals[Int(entry.index)]
      if room.take(interval.largest, from: Int(interval.start), to: Int(interval.end)) {
        gain += Int(gains[Int(entry.index)])
      }
    }
    return gain
  }
}

extension RoomPrices {
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
