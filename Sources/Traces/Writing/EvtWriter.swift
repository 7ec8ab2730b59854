import Parameters

/// Writes a trace's columns as ``EvtFormat`` says.
struct EvtWriter {
  static let name = "evt"

  private let trace: Trace
  private let sink: MonitoredSink

  init(_ trace: Trace, to sink: MonitoredSink) {
    self.trace = trace
    self.sink = sink
  }

  func write() throws(TraceError) {
    let keys: KeyKind = if case .integers = trace.identities { .integer } else { .text }
    var header = EvtHeader(keys: keys, requests: trace.requests, distinct: trace.distinct)
    let names = encodedClassNames()
    var size = 0
    for section in EvtSection.allCases {
      try sink.ask()
      header[section] = try withBytes(of: section, names) { bytes throws(TraceError) in
        guard !bytes.isEmpty else { return EvtHeader.Slot() }
        var checksum = XXHash64()
        let whole = bytes.count / EvtHeader.alignment * EvtHeader.alignment
        checksum.update(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
        Self.padded(bytes[whole...]).withUnsafeBytes { checksum.update($0) }
        size += bytes.count.rounded(upTo: EvtHeader.alignment)
        return EvtHeader.Slot(bytes: bytes.count, checksum: checksum.finish())
      }
    }
    sink.requestsPerByte = Double(trace.requests) / Double(size + EvtHeader.size)
    try sink.write(header.encoded())
    for section in EvtSection.allCases {
      let rest = try withBytes(of: section, names) { bytes throws(TraceError) in
        let whole = bytes.count / EvtHeader.alignment * EvtHeader.alignment
        try sink.write(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
        return Self.padded(bytes[whole...])
      }
      try sink.write(rest)
    }
  }

  /// What is left of a section, with zeros up to the next one's place.
  private static func padded(_ rest: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    let zeros = rest.count.rounded(upTo: EvtHeader.alignment) - rest.count
    return Array(rest) + [UInt8](repeating: 0, count: zeros)
  }

  private func encodedClassNames() -> [UInt8] {
    trace.classNames.reduce(into: []) { bytes, name in
      withUnsafeBytes(of: UInt32(name.utf8.count).littleEndian) { bytes += $0 }
      bytes += name.utf8
    }
  }

  /// Runs `body` on a section's bytes, none where the trace lacks it.
  private func withBytes<Result>(
    of section: EvtSection, _ names: [UInt8],
    _ body: (UnsafeRawBufferPointer) throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    func bytes<Value>(_ column: Column<Value>?) throws(TraceError) -> Result {
      guard let column else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
      return try column.withUnsafeBufferPointer { values throws(TraceError) in
        try body(UnsafeRawBufferPointer(values))
      }
    }
    switch section {
    case .ids: return try bytes(trace.ids)
    case .identities:
      switch trace.identities {
      case .integers(let values): return try bytes(values)
      case .texts(let hashes): return try bytes(hashes)
      }
    case .sizes: return try bytes(trace.sizes)
    case .times: return try bytes(trace.times)
    case .operations: return try bytes(trace.operations)
    case .ttls: return try bytes(trace.ttls)
    case .costs: return try bytes(trace.costs)
    case .classes: return try bytes(trace.classes)
    case .classNames:
      return try names.withUnsafeBufferPointer { names throws(TraceError) in
        try body(UnsafeRawBufferPointer(names))
      }
    case .keyLengths: return try bytes(trace.keyLengths)
    case .groups: return try bytes(trace.groupStarts)
    }
  }
}
