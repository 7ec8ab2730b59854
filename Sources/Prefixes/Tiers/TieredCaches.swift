import EvictionCore
import Parameters
import Requests
import Results

/// The device and the tiers below it, as one cache of prefixes.
///
/// A prompt's hits are its longest prefix of blocks of which each is in some tier; each counts for the fastest that has
/// it. Then the tiers do their parts one after the other, the device first: what leaves one is taken by the next before
/// that serves the prompt.
///
/// Let U be the blocks of a tier and of all above it. With each rule U holds, for every tier, the block before each of its
/// blocks: a block leaves a tier when no block there follows it; it stays in U if a faster tier has it, and if none has, no
/// block of a faster tier follows it either. So the hits of a prompt are in the device first, then in the next tier and so
/// on, and what leaves the last tier has nothing behind it in any.
///
/// - Complexity: O(blocks) times the policies' own cost. Memory: that of a cache per tier, and a byte per distinct block.
package enum TieredCaches {
  /// The most tiers, the device included.
  package static let most = 5

  /// A tier: its capacity in blocks, and its policy.
  package struct Tier: Sendable {
    package let policy: PrefixSimulator
    package let options: RunOptions

    /// A tier of a policy that keeps chains.
    package init(_ policy: PrefixSimulator, _ options: RunOptions) {
      self.policy = policy
      self.options = options
    }
  }

  /// The optimum, to which rows are compared: that of one cache of all tiers' blocks.
  ///
  /// Whatever the rules, no tiers hit more blocks. They hold at most as many distinct blocks as they have room for together,
  /// a hit block is in one of them, and one that enters comes from the prompt or from another tier. So the one cache may hold
  /// whatever they hold, prompt by prompt, and hits what they hit; and the optimum hits no less than any such cache. The
  /// largest tier's capacity is no bound, not even for inclusive tiers: each has a policy of its own, and what one evicts
  /// another may keep.
  package static func optimum(
    _ forest: PromptForest, capacities: [Int], warmup: Int = 0,
    observer: (Int) -> Bool = { _ in true }
  ) -> PrefixCounts? {
    let sum = capacities.reduce(0) { min($0 + min($1, forest.distinct), forest.distinct) }
    return PrefixOptimum.run(forest, capacity: max(sum, 1), warmup: warmup, observer: observer)
  }

  /// Runs every prompt.
  ///
  /// - Parameters:
  ///   - forest: The prompts.
  ///   - tiers: The tiers, the device first.
  ///   - rules: The rules between them.
  ///   - warmup: The prompts at the start that are run but not counted.
  ///   - observer: Called every few thousand prompts with the number of blocks done.
  /// - Returns: The counts, with those by tier, or nil if the observer returned false.
  /// - Throws: ``PolicyError`` if a policy cannot run with these options.
  package static func run(
    _ forest: PromptForest, tiers: [Tier], rules: TierRules, warmup: Int = 0,
    observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> PrefixCounts? {
    precondition(!tiers.isEmpty && tiers.count <= most, "there are at most \(most) tiers")
    return try forest.parents.withUnsafeBufferPointer { (parents) throws(PolicyError) in
      let places = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, parents.count))
      places.initialize(repeating: 0, count: parents.count)
      defer { places.deallocate() }
      let children = BlockChildren(parents)
      var boxes: [PrefixTier] = []
      for (number, tier) in tiers.enumerated() {
        boxes.append(
          try tier.policy.tier(
            TierSetting(
              forest: forest, parents: parents, children: children, places: places,
              bit: 1 << UInt8(number), options: tier.options)))
      }
      let loop = TieredLoop(forest, boxes, rules, places: places)
      let counts = loop.run(warmup: warmup, observer: observer)
      if let number = boxes.firstIndex(where: { $0.state().hasLostPinned }) {
        throw .conflict(
          policy: tiers[number].policy.description.information.name,
          explanation:
            "evicts blocks that others follow: its evict must pass over pinned slots, as "
            + "every PinnablePolicy does; leave it out")
      }
      return counts
    }
  }
}

