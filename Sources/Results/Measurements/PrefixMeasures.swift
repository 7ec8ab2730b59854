/// The measures of a cache of prefixes.
package struct PrefixMeasures: Sendable, Equatable {
  /// The rules of the run.
  package var setup = PrefixSetup()
  /// Counted prompts.
  package var prompts = 0
  /// Blocks of the counted prompts.
  package var blocks = 0
  /// Blocks of their longest resident prefixes.
  package var hitBlocks = 0
  /// Tokens of the counted prompts.
  package var tokens = 0
  /// Tokens of their longest resident prefixes: prefill that is saved.
  package var hitTokens = 0
  /// The mean over the prompts of hit tokens / tokens; nil when none was counted.
  package var meanHitRatio: Double?
  /// The fraction of the tokens that hit a block which the same session requested last; nil where prompts have no
  /// sessions.
  package var sessionHitRatio: Double?
  /// Resident blocks behind one that was not; 0 where chains are kept.
  package var orphans = 0
  /// Bytes of the cache; nil where the bytes of a token are not known.
  package var bytes: Int?
  /// For the optimum, a bound of the token hit ratio of any policy; nil for the others.
  package var tokenHitRatioBound: Double?

  /// Measures of a run of which nothing is counted yet.
  package init() {}

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
  package enum Definition: String, CaseIterable, Sendable {
    /// Every prompt counts; tokens hit / tokens.
    case own
    /// The second half counts, and caches that are not full by then are left out; tokens hit / tokens. FIFO evicts
    /// freely.
    case kvcacheSimulator = "kvcache-simulator"
    /// Every prompt counts; the mean over the prompts of tokens hit / tokens.
    case aiperf
    /// Every prompt counts; blocks hit / blocks.
    case mooncake
  }

  /// The blocks that may be evicted.
  package enum Residency: String, CaseIterable, Sendable {
    /// Those that no resident block follows.
    case leaves
    /// Any.
    case free
  }

  /// The definition of the counted ratio.
  package var definition: Definition
  /// The blocks that may be evicted.
  package var residency: Residency

  /// Rules.
  package init(_ definition: Definition = .own, residency: Residency = .leaves) {
    self.definition = definition
    self.residency = residency
  }

  /// In words, without what is usual.
  var parts: [String] {
    (definition == .own ? [] : ["as \(definition.rawValue)"])
      + (residency == .leaves ? [] : ["evicting freely"])
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
    switch prefix?.setup.definition {
    case .own, .kvcacheSimulator: "token hit ratio"
    case .aiperf: "token hit ratio, mean of prompts"
    case .mooncake: "block hit ratio"
    case nil: "hit ratio"
    }
  }
}
