/// The measures of a cache of prefixes.
package struct PrefixMeasures: Documented {
  package var setup = PrefixSetup()
  package var prompts = 0
  package var blocks = 0
  package var hitBlocks = 0
  package var tokens = 0
  package var hitTokens = 0
  /// Nil when none was counted.
  package var meanHitRatio: Double?
  /// Nil where prompts have no sessions.
  package var sessionHitRatio: Double?
  /// Nil when none was counted, as are the others.
  package var missedTokensP50: Int?
  package var missedTokensP90: Int?
  package var missedTokensP99: Int?
  package var orphans = 0
  /// Nil where the bytes of a token are not known.
  package var bytes: Int?
  /// Nil for the others.
  package var tokenHitRatioBound: Double?
  /// Empty for one worker.
  package var hitsByWorker: [Int] = []
  /// Empty for one worker.
  package var tokensByWorker: [Int] = []
  /// Nil for caches of one's own.
  package var rent: PromptRent?
  /// Nil without prices, and where the bytes of the cache are not known.
  package var costs: PromptCosts?
  /// Nil for one worker.
  package var busiest: Double?
  /// Nil for one worker.
  package var replicas: Double?
  /// Nil for one worker.
  package var hindsightHitBlocks: Int?
  /// Nil for one worker.
  package var hindsightTokenHitRatio: Double?
  /// Empty for a cache without tiers, as those below.
  package var tierBlocks: [Int] = []
  package var hitsByTier: [Int] = []
  package var hitTokensByTier: [Int] = []
  package var tokensRaisedByTier: [Int] = []
  package var tokensWrittenByTier: [Int] = []
  /// Nil where neither loading nor computing has a cost.
  package var meanLoadTime: Double?

  /// Measures of a run of which nothing is counted yet.
  package init() {}

  package static let fields: [Field<PrefixMeasures>] = [
    Field("definition", \.setup.definition, "the definition of the counted ratio", .exact),
    Field("residency", \.setup.residency, "the blocks that may be evicted", .exact),
    .omittable(
      "workers", \.setup.workers,
      "workers, each with a cache of the capacity; at the beginning, where it changes", .exact),
    .omittable("router", \.setup.router, "the router of prompts to workers", .exact),
    .omittable(
      "workerChanges", \.setup.workerChanges,
      "workers that are lost and added: `lose:worker=2:at=50%,add:at=75%`", .exact),
    Field(
      "prompts", \.prompts, "prompts counted: those of the warm-up are not", .exact, as: .count),
    Field("blocks", \.blocks, "their blocks", .exact, as: .count),
    Field(
      "hitBlocks", \.hitBlocks, "blocks of their longest resident prefixes", .exact, as: .count),
    Field("tokens", \.tokens, "their tokens", .exact, as: .count),
    Field(
      "hitTokens", \.hitTokens, "tokens of their longest resident prefixes", .exact, as: .count),
    .derived("tokenHitRatio", \.tokenHitRatio, "`hitTokens` / `tokens`", .exact),
    Field(
      "meanHitRatio", \.meanHitRatio, "the mean of hit tokens / tokens over the prompts", .exact),
    .derived("speedup", \.speedup, "`tokens` / (`tokens` − `hitTokens`)", .exact),
    .omittable(
      "sessionHitRatio", \.sessionHitRatio,
      "tokens hit in blocks that the same session requested last, as a fraction of `tokens`", .exact
    ),
    .omittable(
      "missedTokensP50", \.missedTokensP50,
      "tokens to prefill, those of a prompt that were not hit: the median over the prompts (nearest rank)",
      .exact),
    .omittable("missedTokensP90", \.missedTokensP90, "their 90th percentile", .exact),
    .omittable("missedTokensP99", \.missedTokensP99, "their 99th percentile", .exact),
    .omittable("orphans", \.orphans, "resident blocks behind one that was not", .exact),
    .omittable("bytes", \.bytes, "bytes of the cache, by those of a token", .exact),
    .omittable(
      "tokenHitRatioBound", \.tokenHitRatioBound,
      "of `opt`: no policy has a higher token hit ratio", .exact),
    .omittable("hitsByWorker", \.hitsByWorker, "`hitBlocks` of each worker", .exact),
    .omittable("tokensByWorker", \.tokensByWorker, "`tokens` of each worker", .exact),
    .omittable("prices", \.setup.prices, "the prices of tokens and memory"),
    .omittable("rent", \.rent, "the measures of a rented cache"),
    .omittable("costs", \.costs, "the costs, by `prices`"),
    .omittable("busiest", \.busiest, "the most `tokens` of a worker / their mean", .exact),
    .omittable(
      "replicas", \.replicas,
      "pairs of a block and a worker that had a prompt with it / distinct blocks, the warm-up's included",
      .exact),
    .omittable(
      "hindsightHitBlocks", \.hindsightHitBlocks,
      "no router and no policy hit more blocks in as many caches of the capacity", .exact),
    .omittable(
      "hindsightTokenHitRatio", \.hindsightTokenHitRatio,
      "no router and no policy have a higher token hit ratio in as many caches of the capacity",
      .exact),
    .omittable("tiers", \.setup.tiers, "the tiers below the device, as they were given", .exact),
    .omittable("tierRules", \.setup.tierRules.kind, "the rules between tiers", .exact),
    .omittable(
      "promotion", \.setup.tierRules.promotion, "the hit at which a block below moves up", .exact),
    .omittable(
      "computeTime", \.setup.computeTime, "microseconds for each token that is computed", .exact),
    .omittable(
      "tierBlocks", \.tierBlocks, "the capacity of each tier in blocks, the device's first",
      .exact),
    .omittable("hitsByTier", \.hitsByTier, "`hitBlocks` of each tier", .exact),
    .omittable("hitTokensByTier", \.hitTokensByTier, "`hitTokens` of each tier", .exact),
    .omittable(
      "tokensRaisedByTier", \.tokensRaisedByTier,
      "tokens of hit blocks that moved up from each tier, all whole", .exact),
    .omittable(
      "tokensWrittenByTier", \.tokensWrittenByTier,
      "tokens of blocks that entered each tier, all whole", .exact),
    .omittable(
      "meanLoadTime", \.meanLoadTime,
      "microseconds to load and compute a prompt, the mean by the given costs of a token", .exact),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    if hitBlocks > blocks { throw object["hitBlocks"].wrong("at most “blocks”") }
    if hitTokens > tokens { throw object["hitTokens"].wrong("at most “tokens”") }
  }

  /// The fraction of the tokens that were hit; nil when none was counted.
  package var tokenHitRatio: Double? {
    tokens == 0 ? nil : Double(hitTokens) / Double(tokens)
  }

  /// The fraction of the tokens that hit a block which another session requested last; nil where prompts have no
  /// sessions.
  package var crossSessionHitRatio: Double? {
    guard let tokenHitRatio, let sessionHitRatio else { return nil }
    return tokenHitRatio - sessionHitRatio
  }

  /// Prefill time without the cache / with it, where it is proportional to the tokens; nil when none was
  /// counted, or all were hit.
  package var speedup: Double? {
    tokens == hitTokens ? nil : Double(tokens) / Double(tokens - hitTokens)
  }
}

