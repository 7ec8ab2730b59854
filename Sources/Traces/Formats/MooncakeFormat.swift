import Parameters

/// Requests to a service of a large language model, one JSON object per line, with the blocks of their
/// prompts: Mooncake's traces and others of that form.
///
///     {"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47, 48]}
///
/// Each of `hash_ids` is a request for one block of the key-value cache, in the order of the prompt; in
/// Mooncake's traces a block's number stands for all that precedes it as well. A line
/// is a group (``Trace/groupStarts``), so that prefixes can be told; one without blocks is no request.
/// `timestamp` is in milliseconds unless the parameter says otherwise. A file whose first prompt has none has no times,
/// as kvcache-simulator's minimal lines. Blocks have one size, so there are no sizes. Caffeine reads the blocks alike.
///
/// Where prompts are wanted (``Trace/prompts``), a line needs `input_length`, and may have `output_length`,
/// `block_size` and a session: `session_id`, or Bailian's `chat_id` (``BailianFormat``). Whatever else a line holds is
/// passed over.
///
/// Dynamo's agentic rows are read as well. Their `hash_ids` are those of the whole prompt, also where a row branches off
/// another or begins a prefix anew: `branches` and `prefix_reset` change nothing. A row without a time comes after those
/// that it waits for (``PromptTimes``). Prompts are put in order of time.
///
///     {"request_id": "r2", "session_id": "a", "input_length": 130, "output_length": 9, "hash_ids": [1, 2, 3], "wait_for": ["r1"], "delay": 20, "tool_wait_ms": 400, "prefix_reset": false}
///
/// Source: github.com/kvcache-ai/Mooncake, FAST25-release; Qin et al., FAST 2025. Agentic rows: github.com/ai-dynamo/dynamo,
/// lib/data-gen/src/mooncake.rs at c1b1ab01 (`AgenticMooncakeRow`) and docs/dynosim/trace-formats.md at 3fb00074.
struct MooncakeFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "mooncake",
    summary: "LLM serving traces, JSON lines: each of hash_ids is a block, each line a group",
    parameters: PromptLines.parameters(unit: "ms", blockTokens: 512))

  static let publishedRatio: String? =
    "hit blocks / blocks, in Mooncake's paper: evict prefix --as mooncake"

  /// The schema that typed agentic rows of Dynamo name in their first line.
  static let typedSchema: StaticString = "dynamo.agentic_mooncake"

  let keys = KeyKind.integer
  private let lines: PromptLines

  init(_ arguments: Arguments) {
    lines = PromptLines(format: Self.information.name, arguments)
  }

  /// The error that a file has typed agentic rows: their plays have block ids of their own, and no begins.
  static func typedRows(in lines: borrowing TextLines) -> TraceError {
    lines.malformed(
      "rows of \(typedSchema) that do not say when their plays begin",
      "read the Weka sessions that they were made of, or rows of request_trace_to_mooncake --agentic of "
        + "Dynamo 1.4")
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard sample.firstLine.first == UInt8(ascii: "{") else { return .no }
    // The first line may be longer than the sample.
    let isAlike = sample.head.withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      while let name = scanner.nextName() {
        if name.isWord("hash_ids") { return true }
        let value = scanner.skipValue()
        if name.isWord("schema"), value?.isWord(typedSchema) == true { return true }
      }
      return false
    }
    return isAlike ? .certain : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    try lines.read(from: input, into: &builder)
  }
}

/// Lines of JSON with a prompt each.
struct PromptLines {
  /// The name of the format, for remedies.
  let format: String
  /// The nanoseconds of the unit of times.
  let unit: Int64
  /// The tokens of a block where no line names them.
  let blockTokens: Int

  /// The parameters of a format of such lines, with its usual unit and size of a block.
  static func parameters(unit: String, blockTokens: Int) -> [Parameter] {
    [
      .unit(default: unit),
      Parameter(
        "block", .integer(in: 1...1 << 20), default: .integer(blockTokens),
        help: "tokens of a block, where lines name no block_size"),
    ]
  }

