import EvictionCore
import Prefixes
import Requests
import Results

/// Tiers of prefix caches by sets and searches, written from the rules of the guide: block by block, and each block is
/// looked for wherever it may be.
final class NaiveTiers {
  let rules: TierRules
  let tiers: [any NaiveTier]
  /// The blocks that were hit below since they entered a tier.
  var marks: Set<UInt32> = []
  var hitBlocks: [Int]
  var hitTokens: [Int]
  var raisedTokens: [Int]
  var enteredTokens: [Int]
  private var parents: [UInt32: UInt32] = [:]
  private var wholeTokens: [UInt32: Int] = [:]

  init(_ rules: TierRules, _ tiers: [any NaiveTier]) {
    (self.rules, self.tiers) = (rules, tiers)
    hitBlocks = tiers.map { _ in 0 }
    (hitTokens, raisedTokens, enteredTokens) = (hitBlocks, hitBlocks, hitBlocks)
  }

  func serve(_ chain: [UInt32], tokens: Int, wholeTokens: [Int]) {
    for (place, block) in chain.enumerated() {
      if place > 0 { parents[block] = chain[place - 1] }
      self.wholeTokens[block] = wholeTokens[place]
    }
    let found = chain.map { block in tiers.firstIndex { $0.residents.contains(block) } }
    let fastest = found.prefix { $0 != nil }.map { $0! }
    var depth = 0
    for (place, tier) in fastest.enumerated() {
      let end = min(depth + wholeTokens[place], tokens)
      hitBlocks[tier] += 1
      hitTokens[tier] += end - min(depth, tokens)
      depth += wholeTokens[place]
    }
    var rising = chain.count
    if rules.promotion == .second {
      rising =
        fastest.indices.first { fastest[$0] > 0 && !marks.contains(chain[$0]) } ?? chain.count
    }
    switch rules.kind {
    case .inclusive: copy(chain, fastest, rising)
    case .exclusive, .writeBack: move(chain, fastest, rising)
    }
    for (place, tier) in fastest.enumerated() where tier > 0 {
      if rules.promotion == .second && place >= rising { marks.insert(chain[place]) }
    }
  }

  private func copy(_ chain: [UInt32], _ fastest: [Int], _ rising: Int) {
    var held = 0
    for (number, tier) in tiers.enumerated() {
      for place in fastest.indices where fastest[place] == number && place < held {
        raisedTokens[number] += wholeTokens[chain[place]]!
      }
      let own = chain.prefix { tier.residents.contains($0) }.count
      let goesOn = rising == chain.count || number >= fastest.last!
      let end = max(own, min(goesOn ? chain.count : rising, tier.capacity))
      held = max(held, end)
      tier.own = Set(chain[..<end])
      for place in (own..<end).reversed() { _ = enter(chain[place], number) }
      for place in (0..<own).reversed() { tier.touch(chain[place]) }
      tier.own = []
    }
  }

  private func move(_ chain: [UInt32], _ fastest: [Int], _ rising: Int) {
    // What the tiers so far have of the prompt, counted from its first block.
    var held = 0
    var falling: [UInt32] = []
    for (number, tier) in tiers.enumerated() {
      var own = fastest.indices.filter { fastest[$0] == number }
      let above = held
      held = max(held, own.last.map { $0 + 1 } ?? 0)
      for place in own where place < above {
        raisedTokens[number] += wholeTokens[chain[place]]!
        if rules.kind == .exclusive { tier.remove(chain[place]) }
      }
      if rules.kind == .exclusive { own.removeAll { $0 < above } }
      tier.own = Set(own.map { chain[$0] })
      var leaving: [UInt32] = []
      for block in falling where !tier.residents.contains(block) {
        if tier.residents.count >= tier.capacity
          && pinned(number).count >= tier.residents.count
        {
          leaving.append(block)
        } else {
          leaving += enter(block, number)
        }
      }
      let goesOn = rising == chain.count || number >= fastest.last!
      let room = tier.capacity - pinned(number).count
      let entering = held..<max(held, min(goesOn ? chain.count : rising, held + room))
      held = entering.upperBound
      tier.own.formUnion(entering.map { chain[$0] })
      for place in entering.reversed() { leaving += enter(chain[place], number) }
      for place in own.reversed() { tier.touch(chain[place]) }
      tier.own = []
      falling = leaving
      if rules.kind == .writeBack {
        falling.removeAll { block in
          tiers[...number].contains { $0.residents.contains(block) }
        }
      }
    }
  }

