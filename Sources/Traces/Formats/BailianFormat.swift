import Parameters

/// Requests to Alibaba's Bailian service, one JSON object per line, read as ``MooncakeFormat`` reads its own.
///
///     {"chat_id": 159, "parent_chat_id": 55, "timestamp": 61.114, "input_length": 521, "output_length": 132,
///      "type": "text", "turn": 2, "hash_ids": [1089, 1090, 1091]}
///
/// A block has 16 tokens, a timestamp is in seconds, and a chat continues that of its parent: all chats of one root are
/// a session. An id hashes the content of its block and not what precedes it, so `evict prefix` chains ids, and
/// says how many hits a match by id alone would find too many.
///
/// Written from the published description, and tried on written samples only.
///
/// Source: github.com/alibaba-edu/qwen-bailian-usagetraces-anon; Wang et al., USENIX ATC 2025.
struct BailianFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "bailian",
    summary: "Bailian's LLM traces, JSON lines with chat_id: ids hash contents, 16 tokens a block",
    parameters: PromptLines.parameters(unit: "s", blockTokens: 16))

  let keys = KeyKind.integer
  private let lines: PromptLines

  init(_ arguments: Arguments) {
    lines = PromptLines(format: Self.information.name, arguments)
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard sample.firstLine.first == UInt8(ascii: "{") else { return .no }
    return sample.head.withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      var hasChat = false
      // The first line may be longer than the sample.
      while let name = scanner.nextName() {
        if name.isWord("chat_id") { hasChat = true }
        if name.isWord("hash_ids") { return hasChat ? .certain : .no }
        scanner.skipValue()
      }
      return .no
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    try lines.read(from: input, into: &builder)
  }
}
