import Parameters

/// The tokens of RAGPulse's chunks, by number: lines such as
///
///     {"sys_prompt_id": 8302, "token_length": 512}
///
/// RAGPulse keeps them in five files: `1_sys_prompt.jsonl`, `2_passages.jsonl` and so on, beside `0_trace.jsonl`.
struct ChunkLengths {
  /// The lists, as their files are named, and the names of the chunks' numbers in them.
  private static let lists = [
    "sys_prompt": "sys_prompt_id", "passages": "passage_id", "history": "history_id",
    "user_input": "user_input_id", "web_search": "web_search_id",
  ]

  private var tokens: [UInt64: UInt32] = [:]

  var isEmpty: Bool { tokens.isEmpty }

  /// Reads the lists in a trace's folder: the files whose names differ from the trace's in the word `trace` and in digits
  /// at the start.
  mutating func readLists(beside file: String) throws(TraceError) {
    let nameStart = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
    let folder = file[..<nameStart]
    let name = file[nameStart...].drop(while: \.isNumber)
    guard let word = name.ranges(of: "trace").last else { return }
    let names = Self.lists.keys.map { list in
      String(name[..<word.lowerBound]) + list + name[word.upperBound...]
    }
    for list in FileNames.names(in: folder.isEmpty ? "." : String(folder)).sorted()
    where names.contains(String(list.drop(while: \.isNumber))) {
      let path = String(folder) + list
      var lines = TextLines(
        TraceInput(try Compression.unpack(FileSource(path: path), file: path), file: path))
      while try lines.next() {
        if try !take(lines) { throw lines.malformed("no number of a chunk and token_length") }
      }
    }
  }

  /// Takes the length on the current line; false if it tells none.
  mutating func take(_ lines: borrowing TextLines) throws(TraceError) -> Bool {
    guard let (number, length) = Self.pair(lines.text) else { return false }
    guard let chunk = number.wholeNumber else { throw lines.wrong(number, "chunk's number") }
    guard let tokens = length.wholeNumber, tokens < 1 << 31 else {
      throw lines.wrong(length, "token_length")
    }
    if let earlier = self.tokens.updateValue(UInt32(tokens), forKey: chunk), earlier != tokens {
      throw lines.malformed("token_length \(tokens) of chunk \(chunk) after \(earlier)")
    }
    return true
  }

  /// The tokens of a chunk of the current line.
  func tokens(of chunk: UInt64, in lines: borrowing TextLines) throws(TraceError) -> UInt32 {
    if let tokens = tokens[chunk] { return tokens }
    throw lines.malformed(
      "nothing tells the tokens of chunk \(chunk)",
      "put the lists of lengths (1_sys_prompt.jsonl and others) beside the trace, or their lines before "
        + "the prompts")
  }

  /// The number of a chunk and its tokens; nil for another line.
  static func pair(
    _ line: UnsafeRawBufferPointer
  ) -> (number: UnsafeRawBufferPointer, tokens: UnsafeRawBufferPointer)? {
    var scanner = JSONScanner(line)
    var (number, tokens): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
    while let name = scanner.nextName() {
      let value = scanner.skipValue()
      if name.isWord("token_length") {
        tokens = value
      } else if lists.values.contains(where: { name.elementsEqual($0.utf8) }) {
        number = value
      }
    }
    guard scanner.isWhole, let number, let tokens else { return nil }
    return (number, tokens)
  }
}
