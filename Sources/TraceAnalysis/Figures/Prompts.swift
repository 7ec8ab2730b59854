import Parameters
import Rendering
import Results
import Traces

/// The prompts of a language-model service, and what a cache of prefixes without limit would hit of them.
///
/// A block counts as known if an earlier prompt had its id: where ids hash a block's content and not what precedes it,
/// that is too often, as `evict prefix` says.
package struct Prompts: TraceFigure, Equatable {
  /// The number of prompts.
  package let count: Int
  /// The distribution of their blocks.
  package let blocks: DistributionSummary?
  /// The share of the prompts whose first block is new.
  package let freshRatio: Double
  /// The share of the tokens of the second half of the prompts that are in their longest known prefixes; nil without
  /// tokens.
  package let reusableTokenRatio: Double?
  /// The mean tokens of an answer; nil where no answer is known.
  package let meanAnswerTokens: Double?
  /// The ratio that those report who published such traces; nil where none is known. It is the format's, and in no
  /// document.
  package let publishedRatio: String?

  /// Their names in a document.
  package static let keys = [
    "prompts", "promptBlocks", "freshPromptRatio", "reusableTokenRatio", "meanAnswerTokens",
  ]

  /// The values in a document.
  package var values: [JSON] {
    [
      .integer(count), blocks.map { .object($0.members) } ?? .null, .number(freshRatio),
      .optional(reusableTokenRatio), .optional(meanAnswerTokens),
    ]
  }

  /// The facts for readers.
  package var facts: [TraceFact] {
    var facts = [
      TraceFact("prompts", "\(count)"),
      TraceFact("fresh prompts", "\(freshRatio.percent) of the prompts begin with a new block"),
    ]
    if let reusableTokenRatio {
      facts.append(
        TraceFact(
          "reusable tokens",
          "\(reusableTokenRatio.percent) of those of the second half, in known prefixes"))
    }
    if let meanAnswerTokens {
      facts.append(TraceFact("answers", "\(Int(meanAnswerTokens.rounded())) tokens on average"))
    }
    if let publishedRatio { facts.append(TraceFact("published ratio", publishedRatio)) }
    return facts
  }

  /// In blocks.
  package var distributions: [TraceDistribution] {
    blocks.map { [TraceDistribution("prompt, blocks", $0)] } ?? []
  }
}

final class PromptAnalyser: TraceAnalyser {
  private let starts: Column<UInt64>
  private let prompts: PromptColumns
  private let format: String
  private let requests: Int
  /// By prompt: the blocks of its longest known prefix.
  private var known: [UInt32]
  /// The prompt of the next request.
  private var prompt = 0
  private var isKnown = true

  init?(_ trace: Trace, options: TraceProfile.Options) {
    guard let prompts = trace.prompts, let starts = trace.groupStarts else { return nil }
    self.prompts = prompts
    self.starts = starts
    format = trace.format
    requests = trace.requests
    known = [UInt32](repeating: 0, count: starts.count)
  }

  func take(_ block: AnalysisBlock) {
    for index in 0..<block.count {
      let request = block.first + index
      while end(of: prompt) <= request {
        prompt += 1
        isKnown = true
      }
      isKnown = isKnown && block.previous[index] != 0
      if isKnown { known[prompt] += 1 }
    }
  }

  private func end(of prompt: Int) -> Int {
    prompt + 1 < starts.count ? Int(starts[prompt + 1]) : requests
  }

  func finish(_ uses: KeyUses) -> Prompts {
    var blocks = ValueDistribution()
    var (fresh, tokens, reusable, answers) = (0, 0, 0, 0)
    for prompt in 0..<starts.count {
      blocks.record(UInt64(end(of: prompt) - Int(starts[prompt])))
      if known[prompt] == 0 { fresh += 1 }
      answers += prompts.lengths[prompt].output
      if prompt < starts.count / 2 { continue }
      let input = prompts.lengths[prompt].input
      tokens += input
      let start = Int(starts[prompt])
      reusable += min(prompts.wholeTokens(of: start..<start + Int(known[prompt])), input)
    }
    let count = starts.count
    return Prompts(
      count: count, blocks: blocks.summary, freshRatio: Double(fresh) / Double(max(1, count)),
      reusableTokenRatio: tokens == 0 ? nil : Double(reusable) / Double(tokens),
      meanAnswerTokens: answers == 0 ? nil : Double(answers) / Double(count),
      publishedRatio: TraceFormats.publishedRatio(ofFormat: format))
  }
}
