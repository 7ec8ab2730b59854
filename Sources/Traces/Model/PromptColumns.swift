/// The prompts of a language-model service's requests: one for each group of a trace, whose keys are the prompt's
/// blocks in order.
public struct PromptColumns: Sendable {
  /// The tokens of a whole block; only a prompt's last block may hold fewer.
  public let blockTokens: Int
  /// The lengths of each prompt.
  public let lengths: [PromptLengths]
  /// The session of each prompt, numbered in order of first appearance; nil where the source names none.
  public let sessions: [UInt32]?

  /// Columns of equal length.
  public init(blockTokens: Int, lengths: [PromptLengths], sessions: [UInt32]? = nil) {
    precondition(blockTokens > 0, "a block holds a token at least")
    precondition(sessions == nil || sessions?.count == lengths.count, "a prompt has a session")
    self.blockTokens = blockTokens
    self.lengths = lengths
    self.sessions = sessions
  }
}

/// The lengths of one request, in tokens.
public struct PromptLengths: Sendable, Equatable {
  /// The tokens of the prompt.
  public var input: Int
  /// The tokens of the answer; 0 where it is unknown.
  public var output: Int

  /// Lengths of a request.
  public init(input: Int, output: Int = 0) {
    self.input = input
    self.output = output
  }
}

/// Collects ``PromptColumns``.
struct PromptBuffer {
  private var blockTokens = 0
  private var lengths: [PromptLengths] = []
  private var sessions: [UInt32] = []
  private var numbers: [String: UInt32] = [:]

  /// Appends a prompt. Sessions are kept only if each prompt has one.
  mutating func append(_ prompt: PromptLengths, blockTokens: Int, session: String?) {
    self.blockTokens = blockTokens
    lengths.append(prompt)
    guard let session else { return }
    let number = numbers[session] ?? UInt32(numbers.count)
    numbers[session] = number
    sessions.append(number)
  }

  /// The columns of the first `groups` prompts; nil if there are none.
  consuming func freeze(groups: Int) -> PromptColumns? {
    if lengths.isEmpty { return nil }
    // A reader may have run past the limit.
    let hasSessions = sessions.count == lengths.count
    return PromptColumns(
      blockTokens: blockTokens, lengths: Array(lengths.prefix(groups)),
      sessions: hasSessions ? Array(sessions.prefix(groups)) : nil)
  }
}
