/// The count of requests and the size of each key, in the order of first appearance.
///
/// An array of records, and an open-addressing table from keys' hashes to places in it. Two keys whose
/// 64-bit hashes are equal count as one.
struct KeyStatistics {
  struct Record: BitwiseCopyable {
    let keyHash: UInt64
    /// The object's size at its latest request.
    var size: Int
    /// Requests since the last ``settle(decay:least:)``.
    var count = 0.0
    /// The smoothed number of requests; nil before the first time.
    var rate: Double?
  }

  private(set) var records: [Record] = []
  /// The sum of the sizes; a Double, which absurd sizes do not make overflow.
  private(set) var size = 0.0
  /// Places in `records`, each plus one; 0 where there is none. At most half are in use.
  private var places = [UInt32](repeating: 0, count: 16)

  mutating func visitState(_ state: inout PolicyState) {
    state.visit(&records)
    state.visit(&size)
    state.visit(&places)
  }

  /// Counts a request.
  mutating func count(_ keyHash: UInt64, size newSize: Int) {
    let position = position(of: keyHash)
    if places[position] == 0 {
      records.append(Record(keyHash: keyHash, size: newSize, count: 1))
      size += Double(newSize)
      places[position] = UInt32(records.count)
      if 2 * records.count > places.count { rebuild(count: 2 * places.count) }
    } else {
      let place = Int(places[position]) - 1
      size += Double(newSize) - Double(records[place].size)
      records[place].size = newSize
      records[place].count += 1
    }
  }

  /// Takes the counts over into the rates, `decay` being what is left of an old rate, and forgets keys
  /// whose rate is below `least`.
  mutating func settle(decay: Double, least: Double) {
    for place in records.indices {
      let count = records[place].count
      records[place].rate = records[place].rate.map { $0 * decay + (1 - decay) * count } ?? count
      records[place].count = 0
    }
    records.removeAll { ($0.rate ?? 0) < least }
    size = records.reduce(0) { $0 + Double($1.size) }
    rebuild(count: places.count)
  }

  private func position(of keyHash: UInt64) -> Int {
    let mask = places.count - 1
    var position = Int(truncatingIfNeeded: keyHash) & mask
    while places[position] != 0, records[Int(places[position]) - 1].keyHash != keyHash {
      position = (position + 1) & mask
    }
    return position
  }

  private mutating func rebuild(count: Int) {
    precondition(count <= 1 << 32, "a filter counts at most 2^31 keys")
    places = [UInt32](repeating: 0, count: count)
    for place in records.indices {
      places[position(of: records[place].keyHash)] = UInt32(place + 1)
    }
  }
}
