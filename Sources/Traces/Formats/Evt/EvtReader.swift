import Parameters

/// Loads a file of ``EvtFormat`` section by section, and checks what it holds.
struct EvtReader {
  private let input: TraceInput
  private let header: EvtHeader
  /// The bytes from which the memory of a section grows.
  private static let firstBytes = 1 << 20
  /// The bytes that are read and checked at a time.
  private static let blockBytes = 256 << 10
  private var held: [EvtSection: HeldMemory] = [:]

  /// Loads the sections of the wanted columns. Nothing is allocated on the header's word alone.
  init(_ input: TraceInput, wanted: TraceColumns) throws(TraceError) {
    self.input = input
    header = try EvtHeader(from: input)
    func isWanted(_ section: EvtSection) -> Bool {
      section.column.map(wanted.contains) ?? true
    }
    if let left = input.storedBytesLeft, header.fileBytes - EvtHeader.size <= left {
      let columns = EvtSection.allCases.filter { $0.isOfRequests && isWanted($0) }
      try input.announce(
        requests: header.requests, bytes: columns.reduce(0) { $0 + header[$1].extent })
    }
    for section in EvtSection.allCases {
      let extent = header[section].extent
      if extent == 0 { continue }
      if isWanted(section) {
        held[section] = try read(section, extent)
      } else if try input.skip(extent) < extent {
        throw cutOff()
      }
    }
    if try input.nextRecords(of: 1) != nil { throw header.goesOn(input) }
  }

  /// Reads a section's bytes, as far as the file's size or what has arrived vouches for. Each
  /// block is checked while the nearer caches hold it.
  private func read(
    _ section: EvtSection, _ extent: Int
  ) throws(TraceError) -> HeldMemory {
    var memory = RawMemory()
    var checksum = XXHash64()
    var filled = 0
    while filled < extent {
      if filled == memory.byteCount {
        let vouched = max(Self.firstBytes, input.storedBytesLeft ?? 0, 2 * filled)
        guard memory.resize(to: min(extent, vouched)) else {
          MemoryShortage.end("a column of \(extent) bytes")
        }
      }
      let block = UnsafeMutableRawBufferPointer(
        start: memory.base.unsafelyUnwrapped + filled,
        count: min(Self.blockBytes, min(extent, memory.byteCount) - filled))
      if try input.read(into: block) < block.count { throw cutOff() }
      checksum.update(UnsafeRawBufferPointer(block))
      filled += block.count
    }
    guard checksum.finish() == header[section].checksum else {
      throw damage(section, "do not match their checksum")
    }
    return HeldMemory(memory)
  }

  private func cutOff() -> TraceError { header.cutOff(input, atByte: input.offset) }

  /// The trace of the first requests, at most `limit`.
  func trace(
    name: String, format: String, reasons: [FormatReason], limit: Int
  ) throws(TraceError) -> Trace {
    let requests = min(header.requests, limit)
    guard requests > 0 else { throw .noRequests(file: input.file) }
    guard let ids: Column<UInt32> = column(.ids, requests) else {
      preconditionFailure("a file without ids has passed")
    }
    let distinct = try distinctKeys(in: ids)
    let identities: KeyIdentities? =
      switch header.keys {
      case .integer: column(.identities, distinct).map(KeyIdentities.integers)
      case .text: column(.identities, distinct).map(KeyIdentities.texts)
      }
    guard let identities else { preconditionFailure("a file without keys has passed") }
    let sizes: Column<UInt64>? = column(.sizes, requests)
    if let sizes, sizes.withUnsafeBufferPointer({ $0.total() }) > Trace.mostBytes {
      throw .tooManyBytes(file: input.file)
    }
    let classes: Column<UInt32>? = column(.classes, requests)
    let classNames = try classNames()
    try require(.classes, classes) { Int($0) < classNames.count }
    let ttls: Column<Int64>? = column(.ttls, requests)
    try require(.ttls, ttls) { $0 >= 0 }
    let costs: Column<Double>? = column(.costs, requests)
    try require(.costs, costs) { $0.isFinite }
    let codes: Column<UInt8>? = column(.operations, requests)
    try require(.operations, codes) { $0 < TraceOperation.allCases.count }
    return Trace(
      name: name, format: format, ids: ids, identities: identities,
      sizes: sizes, times: column(.times, requests),
      operations: column(.operations, requests), ttls: ttls, costs: costs, classes: classes,
      classNames: classNames, keyLengths: column(.keyLengths, distinct),
      groupStarts: try groupStarts(before: requests), formatReasons: reasons, loss: header.loss)
  }

  private func column<Element>(_ section: EvtSection, _ count: Int) -> Column<Element>? {
    held[section].map { Column($0, count: count) }
  }

  /// The number of keys of the ids; throws unless they do so in order of first appearance.
  private func distinctKeys(in ids: Column<UInt32>) throws(TraceError) -> Int {
    var numbering = EvtNumbering()
    ids.withUnsafeBufferPointer { numbering.add($0) }
    guard numbering.agrees(with: header, isWhole: ids.count == header.requests) else {
      throw numbering.damage(input, header)
    }
    return numbering.distinct
  }

  private func require<Element>(
    _ section: EvtSection, _ column: Column<Element>?, _ isValid: (Element) -> Bool
  ) throws(TraceError) {
    guard let column else { return }
    let isWhole = column.withUnsafeBufferPointer { values in
      values.reduce(true) { $0 && isValid($1) }
    }
    if !isWhole { throw damage(section, "hold a value that cannot be") }
  }

  private func groupStarts(before requests: Int) throws(TraceError) -> Column<UInt64>? {
    let bytes = header[.groups].bytes
    guard let starts: Column<UInt64> = column(.groups, bytes / 8) else { return nil }
    let isAscending = zip(starts, starts.dropFirst()).allSatisfy(<)
    guard bytes % 8 == 0, isAscending, starts.allSatisfy({ $0 < header.requests }) else {
      throw damage(.groups, "hold a value that cannot be")
    }
    let count = starts.prefix { $0 < requests }.count
    return count > 0 ? column(.groups, count) : nil
  }

  private func classNames() throws(TraceError) -> [String] {
    guard let bytes = held[.classNames]?.bytes[..<header[.classNames].bytes] else { return [] }
    var rest = UnsafeRawBufferPointer(rebasing: bytes)
    var names: [String] = []
    while !rest.isEmpty {
      let length =
        rest.count < 4
        ? Int.max : Int(UInt32(littleEndian: rest.loadUnaligned(as: UInt32.self)))
      guard length <= rest.count - 4,
        let name = String(validating: rest[4..<4 + length], as: UTF8.self)
      else { throw damage(.classNames, "end within a name or are no UTF-8") }
      names.append(name)
      rest = UnsafeRawBufferPointer(rebasing: rest[(4 + length)...])
    }
    return names
  }

  private func damage(_ section: EvtSection, _ problem: String) -> TraceError {
    header.damage(input, section, problem)
  }
}
