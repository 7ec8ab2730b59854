import EvictionCore
import Requests

/// The counts of a run of a cache of prefixes.
@usableFromInline
package struct PrefixCounts: Sendable, Equatable {
  /// Counted prompts.
  @usableFromInline package var prompts = 0
  /// Blocks of the counted prompts.
  @usableFromInline package var blocks = 0
  /// Blocks of their longest resident prefixes.
  @usableFromInline package var hitBlocks = 0
  /// Tokens of the counted prompts.
  @usableFromInline package var tokens = 0
  /// Tokens of their longest resident prefixes.
  @usableFromInline package var hitTokens = 0
  /// A bound of the tokens that any cache of as many blocks can hit: of the counted prompts' blocks that an earlier prompt
  /// had, counted or not, those of the ``hitBlocks`` that hold most. Counted for the optimum only.
  @usableFromInline package var mostTokens = 0
  /// Hit tokens of blocks that the same session requested last; meaningful where prompts have sessions.
  @usableFromInline package var sessionHitTokens = 0
  /// The sum over the prompts of hit tokens / tokens.
  @usableFromInline package var hitRatios = 0.0
  /// By counted prompt: its tokens that were not hit.
  @usableFromInline package var missedTokens: [Int] = []
  /// Resident blocks of counted prompts behind one that was not: of no use there. None where chains are kept.
  @usableFromInline package var orphans = 0
  /// Blocks that entered the cache, the warm-up's included.
  @usableFromInline package var insertions = 0
  /// Blocks that were evicted, the warm-up's included.
  @usableFromInline package var evictions = 0
  /// Tokens of counted prompts that were written to a rented cache; 0 for others.
  @usableFromInline package var writtenTokens = 0
  /// Tokens kept × hours from the first counted prompt to the last, of a rented cache; 0 for others.
  @usableFromInline package var tokenHours = 0.0
  /// True if the cache was full before the first counted prompt; of several tiers, the device.
  @usableFromInline package var hadFilled = false
  /// The counts by tier, the device's first; empty for a cache without tiers.
  @usableFromInline package var tiers: [TierCounts] = []

  /// Nothing counted yet.
  @usableFromInline package init() {}

  /// The counts of several caches together, each with prompts of its own.
  package init(sum caches: [PrefixCounts]) {
    for cache in caches {
      prompts += cache.prompts
      blocks += cache.blocks
      hitBlocks += cache.hitBlocks
      tokens += cache.tokens
      hitTokens += cache.hitTokens
      mostTokens += cache.mostTokens
      sessionHitTokens += cache.sessionHitTokens
      hitRatios += cache.hitRatios
      missedTokens += cache.missedTokens
      orphans += cache.orphans
      insertions += cache.insertions
      evictions += cache.evictions
      writtenTokens += cache.writtenTokens
      tokenHours += cache.tokenHours
      if tiers.isEmpty { tiers = cache.tiers.map { _ in TierCounts() } }
      for (number, tier) in cache.tiers.enumerated() { tiers[number].add(tier) }
    }
    // A cache of which no prompt is counted need not be full.
    hadFilled = caches.allSatisfy { $0.hadFilled || $0.prompts == 0 }
  }

  /// Counts a prompt.
  @inlinable
  mutating func count(
    _ prompt: Int, of forest: PromptForest, hits: Int, sessionHits: Int
  ) {
    let start = forest.starts[prompt]
    let length = forest.tokens[prompt]
    prompts &+= 1
    blocks &+= forest.starts[prompt &+ 1] &- start
    hitBlocks &+= hits
    tokens &+= length
    let found = forest.tokens(ofFirst: hits, of: prompt)
    hitTokens &+= found
    missedTokens.append(length &- found)
    sessionHitTokens &+= sessionHits
    if length > 0 { hitRatios += Double(found) / Double(length) }
  }
}

/// The counts of one tier of a cache of prefixes; of the counted prompts where nothing else is said.
@usableFromInline
package struct TierCounts: Sendable, Equatable {
  /// Hit blocks of which this is the fastest tier.
  package var hitBlocks = 0
  /// Their tokens.
  package var hitTokens = 0
  /// Tokens of hit blocks that moved up from here, all whole; 0 of the device.
  package var raisedTokens = 0
  /// Tokens of blocks that entered, all whole.
  package var enteredTokens = 0
  /// Resident blocks at the end of the run.
  package var residents = 0

  mutating func add(_ other: TierCounts) {
    hitBlocks += other.hitBlocks
    hitTokens += other.hitTokens
    raisedTokens += other.raisedTokens
    enteredTokens += other.enteredTokens
    residents += other.residents
  }
}

extension PrefixCounts {
  /// Counts the hits of a prompt by tier.
  ///
  /// - Parameter ends: By tier: the end of the hits in it and in all above it.
  mutating func countTiers(_ prompt: Int, of forest: PromptForest, ends: [Int]) {
    var (blocks, tokens) = (0, 0)
    for (number, end) in ends.enumerated() {
      let found = forest.tokens(ofFirst: end, of: prompt)
      tiers[number].hitBlocks += end - blocks
      tiers[number].hitTokens += found - tokens
      (blocks, tokens) = (end, found)
    }
  }
}

/// The rules of a run of a cache of prefixes.
@usableFromInline
package struct PrefixOptions: Sendable {
  /// Capacity in blocks, parameters and seed.
  @usableFromInline package var run: RunOptions
  /// Evicts a block only when no resident block follows it; else any, as a cache does that knows no chains.
  @usableFromInline package var keepsChains: Bool
  /// Prompts at the start that are run but not counted.
  @usableFromInline package var warmup: Int

  /// Rules that keep chains and count every prompt.
  @usableFromInline package init(_ run: RunOptions, keepsChains: Bool = true, warmup: Int = 0) {
    self.run = run
    self.keepsChains = keepsChains
    self.warmup = warmup
  }
}

/// The session that requested each block last, by segments, whose blocks are requested together.
@usableFromInline
struct BlockSessions: ~Copyable {
  private let forest: PromptForest
  /// Nil where prompts have no sessions.
  private let segments: PromptSegments?
  /// By segment.
  private var last: [UInt32]

  @usableFromInline
  init(_ forest: PromptForest) {
    self.forest = forest
    segments = forest.sessions == nil ? nil : forest.segments
    last = [UInt32](repeating: .max, count: segments?.count ?? 0)
  }

  /// Takes down the session of `prompt`.
  ///
  /// - Returns: The tokens of its first `hits` blocks that its own session requested last.
  @usableFromInline
  mutating func record(_ prompt: Int, hits: Int) -> Int {
    guard let segments, let sessions = forest.sessions else { return 0 }
    let session = sessions[prompt]
    var own = 0
    var end = forest.starts[prompt + 1] - forest.starts[prompt]
    var segment = segments.ends[prompt]
    while end > 0 {
      let start = end - segments.lengths[Int(segment)]
      if start < hits && last[Int(segment)] == session {
        own +=
          forest.tokens(ofFirst: min(end, hits), of: prompt)
          - forest.wholeTokens(ofFirst: start, of: prompt)
      }
      last[Int(segment)] = session
      segment = segments.parents[Int(segment)]
      end = start
    }
    return own
  }
}
