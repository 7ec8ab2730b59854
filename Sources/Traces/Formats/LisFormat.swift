import Parameters

/// The ARC authors' text lines of four numbers: first block, how many blocks, ignored, request.
///
///     12 3 0 0
///
/// asks for blocks 12, 13 and 14. Blank lines are skipped.
struct LisFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "lis", summary: "the ARC authors' lines 'start count ignored request': count keys each")

  let keys = KeyKind.integer

  static func recognition(of sample: TraceSample) -> Recognition {
    if sample.name.hasSuffix(".lis") { return sample.recognised(as: .named) { Fields($0) != nil } }
    // Four numbers may be anything's; requests are numbered in their order.
    var last: UInt64 = 0
    return sample.recognised(as: .likely) { line in
      guard let fields = Fields(line), (1...TextLines.mostRequests).contains(fields.count),
        fields.request >= last
      else { return false }
      last = fields.request
      return true
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var number = 0
    while !builder.isFull, let block = try input.nextLines(from: number + 1) {
      var lines = LineCursor(block)
      while let line = lines.line() {
        number += 1
        guard let fields = Fields(line) else {
          if line.trimmed.isEmpty { continue }
          throw input.malformed(
            line: number, "not four numbers 'start count ignored request'",
            "correct the line or name another format")
        }
        guard fields.count >= 1, fields.count <= TextLines.mostRequests,
          fields.start <= .max - fields.count
        else {
          throw input.malformed(
            line: number, "a count of \(fields.count) blocks from \(fields.start)",
            "a count is 1 … \(TextLines.mostRequests); correct the line")
        }
        try builder.append(keysFrom: fields.start, count: fields.count)
        // A few lines may stand for any number of requests.
        if builder.isFull { return }
      }
    }
  }

  /// The numbers of one line that matter.
  struct Fields {
    var start: UInt64
    var count: UInt64
    var request: UInt64

    /// Nil when the line isn't exactly four numbers.
    @inline(__always)
    init?(_ line: UnsafeRawBufferPointer) {
      var at = 0
      guard let start = Self.number(line, &at), let count = Self.number(line, &at),
        Self.number(line, &at) != nil, let request = Self.number(line, &at)
      else { return nil }
      while at < line.count, UnsafeRawBufferPointer.isSpace(line[at]) { at += 1 }
      guard at == line.count else { return nil }
      self.start = start
      self.count = count
      self.request = request
    }

    @inline(__always)
    private static func number(_ line: UnsafeRawBufferPointer, _ at: inout Int) -> UInt64? {
      while at < line.count, UnsafeRawBufferPointer.isSpace(line[at]) { at += 1 }
      let first = at
      var value: UInt64 = 0
      while at < line.count {
        let digit = line[at] &- 0x30
        guard digit < 10 else { break }
        let (tens, isOver) = value.multipliedReportingOverflow(by: 10)
        let (sum, isPast) = tens.addingReportingOverflow(UInt64(digit))
        if isOver || isPast { return nil }
        value = sum
        at += 1
      }
      let isWhole = at > first && (at == line.count || UnsafeRawBufferPointer.isSpace(line[at]))
      return isWhole ? value : nil
    }
  }
}