  /// Lines as a format's arguments say.
  init(format: String, _ arguments: Arguments) {
    self.format = format
    unit = arguments.unit
    blockTokens = arguments.integer("block")
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input, longest: TraceInput.longestDocument)
    var hasTimes = builder.wanted.contains(.times)
    let hasPrompts = builder.wanted.contains(.prompts)
    let hasGroups = hasPrompts || builder.wanted.contains(.groups)
    var prompt = PromptLine(
      format: format, usualBlockTokens: blockTokens, sessions: builder.sessions.chats)
    var times = PromptTimes(unit: unit)
    while !builder.isFull, try lines.next() {
      var scanner = JSONScanner(lines.text)
      let before = builder.requests
      var hasBlocks = false
      var isTyped = false
      prompt.begin()
      times.begin()
      while let name = scanner.nextName() {
        if name.isWord("hash_ids") {
          hasBlocks = scanner.beginArray()
          while hasBlocks, let element = scanner.nextElement() {
            guard let block = element.wholeNumber else {
              throw lines.wrong(element, "block's number")
            }
            if hasGroups, builder.requests == before { builder.beginGroup() }
            try builder.append(key: block)
          }
        } else if name.isWord("timestamp") || name.isWord("created_time") {
          times.take(scanner.skipValue())
        } else if name.isWord("wait_for") {
          if scanner.beginArray() {
            while let request = scanner.nextElement() { times.wait(for: request) }
          }
        } else {
          let value = scanner.skipValue()
          if name.isWord("schema") { isTyped = value?.isWord(MooncakeFormat.typedSchema) == true }
          if hasTimes { try times.take(value, of: name, in: lines) }
          if hasPrompts { try prompt.take(value, of: name, in: lines) }
        }
      }
      if !scanner.isWhole { throw lines.noObject() }
      if isTyped { throw MooncakeFormat.typedRows(in: lines) }
      if !hasBlocks { throw lines.malformed("no array hash_ids") }
      let blocks = builder.requests - before
      if !times.isTold, before == 0, blocks > 0 { hasTimes = false }
      if hasTimes, blocks > 0 {
        let time = try times.time(in: lines)
        for _ in 0..<blocks { builder.append(time: time) }
      } else if hasTimes {
        // Others may wait for it.
        _ = try? times.time(in: lines)
      }
      if hasPrompts, blocks > 0 {
        let lengths = try prompt.lengths(blocks: blocks, isCut: builder.isFull, in: lines)
        builder.append(
          prompt: lengths, blockTokens: prompt.blockTokens, session: prompt.session)
      }
    }
    builder.sessions.chats = prompt.sessions
    builder.putsPromptsInOrder = hasPrompts && hasTimes
  }
}

/// The members of a line that describe its prompt.
struct PromptLine {
  private let format: String
  /// The tokens of a block: as the lines say, or the usual number.
  private(set) var blockTokens: Int
  private var isNamed = false
  private var input: Int?
  private var output = 0
  private var chat: String?
  private var parent: String?
  private var ownSession: String?
  /// The session of each chat.
  private(set) var sessions: [String: String]

  init(format: String, usualBlockTokens: Int = 0, sessions: [String: String] = [:]) {
    self.format = format
    self.sessions = sessions
    blockTokens = usualBlockTokens
  }

  /// Begins a line.
  mutating func begin() {
    input = nil
    output = 0
    chat = nil
    parent = nil
    ownSession = nil
  }

  /// Takes the value of a member.
  mutating func take(
    _ value: UnsafeRawBufferPointer?, of name: UnsafeRawBufferPointer, in lines: borrowing TextLines
  ) throws(TraceError) {
    guard let value, !value.isWord("null") else { return }
    switch String(decoding: name, as: UTF8.self) {
    case "input_length", "input_tokens": input = try length(value, "input_length", in: lines)
    case "output_length", "output_tokens": output = try length(value, "output_length", in: lines)
    case "block_size":
      let tokens = try length(value, "block_size", in: lines)
      if tokens == 0 || isNamed && tokens != blockTokens {
        throw lines.malformed(
          "block_size \(tokens) after \(blockTokens)",
          "blocks of one trace must hold equally many tokens")
      }
      isNamed = true
      blockTokens = tokens
    case "session_id": ownSession = value.excerpt
    case "chat_id": chat = value.excerpt
    case "parent_chat_id": parent = value.excerpt
    default: break
    }
  }

  private func length(
    _ value: UnsafeRawBufferPointer, _ name: String, in lines: borrowing TextLines
  ) throws(TraceError) -> Int {
    guard let number = value.wholeNumber, number < 1 << 31 else {
      throw lines.malformed("'\(value.excerpt)' is no \(name)")
    }
    return Int(number)
  }

  /// The session that the line names, or the one that its parent chat belongs to; nil if it names none.
  var session: String? {
    mutating get {
      if let ownSession { return ownSession }
      guard let chat else { return nil }
      let session = parent.flatMap { sessions[$0] } ?? chat
      sessions[chat] = session
      return session
    }
  }

  /// The lengths of the line, whose blocks must not hold more tokens than the prompt has.
  ///
  /// - Parameter isCut: True if the limit of the trace may have cut the blocks off.
  func lengths(
    blocks: Int, isCut: Bool, in lines: borrowing TextLines
  ) throws(TraceError) -> PromptLengths {
    let input = try input(in: lines)
    if input <= (blocks - 1) * blockTokens {
      throw lines.malformed(
        "\(blocks) blocks of \(blockTokens) tokens are too many for input_length \(input)",
        "give the size of a block: --trace-format \(format):block=\(max(1, input / blocks))")
    }
    return PromptLengths(
      input: isCut ? min(input, blocks * blockTokens) : input, output: output)
  }

  /// The lengths of the line, whose blocks hold `tokens` in all and no more than the prompt has.
  ///
  /// - Parameter isCut: True if the limit of the trace may have cut the blocks off.
  func lengths(
    holding tokens: Int, isCut: Bool, in lines: borrowing TextLines
  ) throws(TraceError) -> PromptLengths {
    let input = try input(in: lines)
    if input < tokens {
      throw lines.malformed(
        "its chunks hold \(tokens) tokens, too many for input_length \(input)",
        "are the lists of lengths those of this trace?")
    }
    return PromptLengths(input: isCut ? tokens : input, output: output)
  }

  private func input(in lines: borrowing TextLines) throws(TraceError) -> Int {
    if let input { return input }
    throw lines.malformed("no input_length", "a cache of prefixes counts tokens by it")
  }
}
