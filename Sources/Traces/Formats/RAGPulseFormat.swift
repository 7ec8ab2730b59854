import Parameters

/// Prompts of a service that answers by retrieved documents (RAGPulse), one JSON object per line: `hash_ids` is an object
/// of lists.
///
///     {"timestamp": "82", "input_length": 3112, "output_length": 192, "hash_ids": {"sys_prompt": [8302], "passages_ids": [7398, 7370], "history": [15200], "web_search": [], "user_input": [26923]}, "session_id": "…"}
///
/// Each number is a request for one chunk, in the order of the lists in the line; the chunks of all lists are numbered
/// together. A line is a group (``Trace/groupStarts``). Times are seconds unless the parameter says otherwise. There are no
/// sizes.
///
/// Chunks differ in tokens. Where prompts are wanted (``Trace/prompts``), each chunk's number and its tokens must be known
/// from lines such as `{"sys_prompt_id": 8302, "token_length": 512}`, which stand before the prompts in the same file or in
/// the lists of lengths beside it (``ChunkLengths``). A prompt may have more tokens than its chunks, as templates add some.
///
/// Source: github.com/flashserve/RAGPulse; arXiv 2511.12979.
struct RAGPulseFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "ragpulse",
    summary: "RAGPulse's prompts, JSON lines: hash_ids is an object of lists of chunks",
    parameters: [.unit(default: "s")])

  let keys = KeyKind.integer
  private let unit: Int64

  init(_ arguments: Arguments) { unit = arguments.unit }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard sample.firstLine.first == UInt8(ascii: "{") else { return .no }
    if sample.firstLine.withUnsafeBytes({ ChunkLengths.pair($0) != nil }) { return .certain }
    return sample.head.withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      while let name = scanner.nextName() {
        if name.isWord("hash_ids") {
          return scanner.beginObject() == nil ? .no : .certain
        }
        scanner.skipValue()
      }
      return .no
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let hasPrompts = builder.wanted.contains(.prompts)
    var lengths = ChunkLengths()
    if hasPrompts { try lengths.readLists(beside: input.file) }
    var lines = TextLines(input, longest: TraceInput.longestDocument)
    var prompt = PromptLine(format: Self.information.name)
    let hasGroups = hasPrompts || builder.wanted.contains(.groups)
    let hasTimes = builder.wanted.contains(.times)
    while !builder.isFull, try lines.next() {
      var scanner = JSONScanner(lines.text)
      let before = builder.requests
      var time: UnsafeRawBufferPointer?
      var hasLists = false
      var tokens = 0
      prompt.begin()
      while let name = scanner.nextName() {
        if name.isWord("timestamp") {
          time = scanner.skipValue()
        } else if name.isWord("hash_ids"), var inner = scanner.beginObject() {
          hasLists = true
          while inner.nextName() != nil {
            guard inner.beginArray() else { throw lines.malformed("a list is no array") }
            while let element = inner.nextElement() {
              guard let chunk = element.wholeNumber else {
                throw lines.wrong(element, "chunk's number")
              }
              if hasGroups, builder.requests == before { builder.beginGroup() }
              if hasPrompts, !builder.isFull {
                let length = try lengths.tokens(of: chunk, in: lines)
                tokens += Int(length)
                builder.append(blockTokens: length)
              }
              try builder.append(key: chunk)
            }
          }
          scanner.end(inner)
        } else if hasPrompts {
          try prompt.take(scanner.skipValue(), of: name, in: lines)
        } else {
          scanner.skipValue()
        }
      }
      if !scanner.isWhole { throw lines.noObject() }
      if !hasLists {
        if try lengths.take(lines) { continue }
        throw lines.malformed("no object hash_ids")
      }
      if hasTimes, builder.requests > before {
        guard let time = time?.duration(unit: unit) else {
          throw lines.malformed("'\(time?.excerpt ?? "")' is no timestamp")
        }
        for _ in before..<builder.requests { builder.append(time: time) }
      }
      if hasPrompts, builder.requests > before {
        builder.append(
          prompt: try prompt.lengths(holding: tokens, isCut: builder.isFull, in: lines),
          blockTokens: nil, session: prompt.session)
      }
    }
    if builder.requests == 0, !lengths.isEmpty {
      throw input.malformed(
        line: 1, TraceFormats.listOfChunks, "name the file of the prompts")
    }
  }
}
