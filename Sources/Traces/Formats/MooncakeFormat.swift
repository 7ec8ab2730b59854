import Parameters

/// Requests to a service of a large language model, one JSON object per line, with the blocks of their
/// prompts: Mooncake's traces and others of that form.
///
///     {"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47, 48]}
///
/// Each of `hash_ids` is a request for one block of the key-value cache (512 tokens in Mooncake's
/// traces), in the order of the prompt; a block's number stands for all that precedes it as well. A line
/// is a group (``Trace/groupStarts``), so that prefixes can be told; one without blocks is no request.
/// `timestamp` is in milliseconds unless the parameter says otherwise; blocks have one size, so there are
/// no sizes. Whatever else a line holds is passed over. Caffeine reads the blocks alike.
///
/// Source: github.com/kvcache-ai/Mooncake, FAST25-release; Qin et al., FAST 2025.
struct MooncakeFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "mooncake",
    summary: "LLM serving traces, JSON lines: each of hash_ids is a block, each line a group",
    parameters: [.unit(default: "ms")])

  let keys = KeyKind.integer
  private let unit: Int64

  init(_ arguments: Arguments) { unit = arguments.unit }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard sample.firstLine.first == UInt8(ascii: "{") else { return .no }
    // The first line may be longer than the sample.
    let isAlike = sample.head.withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      while let name = scanner.nextName() {
        if name.elementsEqual("hash_ids".utf8) { return true }
        scanner.skipValue()
      }
      return false
    }
    return isAlike ? .certain : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    let hasTimes = builder.wanted.contains(.times)
    let hasGroups = builder.wanted.contains(.groups)
    while !builder.isFull, try lines.next() {
      var scanner = JSONScanner(lines.text)
      let before = builder.requests
      var time: UnsafeRawBufferPointer?
      var hasBlocks = false
      while let name = scanner.nextName() {
        if name.elementsEqual("hash_ids".utf8) {
          hasBlocks = scanner.beginArray()
          while hasBlocks, let element = scanner.nextElement() {
            guard let block = element.wholeNumber else {
              throw lines.wrong(element, "block's number")
            }
            if hasGroups, builder.requests == before { builder.beginGroup() }
            try builder.append(key: block)
          }
        } else if name.elementsEqual("timestamp".utf8) {
          time = scanner.skipValue()
        } else {
          scanner.skipValue()
        }
      }
      if !scanner.isWhole { throw lines.malformed("not one JSON object") }
      if !hasBlocks { throw lines.malformed("no array hash_ids") }
      if hasTimes, builder.requests > before {
        guard let time = time?.duration(unit: unit) else {
          throw lines.malformed("'\(time?.excerpt ?? "")' is no timestamp")
        }
        for _ in before..<builder.requests { builder.append(time: time) }
      }
    }
  }
}