/// The rules of a cache of prefixes that tell its runs apart.
package struct PrefixSetup: Hashable, Sendable {
  /// The definition of the counted ratio.
  package enum Definition: String, CaseIterable, Sendable, JSONValue {
    /// Every prompt counts; tokens hit / tokens.
    case own
    /// The second half counts, and caches that are not full by then are left out; tokens hit / tokens. FIFO evicts
    /// freely.
    case kvcacheSimulator = "kvcache-simulator"
    /// Every prompt counts; the mean over the prompts of tokens hit / tokens.
    case aiperf
    /// Every prompt counts; blocks hit / blocks.
    case mooncake

    /// The name of the ratio.
    package var hitRatioName: String {
      switch self {
      case .own, .kvcacheSimulator: "token hit ratio"
      case .aiperf: "token hit ratio, mean of prompts"
      case .mooncake: "block hit ratio"
      }
    }
  }

  /// The blocks that may be evicted.
  package enum Residency: String, CaseIterable, Sendable, JSONValue {
    /// Those that no resident block follows.
    case leaves
    /// Any.
    case free
  }

  /// The definition of the counted ratio.
  package var definition: Definition
  /// The blocks that may be evicted.
  package var residency: Residency
  /// The number of caches, each of the capacity, of which each has prompts of its own; with changes, at the beginning.
  package var workers: Int
  /// The router of prompts to workers with its parameters; nil for one worker.
  package var router: String?
  /// The prices of tokens and memory; nil for none.
  package var prices: PromptPrices?
  /// The workers that are lost and added; nil for none.
  package var workerChanges: String?
  /// The tiers below the device, as a user names them; nil for none.
  package var tiers: String?
  /// The rules between tiers.
  package var tierRules = TierRules()
  /// The microseconds for each token that is computed; nil where they are not known.
  package var computeTime: Double?

  /// Rules.
  package init(
    _ definition: Definition = .own, residency: Residency = .leaves, workers: Int = 1,
    router: String? = nil, workerChanges: String? = nil, prices: PromptPrices? = nil
  ) {
    self.prices = prices
    self.definition = definition
    self.residency = residency
    self.workers = workers
    self.router = router
    self.workerChanges = workerChanges
  }

  /// True for several caches, at one time or another, of which each has prompts of its own.
  package var isDivided: Bool { workers > 1 || workerChanges != nil }

  /// In words, without what is usual.
  package var parts: [String] {
    (definition == .own ? [] : ["as \(definition.rawValue)"])
      + (residency == .leaves ? [] : ["evicting freely"])
      + (workers == 1 ? [] : ["\(workers) workers"])
      + [router, workerChanges, prices.map { "prices in \($0.currency)" }].compactMap(\.self)
      + (tiers.map { ["tiers \($0)"] + tierRules.parts } ?? [])
      + (computeTime.map { [String(printing: "%g µs to compute a token", $0)] } ?? [])
  }
}

