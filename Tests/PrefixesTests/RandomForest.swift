import EvictionCore
import Prefixes
import Requests
import Traces

/// Random prompts: each continues a prefix of an earlier one, or starts anew.
struct RandomForest {
  /// The ids of each prompt's blocks; an id stands for all that precedes it.
  private(set) var chains: [[UInt64]] = []
  /// The tokens of each prompt.
  private(set) var tokens: [Int] = []
  /// The session of each prompt.
  private(set) var sessions: [UInt32] = []

  static let blockTokens = 4

  /// True if all blocks but the last of a prompt hold ``blockTokens``.
  let hasEqualBlocks: Bool

  /// The tokens of a block if it is whole.
  func tokens(of block: UInt64) -> Int {
    hasEqualBlocks ? Self.blockTokens : Int(1 + block * 7919 % 37)
  }

  /// The tokens of each prompt's blocks if they are whole.
  var wholeTokens: [[Int]] { chains.map { $0.map(tokens(of:)) } }

  /// The tokens of each prompt's answer: few after some chains, many after others.
  var outputs: [Int] { chains.map { Int($0[0] % 5) * 40 } }

  /// Prompts; blocks that differ are whole, and prompts have up to 3 tokens more. The chains are the same either way.
  init(seed: UInt64, prompts: Int, longest: Int, fresh: Int = 3, hasEqualBlocks: Bool = true) {
    self.hasEqualBlocks = hasEqualBlocks
    var generator = SplitMix64(seed: seed)
    var next: UInt64 = 0
    for _ in 0..<prompts {
      var chain: [UInt64] = []
      if !chains.isEmpty, generator.index(below: fresh) > 0 {
        let earlier = chains[generator.index(below: chains.count)]
        chain = Array(earlier.prefix(generator.index(below: earlier.count + 1)))
      }
      let added = generator.index(below: longest + 1)
      for _ in 0..<max(added, chain.isEmpty ? 1 : 0) {
        chain.append(next)
        next += 1
      }
      chain = Array(chain.prefix(longest))
      chains.append(chain)
      let more = generator.index(below: Self.blockTokens)
      tokens.append(
        hasEqualBlocks
          ? (chain.count - 1) * Self.blockTokens + 1 + more
          : chain.reduce(more) { $0 + tokens(of: $1) })
      sessions.append(UInt32(generator.index(below: 3)))
    }
  }

  /// The same prompts in another order, or some of them.
  func prompts(_ order: [Int]) -> RandomForest {
    var forest = self
    forest.chains = order.map { chains[$0] }
    forest.tokens = order.map { tokens[$0] }
    forest.sessions = order.map { sessions[$0] }
    return forest
  }

  /// The forest as it is read from a trace.
  var forest: PromptForest {
    var starts: [Int] = []
    var keys: [UInt64] = []
    for chain in chains {
      starts.append(keys.count)
      keys += chain
    }
    let lengths = zip(tokens, outputs).map { PromptLengths(input: $0, output: $1) }
    let prompts =
      hasEqualBlocks
      ? PromptColumns(blockTokens: Self.blockTokens, lengths: lengths, sessions: sessions)
      : PromptColumns(
        tokens: keys.map { UInt32(tokens(of: $0)) }, lengths: lengths, sessions: sessions)
    let trace = Trace.of(keys, groupStarts: starts, prompts: prompts)
    guard let forest = PromptForest(trace) else { preconditionFailure("there are prompts") }
    return forest
  }
}
