import Parameters

/// The default output of `blkparse` for a trace of Linux's block layer.
///
///     8,0    3        1     0.000000000   697  Q   W 223490 + 8 [kjournald]
///
/// The columns are the device, processor, sequence number, time in seconds, process, action, kind (R reads, W writes), first
/// sector, `+`, sectors of 512 bytes, and the process' name. A request passes through many actions: those of one are read, as
/// the parameter says; `Q`, a request that was queued, is what the programs requested, before merging. A volume is the
/// device, `8.0`. See ``BlockRequests`` for keys and sizes. Kinds that neither read nor write (flushes, discards) are no
/// requests, and neither is the summary at the end.
///
/// Source: manual page blkparse(1).
struct BlkparseFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "blkparse",
    summary: "what blkparse prints: device cpu number time pid action kind sector + sectors [name]",
    parameters: BlockRequests.parameters + [
      Parameter(
        "action", .choice(["Q", "D", "C"]), default: .text("Q"),
        help: "which events are requests: queued, issued to the device, or completed")
    ])

  private let requests: BlockRequests
  private let action: UInt8

  init(_ arguments: Arguments) {
    requests = BlockRequests(arguments)
    action = arguments.text("action").utf8.first ?? 0
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    let splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: 7)
    return sample.recognised(as: .certain) { Self.isEvent($0, splitter) }
  }

  /// True for an event, nil for the summary.
  private static func isEvent(
    _ line: UnsafeRawBufferPointer, _ splitter: borrowing FieldSplitter
  ) -> Bool? {
    guard let first = line.first else { return nil }
    if first &- 0x30 > 9 {
      // "CPU0 (8,0):", " Reads Queued: …", "Total (8,0):", "Throughput (R/W): …", "Events", "Skips"
      let isSummary = line.contains(UInt8(ascii: ":")) && line.contains { $0 &- 0x30 < 10 }
      return isSummary ? nil : false
    }
    let fields = splitter.fields
    let found = splitter.split(line)
    guard found == 7 || found == 6 && fields[5][0] == UInt8(ascii: "m"), fields[5].count <= 2,
      let comma = fields[0].firstIndex(of: UInt8(ascii: ",")),
      UnsafeRawBufferPointer(rebasing: fields[0][..<comma]).wholeNumber != nil,
      UnsafeRawBufferPointer(rebasing: fields[0][(comma + 1)...]).wholeNumber != nil
    else { return false }
    return fields[1].wholeNumber != nil && fields[3].duration(unit: .second) != nil
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    let splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: 10)
    let fields = splitter.fields
    var requests = BlockExpansion(requests, wanted: builder.wanted)
    while !builder.isFull, try lines.next() {
      let found = splitter.split(lines.text)
      guard lines.text[0] &- 0x30 < 10 else {
        // The summary.
        if lines.text.contains(UInt8(ascii: ":")) { continue }
        throw lines.malformed("no event of a device")
      }
      guard found > 5, let comma = fields[0].firstIndex(of: UInt8(ascii: ",")) else {
        throw lines.malformed("no event of a device")
      }
      guard fields[5].count == 1, fields[5][0] == action else { continue }
      guard found == 10, fields[8].count == 1, fields[8][0] == UInt8(ascii: "+") else {
        // An event without sectors, such as a flush, may have the process' name.
        if found < 8 || fields[7][0] == UInt8(ascii: "[") { continue }
        throw lines.malformed("no sector + sectors")
      }
      guard let operation = Self.operation(fields[6]) else { continue }
      guard let sector = fields[7].wholeNumber, sector < 1 << 55 else {
        throw lines.wrong(fields[7], "sector")
      }
      guard let sectors = fields[9].wholeNumber, sectors < 1 << 55 else {
        throw lines.wrong(fields[9], "number of sectors")
      }
      if requests.details.has(.times) {
        guard let time = fields[3].duration(unit: .second) else {
          throw lines.wrong(fields[3], "time")
        }
        requests.details.time = time
      }
      requests.details.operation = operation
      requests.begin()
      requests.append(volume: UnsafeRawBufferPointer(rebasing: fields[0][..<comma]))
      requests.append(volume: UnsafeRawBufferPointer(rebasing: fields[0][(comma + 1)...]))
      guard
        try requests.append(offset: sector << 9, length: sectors << 9, count: 1, to: &builder)
      else { throw lines.malformed("a request of \(sectors) sectors from \(sector)") }
    }
  }

  /// The operation of a kind such as `WS` or `RA`; nil for what neither reads nor writes.
  private static func operation(_ kind: UnsafeRawBufferPointer) -> TraceOperation? {
    for letter in kind {
      switch letter {
      case UInt8(ascii: "R"): return .read
      case UInt8(ascii: "W"): return .write
      case UInt8(ascii: "D"), UInt8(ascii: "N"): return nil
      default: continue
      }
    }
    return nil
  }
}