/// The rules between the tiers of a cache of prefixes.
package struct TierRules: Hashable, Sendable {
  /// The tiers that have a block.
  package enum Kind: String, CaseIterable, Sendable, JSONValue {
    /// One: what leaves a tier enters the next one, and a hit below moves the block up.
    case exclusive
    /// All: each tier serves each prompt, and nothing moves when a block leaves.
    case inclusive
    /// As exclusive, but a hit below leaves the block there, too: it is not written a second time when it leaves the
    /// device again.
    case writeBack = "write-back"
  }

  /// The hit at which a block below moves up to the device.
  package enum Promotion: String, CaseIterable, Sendable, JSONValue {
    /// The first.
    case always
    /// The second since it entered a tier.
    case second
  }

  /// The tiers that have a block.
  package var kind: Kind
  /// The hit at which a block below moves up.
  package var promotion: Promotion

  /// Rules.
  package init(_ kind: Kind = .exclusive, promotion: Promotion = .always) {
    self.kind = kind
    self.promotion = promotion
  }

  /// In words, without what is usual.
  var parts: [String] {
    (kind == .exclusive ? [] : [kind.rawValue])
      + (promotion == .always ? [] : ["promotion \(promotion.rawValue)"])
  }
}

extension Measurement {
  /// The ratio by the definition of a run of a cache of prefixes; nil for others.
  package var definedHitRatio: Double? {
    switch prefix?.setup.definition {
    case .own, .kvcacheSimulator: prefix?.tokenHitRatio
    case .aiperf: prefix?.meanHitRatio
    case .mooncake: hitRatio
    case nil: nil
    }
  }

  /// The hit ratio by which reports compare runs: of a cache of prefixes that of its definition.
  package var comparedHitRatio: Double? { kind == .prefix ? definedHitRatio : hitRatio }

  /// The name of ``comparedHitRatio``.
  package var comparedHitRatioName: String {
    prefix?.setup.definition.hitRatioName ?? "hit ratio"
  }
}
