import Parameters

/// Sessions of coding agents, one JSON object per session on a line: Weka's traces (kv-cache-tester).
///
///     {"id": "trace_0001", "block_size": 64, "hash_id_scope": "local", "requests": [
///       {"t": 0.0, "type": "n", "in": 200, "out": 16, "hash_ids": [1, 2, 3, 4]},
///       {"t": 9.5, "type": "subagent", "requests": [{"t": 0.5, "type": "n", "in": 64, "out": 9, "hash_ids": [1]}]}]}
///
/// An id is local to its session: the same number in two sessions is two blocks. Each element of `requests` that has
/// `hash_ids` is a prompt, also those of subagents; `in` and `out` are its lengths, `t` its seconds since the session
/// began, or since its subagent did where it is smaller than the subagent's own.
///
/// The traces do not say when sessions begin. They are taken to begin one after the other at equal distances, as the
/// parameter says, and prompts are put in order of time.
///
/// Written from the published description, and tried on four sessions of kv-cache-tester at 94f6046.
///
/// Source: github.com/callanjfox/kv-cache-tester, and the tutorial on Weka traces of github.com/ai-dynamo/aiperf.
struct WekaFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "weka",
    summary: "Weka's agent traces, a JSON object per session with requests: ids local to a session",
    parameters: [
      Parameter(
        "distance", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(60)),
        help: "seconds from the begin of one session to that of the next")
    ])

  /// Subagents within subagents that are read.
  private static let deepest = 8

  let keys = KeyKind.integer
  private let distance: Double

  init(_ arguments: Arguments) { distance = arguments.fraction("distance").double }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard sample.firstLine.first == UInt8(ascii: "{") else { return .no }
    return sample.head.withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      var hasScope = false
      // A session is longer than the sample as a rule.
      while let name = scanner.nextName() {
        if name.isWord("hash_id_scope") { hasScope = true }
        if name.isWord("requests") { return hasScope ? .certain : .no }
        scanner.skipValue()
      }
      return .no
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input, longest: TraceInput.longestDocument)
    var prompts: [WekaPrompt] = []
    var blockTokens: Int?
    var session = 0
    while try lines.next() {
      var scanner = JSONScanner(lines.text)
      var hasRequests = false
      while let name = scanner.nextName() {
        if name.isWord("requests") {
          hasRequests = scanner.beginArray()
          let begin = Double(session) * distance
          while hasRequests, let element = scanner.nextElement() {
            try take(element, session, begin: begin, depth: 0, lines, &prompts)
          }
        } else if name.isWord("block_size") {
          let size = scanner.skipValue()
          guard let tokens = size?.wholeNumber, (1...1 << 20).contains(tokens) else {
            throw lines.malformed("'\(size?.excerpt ?? "")' is no block_size")
          }
          if let blockTokens, blockTokens != Int(tokens) {
            throw lines.malformed(
              "block_size \(tokens) after \(blockTokens)",
              "blocks of one trace must hold equally many tokens")
          }
          blockTokens = Int(tokens)
        } else {
          scanner.skipValue()
        }
      }
      if !scanner.isWhole { throw lines.noObject() }
      if !hasRequests { throw lines.malformed("no array requests") }
      session += 1
    }
    let tokens = blockTokens ?? 64
    for prompt in prompts {
      if prompt.input <= (prompt.blocks.count - 1) * tokens {
        throw input.malformed(
          line: prompt.line,
          "\(prompt.blocks.count) blocks of \(tokens) tokens are too many for in \(prompt.input)",
          "correct the line or its block_size")
      }
    }
    prompts.sort { ($0.time, $0.session) < ($1.time, $1.session) }
    try hand(prompts, blockTokens: tokens, to: &builder)
  }

  private func hand(
    _ prompts: [WekaPrompt], blockTokens: Int, to builder: inout TraceBuilder
  ) throws(TraceError) {
    let wanted = builder.wanted
    for prompt in prompts where !builder.isFull {
      let before = builder.requests
      if wanted.contains(.groups) || wanted.contains(.prompts) { builder.beginGroup() }
      for block in prompt.blocks { try builder.append(key: UInt64(prompt.session) << 40 | block) }
      if wanted.contains(.times) {
        for _ in before..<builder.requests { builder.append(time: Int64(prompt.time * 1e9)) }
      }
      if wanted.contains(.prompts) {
        let held = (builder.requests - before) * blockTokens
        builder.append(
          prompt: PromptLengths(
            input: builder.isFull ? min(prompt.input, held) : prompt.input, output: prompt.output),
          blockTokens: blockTokens, session: String(prompt.session))
      }
    }
  }

  /// Takes one element of `requests`, and those of a subagent.
  private func take(
    _ element: UnsafeRawBufferPointer, _ session: Int, begin: Double, depth: Int,
    _ lines: borrowing TextLines, _ prompts: inout [WekaPrompt]
  ) throws(TraceError) {
    if depth > Self.deepest {
      throw lines.malformed("subagents more than \(Self.deepest) deep")
    }
    var scanner = JSONScanner(element)
    var prompt = WekaPrompt(line: lines.number, session: session)
    var hasBlocks = false
    var nested: [UnsafeRawBufferPointer] = []
    var time: Double?
    while let name = scanner.nextName() {
      switch String(decoding: name, as: UTF8.self) {
      case "hash_ids":
        hasBlocks = scanner.beginArray()
        while hasBlocks, let block = scanner.nextElement() {
          guard let number = block.wholeNumber, number < 1 << 40 else {
            throw lines.wrong(block, "block's number")
          }
          prompt.blocks.append(number)
        }
      case "requests":
        if scanner.beginArray() { while let inner = scanner.nextElement() { nested.append(inner) } }
      case "t":
        let text = scanner.skipValue()
        guard let duration = text?.duration(unit: .second) else {
          throw lines.malformed("'\(text?.excerpt ?? "")' is no time t")
        }
        time = Double(duration) / 1e9
      case "in": prompt.input = try length(scanner.skipValue(), "in", lines)
      case "out": prompt.output = try length(scanner.skipValue(), "out", lines)
      default: scanner.skipValue()
      }
    }
    if !scanner.isWhole { throw lines.malformed("an element of requests is not one JSON object") }
    guard let time else { throw lines.malformed("an element of requests without time t") }
    // The begin of a session or subagent, or an absolute time of a subagent's request.
    prompt.time =
      depth > 0 && time >= begin - Double(session) * distance
      ? Double(session) * distance + time : begin + time
    for inner in nested {
      try take(inner, session, begin: prompt.time, depth: depth + 1, lines, &prompts)
    }
    if hasBlocks && !prompt.blocks.isEmpty { prompts.append(prompt) }
  }

  private func length(
    _ text: UnsafeRawBufferPointer?, _ name: String, _ lines: borrowing TextLines
  ) throws(TraceError) -> Int {
    guard let number = text?.wholeNumber, number < 1 << 31 else {
      throw lines.malformed("'\(text?.excerpt ?? "")' is no length \(name)")
    }
    return Int(number)
  }
}

/// A prompt of a session.
private struct WekaPrompt {
  /// The line of its session.
  let line: Int
  let session: Int
  /// Seconds.
  var time = 0.0
  var input = 0
  var output = 0
  var blocks: [UInt64] = []
}
