import Parameters

/// Prompts of a service that answers by retrieved documents (RAGPulse), one JSON object per line: `hash_ids` is an object
/// of lists.
///
///     {"timestamp": "82", "input_length": 3112, "output_length": 192, "hash_ids": {"sys_prompt": [8302], "passages_ids": [7398, 7370], "history": [15200], "web_search": [], "user_input": [26923]}, "session_id": "…"}
///
/// Each number is a request for one chunk, in the order of the lists in the line; the chunks of all lists are numbered
/// together. A line is a group (``Trace/groupStarts``). Times are seconds unless the parameter says otherwise. Chunks
/// differ in tokens, which other files tell: there are no sizes, and a cache of prefixes, whose blocks have one length,
/// is refused.
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
    return sample.head.withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      while let name = scanner.nextName() {
        if name.elementsEqual("hash_ids".utf8) {
          return scanner.beginObject() == nil ? .no : .certain
        }
        scanner.skipValue()
      }
      return .no
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input, longest: TraceInput.longestDocument)
    if builder.wanted.contains(.prompts) {
      throw input.malformed(
        line: 1,
        "the chunks of a prompt differ in tokens, and a cache of prefixes takes equal blocks",
        "simulate the chunks as objects, by sweep")
    }
    let hasGroups = builder.wanted.contains(.groups)
    let hasTimes = builder.wanted.contains(.times)
    while !builder.isFull, try lines.next() {
      var scanner = JSONScanner(lines.text)
      let before = builder.requests
      var time: UnsafeRawBufferPointer?
      var hasLists = false
      while let name = scanner.nextName() {
        if name.elementsEqual("timestamp".utf8) {
          time = scanner.skipValue()
        } else if name.elementsEqual("hash_ids".utf8), var inner = scanner.beginObject() {
          hasLists = true
          while inner.nextName() != nil {
            guard inner.beginArray() else { throw lines.malformed("a list is no array") }
            while let element = inner.nextElement() {
              guard let chunk = element.wholeNumber else {
                throw lines.wrong(element, "chunk's number")
              }
              if hasGroups, builder.requests == before { builder.beginGroup() }
              try builder.append(key: chunk)
            }
          }
          scanner.end(inner)
        } else {
          scanner.skipValue()
        }
      }
      if !scanner.isWhole { throw lines.noObject() }
      if !hasLists { throw lines.malformed("no object hash_ids") }
      if hasTimes, builder.requests > before {
        guard let time = time?.duration(unit: unit) else {
          throw lines.malformed("'\(time?.excerpt ?? "")' is no timestamp")
        }
        for _ in before..<builder.requests { builder.append(time: time) }
      }
    }
  }
}
