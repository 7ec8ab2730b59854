/// The measures of a cache of prefixes.
public struct PrefixMeasures: Sendable, Equatable {
  /// The rules of the run.
  public var setup = PrefixSetup()
  /// Counted prompts.
  public var prompts = 0
  /// Blocks of the counted prompts.
  public var blocks = 0
  /// Blocks of their longest resident prefixes.
  public var hitBlocks = 0
  /// Tokens of the counted prompts.
  public var tokens = 0
  /// Tokens of their longest resident prefixes: prefill that is saved.
  public var hitTokens = 0
  /// The mean over the prompts of hit tokens / tokens; nil when none was counted.
  public var meanHitRatio: Double?
  /// The fraction of the tokens that hit a block which the same session requested last; nil where prompts have no
  /// sessions.
  public var sessionHitRatio: Double?
  /// Resident blocks behind one that was not; 0 where chains are kept.
  public var orphans = 0
  /// Bytes of the cache; nil where the bytes of a token are not known.
  public var bytes: Int?
  /// For the optimum, a bound of the token hit ratio of any policy; nil for the others.
  public var tokenHitRatioBound: Double?

  /// Measures of a run of which nothing is counted yet.
  public init() {}

  /// The fraction of the tokens that were hit; nil when none was counted.
  public var tokenHitRatio: Double? {
    tokens == 0 ? nil : Double(hitTokens) / Double(tokens)
  }

  /// The fraction of the tokens that hit a block which another session requested last; nil where prompts have no
  /// sessions.
  public var crossSessionHitRatio: Double? {
    guard let tokenHitRatio, let sessionHitRatio else { return nil }
    return tokenHitRatio - sessionHitRatio
  }

  /// Prefill time without the cache / with it, where it is proportional to the tokens; nil when none was
  /// counted, or all were hit.
  public var speedup: Double? {
    tokens == hitTokens ? nil : Double(tokens) / Double(tokens - hitTokens)
  }
}

/// The rules of a cache of prefixes that tell its runs apart.
public struct PrefixSetup: Hashable, Sendable {
  /// The definition of the counted ratio.
  public enum Definition: String, CaseIterable, Sendable {
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
  public enum Residency: String, CaseIterable, Sendable {
    /// Those that no resident block follows.
    case leaves
    /// Any.
    case free
  }

  /// The definition of the counted ratio.
  public var definition: Definition
  /// The blocks that may be evicted.
  public var residency: Residency

  /// Rules.
  public init(_ definition: Definition = .own, residency: Residency = .leaves) {
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
  public var definedHitRatio: Double? {
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
