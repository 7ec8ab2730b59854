extension TraceOperation {
  /// The operation that a word of a trace stands for, in any case: `get`, `SET`, `del`, `r`, and
  /// the SCSI commands of block traces in hexadecimal (`28` and `88` read, `2a` and `8a` write).
  ///
  /// Nil for a word that no known trace uses.
  package init?(word: String) {
    var word = word
    guard let operation = word.withUTF8({ Self.words[UnsafeRawBufferPointer($0)] }) else {
      return nil
    }
    self = operation
  }

  /// The words, for readers that have them as bytes.
  static let words = Words<TraceOperation>([
    (.get, "get gets mget lookup fetch"), (.set, "set put store update"), (.add, "add insert"),
    (.delete, "delete del remove unset"), (.replace, "replace"), (.compareAndSet, "cas"),
    (.append, "append"), (.prepend, "prepend"), (.increment, "incr increment"),
    (.decrement, "decr decrement"), (.read, "read r rd load l 08 28 88 a8"),
    (.write, "write w wr s 0a 2a 8a aa"), (.touch, "touch"),
  ])
}
