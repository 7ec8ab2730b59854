/// A cache of prefixes by dictionaries and searches from end to end, written from the rules.
struct NaivePrefixCache {
  /// The order by which one of the leaves leaves.
  enum Order: String, CaseIterable {
    case lru, fifo, lfu, lifo, mru
  }

  let order: Order
  let capacity: Int
  /// The resident blocks: the block before each.
  var parents: [UInt64: UInt64?] = [:]
  var entered: [UInt64: Int] = [:]
  var used: [UInt64: Int] = [:]
  var counts: [UInt64: Int] = [:]
  var clock = 0
  var hitBlocks = 0
  var hitTokens = 0

  init(_ order: Order, capacity: Int) {
    self.order = order
    self.capacity = capacity
  }

  mutating func serve(_ chain: [UInt64], tokens: Int, wholeTokens: [Int]) {
    let hits = chain.prefix { parents[$0] != nil }
    hitBlocks += hits.count
    hitTokens += min(wholeTokens.prefix(hits.count).reduce(0, +), tokens)
    let kept = chain.prefix(capacity)
    for (place, block) in kept.enumerated().reversed() {
      clock += 1
      if place < hits.count {
        used[block] = clock
        counts[block, default: 0] += 1
        continue
      }
      while parents.count >= capacity { evict(sparing: Set(chain)) }
      parents[block] = .some(place == 0 ? nil : chain[place - 1])
      entered[block] = clock
      used[block] = clock
      counts[block] = 1
    }
  }

  private mutating func evict(sparing own: Set<UInt64>) {
    let inner = Set(parents.values.compactMap { $0 })
    let leaves = parents.keys.filter { !inner.contains($0) && !own.contains($0) }
    func before(_ left: UInt64, _ right: UInt64) -> Bool {
      switch order {
      case .lru: used[left]! < used[right]!
      case .mru: used[left]! > used[right]!
      case .fifo: entered[left]! < entered[right]!
      case .lifo: entered[left]! > entered[right]!
      case .lfu: (counts[left]!, used[left]!) < (counts[right]!, used[right]!)
      }
    }
    let victim = leaves.min(by: before)!
    parents[victim] = nil
  }

  /// True if the block before each resident block is resident, too.
  var isClosed: Bool {
    parents.values.allSatisfy { parent in parent.map { parents[$0] != nil } ?? true }
  }
}

/// The block hits of the optimum, block by block: the end of a chain that is needed last leaves, unless the newcomer
/// is needed no sooner.
func naiveOptimum(_ chains: [[UInt64]], capacity: Int) -> Int {
  var parents: [UInt64: UInt64?] = [:]
  var hitBlocks = 0
  for (prompt, chain) in chains.enumerated() {
    func next(_ block: UInt64) -> Int {
      chains[(prompt + 1)...].firstIndex { $0.contains(block) } ?? .max
    }
    let hits = chain.prefix { parents[$0] != nil }.count
    hitBlocks += hits
    for place in hits..<chain.count {
      if parents.count == capacity {
        let inner = Set(parents.values.compactMap { $0 })
        let leaves = parents.keys.filter { !inner.contains($0) && !chain.contains($0) }
        guard let victim = leaves.max(by: { next($0) < next($1) }),
          next(victim) > next(chain[place])
        else { break }
        parents[victim] = nil
      }
      parents[chain[place]] = .some(place == 0 ? nil : chain[place - 1])
    }
  }
  return hitBlocks
}

/// The most block hits that any cache can have: every set that it may hold is tried.
///
/// A set is any part of what was held and the prompt's blocks, parents or not; chains are at most 16 blocks in all. Hits of
/// the prompts before number `first` do not count.
func exhaustiveOptimum(_ chains: [[UInt64]], capacity: Int, from first: Int = 0) -> Int {
  var best: [UInt16: Int] = [0: 0]
  for (prompt, chain) in chains.enumerated() {
    let own = chain.reduce(UInt16(0)) { $0 | 1 << UInt16($1) }
    var next: [UInt16: Int] = [:]
    for (held, hits) in best {
      let found = prompt < first ? 0 : chain.prefix { held >> UInt16($0) & 1 == 1 }.count
      let all = held | own
      var part = all
      while true {
        if part.nonzeroBitCount <= capacity {
          next[part] = max(next[part] ?? 0, hits + found)
        }
        if part == 0 { break }
        part = (part - 1) & all
      }
    }
    best = next
  }
  return best.values.max() ?? 0
}
