/// Hands over the requests of an ``EvtFormat`` file block by block: each column is read by a cursor of its own,
/// and nothing is kept of the keys but what the blocks hand over.
final class EvtBlockReader {
  private let header: EvtHeader
  private let hasHashes: Bool
  private var cursors: [EvtSection: EvtCursor] = [:]
  private var numbering = EvtNumbering()
  /// The bytes that are requested so far.
  private var bytes: UInt64 = 0
  private var numbers = ColumnBuffer<UInt64>()
  private var hashes = ColumnBuffer<KeyHash>()
  /// The requests that were handed over.
  private(set) var requests = 0

  /// Opens the file once for each column that is wanted.
  ///
  /// - Parameters:
  ///   - header: The file's header.
  ///   - wanted: The columns that blocks are to have, where the file has them.
  ///   - hasHashes: True where the hashes of keys are wanted.
  ///   - open: Opens the file at its first byte.
  init(
    _ header: EvtHeader, wanted: TraceColumns, hasHashes: Bool,
    open: () throws(TraceError) -> TraceInput
  ) throws(TraceError) {
    self.header = header
    self.hasHashes = hasHashes
    for section in EvtSection.allCases where header[section].extent > 0 {
      let isRead =
        switch section {
        case .ids: true
        case .identities: hasHashes
        case .sizes, .times, .operations, .ttls, .costs, .keyLengths:
          section.column.map(wanted.contains) ?? false
        case .classes, .classNames, .groups: false
        }
      if isRead { cursors[section] = try EvtCursor(open(), of: header, at: section) }
    }
  }

  /// Hands over the first requests, at most `limit`, and checks the whole of every column that is read.
  ///
  /// - Parameters:
  ///   - blocks: Those that are filled.
  ///   - limit: The most requests.
  ///   - advance: Called after each block.
  func read(
    into blocks: TraceBlocks, limit: Int, advance: () throws(TraceError) -> Void
  ) throws(TraceError) {
    let wanted = min(header.requests, limit)
    while requests < wanted {
      let count = min(blocks.blockRequests, wanted - requests)
      try blocks.handOver { block throws(TraceError) in try fill(block, count) }
      requests += count
      try advance()
    }
    let inOrder = EvtSection.allCases.compactMap { cursors[$0] }
    for cursor in inOrder { try cursor.finish() }
    try inOrder.last?.finishFile()
  }

  /// The share of the requests that were handed over.
  var share: Double { Double(requests) / Double(header.requests) }

  private func fill(_ block: TraceBlock, _ count: Int) throws(TraceError) {
    try read(.ids, count, into: &block.idColumn)
    let known = numbering.distinct
    numbering.add(UnsafeBufferPointer(start: block.idColumn.elements, count: count))
    guard numbering.agrees(with: header, isWhole: requests + count == header.requests) else {
      throw damage(.ids) { numbering.damage($0, header) }
    }
    try read(.sizes, count, into: &block.sizeColumn)
    bytes = UnsafeBufferPointer(start: block.sizeColumn.elements, count: block.sizeColumn.count)
      .total(from: bytes)
    if bytes > Trace.mostBytes { throw damage(.sizes) { .tooManyBytes(file: $0.file) } }
    try read(.times, count, into: &block.timeColumn)
    try read(.operations, count, into: &block.operationColumn)
    try require(.operations, block.operationColumn) { (code: UInt8) in
      code < TraceOperation.allCases.count
    }
    try read(.ttls, count, into: &block.ttlColumn)
    try require(.ttls, block.ttlColumn) { (ttl: Int64) in ttl >= 0 }
    try read(.costs, count, into: &block.costColumn)
    try require(.costs, block.costColumn) { (cost: Double) in cost.isFinite }
    try readKeys(numbering.distinct - known, into: block)
    block.count = count
    block.distinct = numbering.distinct
  }

  private func readKeys(_ count: Int, into block: TraceBlock) throws(TraceError) {
    try read(.keyLengths, count, into: &block.lengthsOfNewKeys)
    block.hashesOfNewKeys.truncate(to: 0)
    if !hasHashes { return }
    switch header.keys {
    case .integer:
      try read(.identities, count, into: &numbers)
      // Keys were read, so there is memory of them, unless there are none.
      for index in 0..<count {
        let number = numbers.elements.unsafelyUnwrapped[index]
        block.hashesOfNewKeys.append(KeyHash(decimal: number).low)
      }
    case .text:
      try read(.identities, count, into: &hashes)
      for index in 0..<count {
        block.hashesOfNewKeys.append(hashes.elements.unsafelyUnwrapped[index].low)
      }
    }
  }

  /// Reads the next values of a column in place of those that are held; none where it is not read.
  private func read<Value>(
    _ section: EvtSection, _ count: Int, into column: inout ColumnBuffer<Value>
  ) throws(TraceError) {
    column.truncate(to: 0)
    try cursors[section]?.read(count, into: &column)
  }

  /// Refuses values, looked at as they are stored, that cannot be.
  private func require<Value, Stored: BitwiseCopyable>(
    _ section: EvtSection, _ column: borrowing ColumnBuffer<Value>, _ isValid: (Stored) -> Bool
  ) throws(TraceError) {
    guard column.count > 0, let values = column.elements else { return }
    let stored = UnsafeRawPointer(values)
    var isWhole = true
    for index in 0..<column.count {
      let value = stored.load(
        fromByteOffset: index * MemoryLayout<Stored>.stride, as: Stored.self)
      isWhole = isValid(value) && isWhole
    }
    if !isWhole {
      throw damage(section) { header.damage($0, section, "hold a value that cannot be") }
    }
  }

  /// An error of a section that is read.
  private func damage(_ section: EvtSection, _ error: (TraceInput) -> TraceError) -> TraceError {
    guard let cursor = cursors[section] else { preconditionFailure("the column is not read") }
    return error(cursor.input)
  }
}