/// A run of tiers over a forest.
private struct TieredLoop {
  let forest: PromptForest
  let tiers: [PrefixTier]
  let rules: TierRules
  /// By block: a bit for each tier that has it, and ``TierHost/mark``.
  let places: UnsafeMutablePointer<UInt8>

  init(
    _ forest: PromptForest, _ tiers: [PrefixTier], _ rules: TierRules,
    places: UnsafeMutablePointer<UInt8>
  ) {
    self.forest = forest
    self.tiers = tiers
    self.rules = rules
    self.places = places
  }

  func run(warmup: Int, observer: (Int) -> Bool) -> PrefixCounts? {
    let nodes = PromptChain(of: forest)
    let chain = UnsafePointer(nodes.nodes)
    var sessions = BlockSessions(forest)
    var counts = PrefixCounts()
    counts.tiers = [TierCounts](repeating: TierCounts(), count: tiers.count)
    var falling: [Slot] = []
    for prompt in 0..<forest.prompts {
      let blocks = nodes.read(prompt).count
      if prompt == warmup { counts.hadFilled = tiers[0].state().used >= tiers[0].capacity }
      let ends = ends(chain, blocks)
      let hits = ends[tiers.count - 1]
      let sessionHits = sessions.record(prompt, hits: hits)
      let isCounted = prompt >= warmup
      if isCounted {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
        counts.countTiers(prompt, of: forest, ends: ends)
      }
      serve(prompt, chain, blocks, ends, &falling, &counts, isCounted: isCounted)
      if tiers.contains(where: { $0.state().hasLostPinned }) { return nil }
      if prompt & 4095 == 4095 && !observer(forest.starts[prompt + 1]) { return nil }
    }
    for (number, tier) in tiers.enumerated() {
      let state = tier.state()
      counts.tiers[number].residents = state.used
      counts.insertions += state.insertions
      counts.evictions += state.departures
    }
    return counts
  }

  /// By tier: the end of the hits in it and in all above it.
  private func ends(_ chain: UnsafePointer<UInt32>, _ blocks: Int) -> [Int] {
    var ends = [Int](repeating: 0, count: tiers.count)
    var tier = 0
    var hits = 0
    while hits < blocks {
      let found = places[Int(chain[hits])] & ~TierHost.mark
      if found == 0 { break }
      assert(found.trailingZeroBitCount >= tier, "a block is in a faster tier than one before it")
      while tier < found.trailingZeroBitCount {
        ends[tier] = hits
        tier += 1
      }
      hits += 1
    }
    for tier in tier..<tiers.count { ends[tier] = hits }
    assert(
      (hits..<blocks).allSatisfy { places[Int(chain[$0])] & ~TierHost.mark == 0 },
      "a resident block follows one that is not")
    return ends
  }

  /// Lets each tier do its part.
  private func serve(
    _ prompt: Int, _ chain: UnsafePointer<UInt32>, _ blocks: Int, _ ends: [Int],
    _ falling: inout [Slot], _ counts: inout PrefixCounts, isCounted: Bool
  ) {
    let hits = ends[tiers.count - 1]
    let rising = rising(chain, ends, blocks)
    falling.removeAll(keepingCapacity: true)
    // The end of what the tiers so far have of the prompt.
    var held = 0
    for (number, tier) in tiers.enumerated() {
      let visit: TierVisit
      if rules.kind == .inclusive {
        visit = copyVisit(prompt, chain, blocks, ends, number, rising: rising)
        falling.removeAll(keepingCapacity: true)
      } else {
        visit = moveVisit(prompt, chain, blocks, ends, number, rising: rising, held: held)
      }
      let (before, above) = (tier.state().enteredTokens, held)
      let end = tier.serve(visit, &falling)
      held = max(end, held)
      if rules.kind == .writeBack {
        // A faster tier has them, or they have come back from one.
        let upper = UInt8(2) << UInt8(number) - 1
        falling.removeAll { places[Int($0)] & upper != 0 }
      }
      if !isCounted { continue }
      counts.tiers[number].enteredTokens += tier.state().enteredTokens - before
      if number == 0 { continue }
      let moved = ends[number - 1]..<max(ends[number - 1], min(above, ends[number]))
      counts.tiers[number].raisedTokens += forest.wholeTokens(moved, of: prompt)
    }
    // What stays below is to rise at its next hit.
    if rules.promotion == .second {
      for place in max(rising, ends[0])..<max(hits, rising, ends[0]) {
        places[Int(chain[place])] |= TierHost.mark
      }
    }
  }

