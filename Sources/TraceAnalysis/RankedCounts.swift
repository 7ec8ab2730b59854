/// The keys' requests in descending order.
struct RankedCounts {
  /// The number of requests of the key of each rank.
  let descending: [UInt32]

  /// Ranks the keys.
  ///
  /// Most keys have few requests, so that these are counted by their number and not compared.
  init(_ uses: KeyUses) {
    var keysByCount = [Int](repeating: 0, count: 1 << 12)
    var large: [UInt32] = []
    for id in 0..<uses.count {
      let count = uses[id].count
      if Int(count) < keysByCount.count {
        keysByCount[Int(count)] += 1
      } else {
        large.append(count)
      }
    }
    large.sort(by: >)
    large.reserveCapacity(uses.count)
    for count in keysByCount.indices.reversed() {
      for _ in 0..<keysByCount[count] { large.append(UInt32(count)) }
    }
    descending = large
  }

  /// The ids of the most requested keys, among equals the first to appear.
  func top(_ number: Int, of uses: KeyUses) -> [Int] {
    guard let least = descending.prefix(number).last else { return [] }
    var ids: [Int] = []
    for id in 0..<uses.count where uses[id].count > least { ids.append(id) }
    // Of those with as many requests as the last one, the first ones fill up.
    var id = 0
    while ids.count < min(number, uses.count) {
      if uses[id].count == least { ids.append(id) }
      id += 1
    }
    let counts = ids.map { uses[$0].count }
    return ids.indices.sorted {
      counts[$0] != counts[$1] ? counts[$0] > counts[$1] : ids[$0] < ids[$1]
    }
    .map { ids[$0] }
  }

  /// Ranks and their requests, at most about a hundred, evenly spread on a logarithmic scale.
  var curve: [(rank: Int, requests: Int)] {
    var points: [(rank: Int, requests: Int)] = []
    var rank = 1
    while rank <= descending.count {
      points.append((rank, Int(descending[rank - 1])))
      if rank == descending.count { break }
      rank = min(max(rank + 1, rank * 9 / 8), descending.count)
    }
    return points
  }
}
