/// The prompts of a language-model service's requests: one for each group of a trace, whose keys are the prompt's
/// blocks in order.
public struct PromptColumns: Sendable {
  /// The tokens of a whole block, of which only a prompt's last block may hold fewer; nil where blocks differ.
  public let blockTokens: Int?
  /// By request: the tokens of its block, the same for all requests of a key; empty where blocks do not differ.
  public let tokens: [UInt32]
  /// The lengths of each prompt.
  public let lengths: [PromptLengths]
  /// The session of each prompt, numbered in order of first appearance; nil where the source names none.
  public let sessions: [UInt32]?
  /// The names of the sessions, by number; empty where they are not known.
  let sessionNames: [String]

  /// Prompts of equal blocks; the columns have equal lengths.
  public init(blockTokens: Int, lengths: [PromptLengths], sessions: [UInt32]? = nil) {
    precondition(blockTokens > 0, "a block holds a token at least")
    self.init(blockTokens, [], lengths, sessions, [])
  }

  /// Prompts of blocks that differ in tokens, and hold no more of them than their prompts.
  ///
  /// - Parameters:
  ///   - tokens: The tokens of each request's block.
  ///   - lengths: The lengths of each prompt.
  ///   - sessions: The session of each prompt, where they have any.
  public init(tokens: [UInt32], lengths: [PromptLengths], sessions: [UInt32]? = nil) {
    self.init(nil, tokens, lengths, sessions, [])
  }

  init(
    _ blockTokens: Int?, _ tokens: [UInt32], _ lengths: [PromptLengths], _ sessions: [UInt32]?,
    _ sessionNames: [String]
  ) {
    precondition(sessions == nil || sessions?.count == lengths.count, "a prompt has a session")
    self.blockTokens = blockTokens
    self.tokens = tokens
    self.lengths = lengths
    self.sessions = sessions
    self.sessionNames = sessionNames
  }

  /// The tokens of the blocks of some requests if all are whole.
  package func wholeTokens(of requests: Range<Int>) -> Int {
    if let blockTokens { return requests.count * blockTokens }
    return tokens[requests].reduce(0) { $0 + Int($1) }
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
  private var blockTokens: Int?
  private var tokens: [UInt32] = []
  private var lengths: [PromptLengths] = []
  private var sessions: [UInt32] = []
  private var numbers: [String: UInt32] = [:]
  private var names: [String] = []

  /// True if there is no prompt yet.
  var isEmpty: Bool { lengths.isEmpty }

  /// Appends the tokens of a request's block, where blocks differ.
  mutating func append(blockTokens: UInt32) { tokens.append(blockTokens) }

  /// Appends a prompt. Sessions are kept only if each prompt has one.
  mutating func append(_ prompt: PromptLengths, blockTokens: Int?, session: String?) {
    self.blockTokens = blockTokens
    lengths.append(prompt)
    guard let session else { return }
    let number = numbers[session] ?? UInt32(names.count)
    if Int(number) == names.count {
      numbers[session] = number
      names.append(session)
    }
    sessions.append(number)
  }

  /// The columns of the first `groups` prompts and `requests` requests; nil if there are none.
  consuming func freeze(groups: Int, requests: Int) -> PromptColumns? {
    if lengths.isEmpty { return nil }
    // A reader may have run past the limit.
    let lengths = Array(lengths.prefix(groups))
    let hasSessions = sessions.count == self.lengths.count
    let sessions = hasSessions ? Array(sessions.prefix(groups)) : nil
    precondition(
      blockTokens != nil || tokens.count >= requests, "the reader left a block without its tokens")
    return PromptColumns(
      blockTokens, blockTokens == nil ? Array(tokens.prefix(requests)) : [], lengths, sessions,
      sessions.map { Array(names.prefix(1 + Int($0.max() ?? 0))) } ?? [])
  }
}
