import Parameters

/// Prompts that are made: sessions that begin at random times, each turn a prompt of the whole context so far.
///
///     var workload = try PromptWorkload("chat:turns=6:requests=1e4", seed: 7)
///     while let prompt = workload.next() { print(prompt.line) }
///
/// Blocks are numbered in order of first appearance. A number stands for all that precedes the block as well; the last
/// block of a prompt, where it is not full, has a number of its own. The same specification and seed give the same
/// prompts on every platform.
public struct PromptWorkload: Sendable {
  /// A prompt of a workload.
  public struct Prompt: Sendable, Equatable {
    /// Milliseconds since the beginning.
    public let time: Int
    /// The number of its session.
    public let session: Int
    /// Its blocks.
    public let blocks: [Int]
    /// The tokens of a whole block.
    public let blockTokens: Int
    /// Its tokens.
    public let input: Int
    /// The tokens of its answer.
    public let output: Int

    /// The prompt as ``TraceLoader`` reads it under the name `mooncake`.
    public var line: String {
      "{\"timestamp\": \(time), \"input_length\": \(input), \"output_length\": \(output), "
        + "\"session_id\": \(session), \"block_size\": \(blockTokens), "
        + "\"hash_ids\": [\(blocks.map(String.init).joined(separator: ", "))]}"
    }
  }

  /// The specification.
  public let name: String
  /// The number of prompts.
  public let requests: Int

  private var generator: any PromptGenerator
  private var arrivals: RandomSource
  private let rate: Double
  private let blockTokens: Int
  private let longest: Int
  private var made = 0
  private var sessions = 0
  /// The time at which the next session begins.
  private var nextArrival = 0.0
  /// The sessions with turns to come, the next last.
  private var open: [Session] = []
  private var numbers: [UInt64: Int] = [:]

  /// A workload at its first prompt.
  ///
  /// - Throws: `usage` for a generator that doesn't exist, `specification` for wrong parameters.
  public init(_ specification: String, seed: UInt64 = 42) throws(TraceError) {
    let (type, arguments) = try PromptGenerators.choose(specification)
    name = specification
    requests = arguments.integer("requests")
    rate = arguments.fraction("rate").double
    blockTokens = arguments.integer("block")
    longest = arguments.integer("context")
    arrivals = RandomSource(seed: KeyHash.finish(seed &+ 1))
    generator = try type.init(arguments, seed: seed)
    nextArrival = arrivals.exponential() / rate
  }

  /// Makes the next prompt; nil after the last.
  public mutating func next() -> Prompt? {
    if made == requests { return nil }
    made += 1
    while open.last.map({ $0.due > nextArrival }) ?? true { beginSession() }
    var session = open.removeLast()
    let turn = session.turns[session.turn]
    let prompt = prompt(of: &session, turn)
    session.turn += 1
    if session.turn < session.turns.count {
      let coming = session.turns[session.turn]
      session.due += coming.pause
      // A turn that would not fit ends the session.
      let added = coming.texts.reduce(turn.answer) { $0 + $1.tokens }
      if session.context.tokens + added <= longest {
        session.context.append(
          PromptText(
            name: KeyHash.finish(UInt64(session.number) ^ UInt64(session.turn) << 40),
            tokens: turn.answer))
        schedule(session)
      }
    }
    return prompt
  }

  private mutating func beginSession() {
    schedule(
      Session(
        number: sessions, turns: generator.session(), due: nextArrival,
        context: PromptContext(blockTokens: blockTokens)))
    sessions += 1
    nextArrival += arrivals.exponential() / rate
  }

  private mutating func schedule(_ session: Session) {
    // Of turns due at once, the older session's comes first.
    var (low, high) = (0, open.count)
    while low < high {
      let middle = (low + high) / 2
      let other = open[middle]
      if (other.due, other.number) > (session.due, session.number) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    open.insert(session, at: low)
  }

  private mutating func prompt(of session: inout Session, _ turn: PromptTurn) -> Prompt {
    for text in turn.texts {
      // The first prompt may be longer than a context.
      let room = longest - session.context.tokens
      session.context.append(PromptText(name: text.name, tokens: min(text.tokens, room)))
    }
    return Prompt(
      time: Int(session.due * 1000), session: session.number,
      blocks: session.context.blocks.map { number(of: $0) }, blockTokens: blockTokens,
      input: session.context.tokens, output: turn.answer)
  }

  private mutating func number(of block: UInt64) -> Int {
    if let number = numbers[block] { return number }
    numbers[block] = numbers.count
    return numbers.count - 1
  }
}

extension PromptWorkload {
  private struct Session: Sendable {
    let number: Int
    let turns: [PromptTurn]
    /// The seconds at which its next turn is.
    var due: Double
    var context: PromptContext
    var turn = 0
  }
}

/// The context of a session as a chain of blocks, each named by a hash of all texts up to its end.
struct PromptContext: Sendable {
  private let blockTokens: Int
  private var whole: [UInt64] = []
  /// The hash of all texts so far.
  private var hash: UInt64 = 0
  private(set) var tokens = 0

  init(blockTokens: Int) { self.blockTokens = blockTokens }

  /// The blocks of the context so far.
  var blocks: [UInt64] {
    tokens % blockTokens == 0 ? whole : whole + [KeyHash.finish(hash ^ UInt64(tokens))]
  }

  mutating func append(_ text: PromptText) {
    var done = 0
    while done < text.tokens {
      let piece = min(text.tokens - done, blockTokens - tokens % blockTokens)
      // The offset tells pieces of one text apart, the length where the next text begins.
      hash = KeyHash.finish(
        KeyHash.finish(hash &+ text.name) ^ UInt64(done) << 32 ^ UInt64(piece))
      done += piece
      tokens += piece
      if tokens % blockTokens == 0 { whole.append(hash) }
    }
  }
}
