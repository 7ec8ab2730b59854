extension TraceOperation {
  /// The operation that a word of a trace stands for, in any case: `get`, `SET`, `del`, `r`, and
  /// the SCSI commands of block traces in hexadecimal (`28` and `88` read, `2a` and `8a` write).
  ///
  /// Nil for a word that no known trace uses.
  public init?(word: String) {
    guard let operation = Self.words[word.lowercased()] else { return nil }
    self = operation
  }

  private static let words: [String: TraceOperation] = {
    let spellings: [(TraceOperation, String)] = [
      (.get, "get gets mget lookup fetch"), (.set, "set put store update"), (.add, "add insert"),
      (.delete, "delete del remove unset"), (.replace, "replace"), (.compareAndSet, "cas"),
      (.append, "append"), (.prepend, "prepend"), (.increment, "incr increment"),
      (.decrement, "decr decrement"), (.read, "read r rd load l 08 28 88 a8"),
      (.write, "write w wr s 0a 2a 8a aa"),
    ]
    var words: [String: TraceOperation] = [:]
    for (operation, text) in spellings {
      for word in text.split(separator: " ") { words[String(word)] = operation }
    }
    return words
  }()
}