  /// The end of the blocks that are to be as far up as there is room.
  private func rising(_ chain: UnsafePointer<UInt32>, _ ends: [Int], _ blocks: Int) -> Int {
    if rules.promotion == .always { return blocks }
    let below = ends[0]..<ends[tiers.count - 1]
    return below.first { places[Int(chain[$0])] & TierHost.mark == 0 } ?? blocks
  }

  /// A tier's part where each serves every prompt. Behind a block that stays below, new blocks enter the fastest tier that
  /// has it, and all below that.
  private func copyVisit(
    _ prompt: Int, _ chain: UnsafePointer<UInt32>, _ blocks: Int, _ ends: [Int], _ number: Int,
    rising: Int
  ) -> TierVisit {
    let bit = UInt8(1) << UInt8(number)
    var own = 0
    while own < blocks && places[Int(chain[own])] & bit != 0 { own += 1 }
    let isAbove = rising < blocks && ends[number] < ends[tiers.count - 1]
    let end = min(isAbove ? rising : blocks, tiers[number].capacity)
    return TierVisit(
      prompt: prompt, chain: chain, leaving: 0..<0, hits: 0..<own, entering: own..<max(own, end),
      pinned: own)
  }

  /// A tier's part where blocks move: what rises and what is new enters the device, and the next tiers where it has no
  /// room. Behind a block that stays below, new blocks enter the tier of that.
  ///
  /// - Parameter held: The end of what the tiers above have of the prompt by now.
  private func moveVisit(
    _ prompt: Int, _ chain: UnsafePointer<UInt32>, _ blocks: Int, _ ends: [Int], _ number: Int,
    rising: Int, held: Int
  ) -> TierVisit {
    let own = (number == 0 ? 0 : ends[number - 1])..<ends[number]
    let moved =
      rules.kind == .exclusive
      ? min(max(held, own.lowerBound), own.upperBound) : own.lowerBound
    let stays = moved..<own.upperBound
    var pinned = stays.count
    if rules.kind == .writeBack && !stays.isEmpty {
      // They pin copies of the blocks before them.
      let bit = UInt8(1) << UInt8(number)
      var place = stays.lowerBound
      while place > 0 && places[Int(chain[place - 1])] & bit != 0 {
        place -= 1
        pinned += 1
      }
    }
    let start = max(held, own.upperBound)
    let isAbove = rising < blocks && own.upperBound < ends[tiers.count - 1]
    let end = isAbove ? rising : blocks
    let room = min(blocks - start, tiers[number].capacity - pinned)
    return TierVisit(
      prompt: prompt, chain: chain, leaving: own.lowerBound..<moved, hits: stays,
      entering: start..<max(start, min(end, start + room)), pinned: pinned)
  }
}

extension PromptForest {
  /// The tokens of a block if it is whole.
  @inlinable @inline(__always)
  func wholeTokens(of node: UInt32) -> Int {
    if let blockTokens { return blockTokens }
    let parent = parents[Int(node)]
    return depths[Int(node)] &- (parent == PromptForest.root ? 0 : depths[Int(parent)])
  }

  /// The tokens of blocks of a prompt if they are whole.
  fileprivate func wholeTokens(_ blocks: Range<Int>, of prompt: Int) -> Int {
    wholeTokens(ofFirst: blocks.upperBound, of: prompt)
      - wholeTokens(ofFirst: blocks.lowerBound, of: prompt)
  }
}
