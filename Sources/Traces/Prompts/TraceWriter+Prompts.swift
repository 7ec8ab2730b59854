extension TraceWriter {
  /// The name of the format in which prompts are written.
  public static var promptFormat: String { MooncakeFormat.information.name }

  /// Throws `usage` for a file's name that is not one of prompts: they are lines of JSON, with the lengths and
  /// sessions that no format of requests has.
  package static func checkPrompts(path: String) throws(TraceError) {
    let isPacked = path.lowercased().hasSuffix(".zst")
    let name = isPacked ? String(path.dropLast(4)) : path
    if path != "-" && !name.lowercased().hasSuffix(".jsonl") {
      throw .usage(
        problem: "\(path): prompts are written as lines of JSON",
        remedy: "end the name in .jsonl or .jsonl.zst")
    }
  }

  /// Writes generated prompts to a file, whole or not at all, or to standard output when the path is `-`; packed by
  /// zstd when the path ends in `.zst`. ``TraceLoader`` reads them as format `mooncake`.
  ///
  /// O(blocks); memory for the numbers of the distinct blocks.
  ///
  /// - Parameters:
  ///   - workload: the prompts to come.
  ///   - path: the file's name, or `-`.
  ///   - progress: called about every megabyte with the prompts so far, and before the file gets its name;
  ///     returning false stops, and leaves no file.
  /// - Returns: the bytes stored.
  /// - Throws: `usage` for another ending of the name, `folder`, `io`, `cancelled`.
  @discardableResult
  public static func write(
    _ workload: PromptWorkload, to path: String, progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Int {
    try checkPrompts(path: path)
    return try whole(path, progress) { sink throws(TraceError) in
      var workload = workload
      var made = 0
      var text = ""
      while let prompt = workload.next() {
        text += prompt.line + "\n"
        made += 1
        if text.utf8.count < 1 << 19 && made < workload.requests { continue }
        sink.requests = made
        try sink.write(Array(text.utf8))
        text.removeAll(keepingCapacity: true)
      }
    }
  }
}
