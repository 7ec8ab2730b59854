import Parameters

/// Writes a trace's columns as ``EvtFormat`` says.
struct EvtWriter {
  static let name = "evt"

  private let trace: Trace
  private let sink: MonitoredSink
  private let classNames: Column<UInt8>

  init(_ trace: Trace, to sink: MonitoredSink) {
    self.trace = trace
    self.sink = sink
    classNames = Column(
      trace.classNames.reduce(into: []) { bytes, name in
        withUnsafeBytes(of: UInt32(name.utf8.count).littleEndian) { bytes += $0 }
        bytes += name.utf8
      })
  }

  func write() throws(TraceError) {
    defer { withExtendedLifetime(self) {} }
    let keys: KeyKind = if case .integers = trace.identities { .integer } else { .text }
    var header = EvtHeader(keys: keys, requests: trace.requests, distinct: trace.distinct)
    header.loss = trace.loss
    for section in EvtSection.allCases {
      try sink.ask()
      let bytes = bytes(of: section)
      if bytes.isEmpty { continue }
      var checksum = XXHash64()
      checksum.update(Self.whole(bytes))
      Self.padded(bytes).withUnsafeBytes { checksum.update($0) }
      header[section] = EvtHeader.Slot(bytes: bytes.count, checksum: checksum.finish())
    }
    sink.requestsPerByte = Double(trace.requests) / Double(header.fileBytes)
    try sink.write(header.encoded())
    for section in EvtSection.allCases {
      let bytes = bytes(of: section)
      try sink.write(Self.whole(bytes))
      try sink.write(Self.padded(bytes))
    }
  }

  /// The bytes of a section up to the last place that the next one may have.
  private static func whole(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes.dropLast(bytes.count % EvtHeader.alignment))
  }

  /// The rest of a section, with zeros up to the next one's place.
  private static func padded(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let zeros = bytes.count.rounded(upTo: EvtHeader.alignment) - bytes.count
    return bytes[whole(bytes).count...] + [UInt8](repeating: 0, count: zeros)
  }

  /// A section's bytes, none where the trace lacks it; valid as long as the writer.
  private func bytes(of section: EvtSection) -> UnsafeRawBufferPointer {
    func bytes<Value>(_ column: Column<Value>?) -> UnsafeRawBufferPointer {
      column.map { UnsafeRawBufferPointer($0.elements) }
        ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return switch section {
    case .ids: bytes(trace.ids)
    case .identities:
      switch trace.identities {
      case .integers(let values): bytes(values)
      case .texts(let hashes): bytes(hashes)
      }
    case .sizes: bytes(trace.sizes)
    case .times: bytes(trace.times)
    case .operations: bytes(trace.operations)
    case .ttls: bytes(trace.ttls)
    case .costs: bytes(trace.costs)
    case .classes: bytes(trace.classes)
    case .classNames: bytes(classNames)
    case .keyLengths: bytes(trace.keyLengths)
    case .groups: bytes(trace.groupStarts)
    }
  }
}