  /// The blocks of a tier that may not leave, though others that follow them might: the prompt's own, and those before.
  private func pinned(_ number: Int) -> Set<UInt32> {
    var pinned = tiers[number].own
    for block in pinned {
      var before = parents[block]
      while let parent = before, tiers[number].residents.contains(parent) {
        pinned.insert(parent)
        before = parents[parent]
      }
    }
    return pinned
  }

  /// Lets a block enter, and returns what leaves for it.
  private func enter(_ block: UInt32, _ number: Int) -> [UInt32] {
    let evicted = tiers[number].insert(block, parents)
    precondition(tiers[number].residents.contains(block), "none of these policies refuses")
    enteredTokens[number] += wholeTokens[block]!
    marks.remove(block)
    return evicted
  }

  /// True if for each tier the block before each block is there or in a faster tier, and no tier has too many.
  var isClosed: Bool {
    tiers.indices.allSatisfy { number in
      let above = tiers[...number].reduce(into: Set<UInt32>()) { $0.formUnion($1.residents) }
      return above.allSatisfy { block in parents[block].map(above.contains) ?? true }
        && tiers[number].residents.count <= tiers[number].capacity
    }
  }

  /// True if no block is in two tiers.
  var isExclusive: Bool {
    let all = tiers.reduce(into: Set<UInt32>()) { $0.formUnion($1.residents) }
    return all.count == tiers.reduce(0) { $0 + $1.residents.count }
  }
}

/// One of the naive tiers.
protocol NaiveTier: AnyObject {
  var capacity: Int { get }
  var residents: Set<UInt32> { get }
  /// The prompt's own blocks, which do not leave.
  var own: Set<UInt32> { get set }

  /// Lets a block enter, and returns what leaves for it.
  func insert(_ block: UInt32, _ parents: [UInt32: UInt32]) -> [UInt32]
  func touch(_ block: UInt32)
  func remove(_ block: UInt32)
}

/// LRU or FIFO by a list.
final class NaiveListTier: NaiveTier {
  let capacity: Int
  let movesHits: Bool
  var own: Set<UInt32> = []
  /// The oldest first.
  private var order: [UInt32] = []

  init(capacity: Int, movesHits: Bool) {
    self.capacity = capacity
    self.movesHits = movesHits
  }

  var residents: Set<UInt32> { Set(order) }

  func insert(_ block: UInt32, _ parents: [UInt32: UInt32]) -> [UInt32] {
    var evicted: [UInt32] = []
    while order.count >= capacity {
      let inner = Set(order.compactMap { parents[$0] })
      let place = order.firstIndex { !inner.contains($0) && !own.contains($0) }!
      evicted.append(order.remove(at: place))
    }
    order.append(block)
    return evicted
  }

  func touch(_ block: UInt32) {
    if !movesHits { return }
    order.removeAll { $0 == block }
    order.append(block)
  }

  func remove(_ block: UInt32) { order.removeAll { $0 == block } }
}

/// A policy of the catalog behind a host that searches for what is pinned.
final class NaivePolicyTier<Policy: PinnablePolicy & ~Copyable>: NaiveTier {
  private struct Host: SlotHost {
    let capacity: Int
    var residents: Set<Slot> = []
    var own: Set<Slot> = []
    var parents: [Slot: Slot] = [:]
    var evicted: [Slot] = []

    static var pinsSlots: Bool { true }
    func hasRoom(for request: Request) -> Bool { residents.count < capacity }
    func size(of slot: Slot) -> Int { 1 }
    func isPinned(_ slot: Slot) -> Bool {
      own.contains(slot) || residents.contains { parents[$0] == slot }
    }
    mutating func didEvict(_ slot: Slot) {
      residents.remove(slot)
      evicted.append(slot)
    }
    mutating func didForget(_ slot: Slot) {}
  }

  private var policy: Policy
  private var host: Host

  init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    policy = try Policy(configuration)
    host = Host(capacity: configuration.capacity)
  }

  var capacity: Int { host.capacity }
  var residents: Set<UInt32> { host.residents }
  var own: Set<UInt32> {
    get { host.own }
    set { host.own = newValue }
  }

  func insert(_ block: UInt32, _ parents: [UInt32: UInt32]) -> [UInt32] {
    host.parents = parents
    host.evicted = []
    if policy.insert(Request(slot: block), host: &host) { host.residents.insert(block) }
    return host.evicted
  }

  func touch(_ block: UInt32) { policy.hit(Request(slot: block), host: &host) }

  func remove(_ block: UInt32) {
    host.residents.remove(block)
    policy.remove(block, host: &host)
  }
}
