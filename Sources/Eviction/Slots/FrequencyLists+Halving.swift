extension FrequencyLists {
  /// The requests counted for `slot`, which is counted.
  @inlinable @inline(__always)
  public func frequency(of slot: Slot) -> Int {
    levels[Int(lists.owner(of: slot).rawValue)].frequency
  }

  /// Makes `slot`, which is counted, the most recently used of its frequency.
  @inlinable @inline(__always)
  public mutating func refresh(_ slot: Slot) {
    lists.moveToFront(slot, of: lists.owner(of: slot))
  }

  /// Halves every frequency, rounding up.
  ///
  /// - Parameter isOlder: True if the first slot was used longer ago than the second: decides the order
  ///   of slots whose frequencies become equal.
  /// - Returns: The sum of the halved frequencies.
  /// - Complexity: O(count).
  @inlinable
  public mutating func halve(isOlder: (Slot, Slot) -> Bool) -> Int {
    var sum = 0
    var lower: UInt32 = 0
    var next = levels[0].higher
    while next != 0 {
      let level = next
      next = levels[Int(level)].higher
      let frequency = (levels[Int(level)].frequency &+ 1) / 2
      sum &+= frequency &* lists.count(of: ID(level))
      if lower != 0 && levels[Int(lower)].frequency == frequency {
        lower = merge(lower, level, isOlder: isOlder)
      } else {
        levels[Int(level)].frequency = frequency
        lower = level
      }
    }
    return sum
  }

  /// Replaces two neighbours in the chain by one level that has the frequency of the lower.
  @inlinable
  mutating func merge(
    _ lower: UInt32, _ higher: UInt32, isOlder: (Slot, Slot) -> Bool
  ) -> UInt32 {
    let merged = newList()
    while true {
      let left = lists.back(of: ID(lower))
      let right = lists.back(of: ID(higher))
      guard let oldest = left ?? right else { break }
      var slot = oldest
      if left != nil, let right, isOlder(right, oldest) { slot = right }
      lists.move(slot, toFrontOf: ID(merged), size: 1)
    }
    (levels + Int(merged)).initialize(
      to: Level(frequency: levels[Int(lower)].frequency, lower: lower, higher: higher))
    levels[Int(lower)].higher = merged
    levels[Int(higher)].lower = merged
    releaseIfEmpty(lower)
    releaseIfEmpty(higher)
    return merged
  }
}
