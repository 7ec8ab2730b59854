import EvictionCore
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

  /// The tokens of each prompt's answer: few after some chains, many after others.
  var outputs: [Int] { chains.map { Int($0[0] % 5) * 40 } }

  init(seed: UInt64, prompts: Int, longest: Int, fresh: Int = 3) {
    var generator = SplitMix64(seed: seed)
    var next: UInt64 = 0
    for _ in 0..<prompts {
      var chain: [UInt64] = []
      if !chains.isEmpty, generator.index(below: fresh) > 0 {
        let earlier = chains[generator.index(below: chains.count)]
        chain = Array(earlier.prefix(generator.index(below: earlier.count + 1)))
      }
      let more = generator.index(below: longest + 1)
      for _ in 0..<max(more, chain.isEmpty ? 1 : 0) {
        chain.append(next)
        next += 1
      }
      chain = Array(chain.prefix(longest))
      chains.append(chain)
      tokens.append(
        (chain.count - 1) * Self.blockTokens + 1 + generator.index(below: Self.blockTokens))
      sessions.append(UInt32(generator.index(below: 3)))
    }
  }

  /// The forest as it is read from a trace.
  var forest: PromptForest {
    var starts: [Int] = []
    var keys: [UInt64] = []
    for chain in chains {
      starts.append(keys.count)
      keys += chain
    }
    let trace = Trace.of(
      keys, groupStarts: starts,
      prompts: PromptColumns(
        blockTokens: Self.blockTokens,
        lengths: zip(tokens, outputs).map { PromptLengths(input: $0, output: $1) },
        sessions: sessions))
    guard let forest = PromptForest(trace) else { preconditionFailure("there are prompts") }
    return forest
  }
}
