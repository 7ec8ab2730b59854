extension EvtFormat {
  /// Reads the columns, one behind the other in the file, at as many places as columns are wanted.
  func read(_ stream: StreamedInput, into blocks: TraceBlocks) throws(TraceError) {
    guard let again = stream.again else {
      throw .usage(
        problem:
          "\(stream.file): .evtrace holds one column behind the other, and a pipe is read once",
        remedy: "give it as a file, or leave out --stream")
    }
    let reader = try EvtBlockReader(
      header(of: stream.input), wanted: stream.columns, hasHashes: blocks.hasHashes, open: again)
    do throws(TraceError) {
      try reader.read(into: blocks, limit: stream.limit ?? .max) { () throws(TraceError) in
        try stream.monitor.advance(requests: reader.requests, share: reader.share)
      }
    } catch {
      if !blocks.keepsWhatWasRead(before: error, requests: reader.requests) { throw error }
    }
  }

  func told(
    of input: TraceInput, columns: TraceColumns
  ) throws(TraceError) -> (requests: Int, distinct: Int, block: TraceBlock)? {
    let header = try header(of: input)
    func has(_ section: EvtSection) -> Bool {
      header[section].extent > 0 && section.column.map(columns.contains) ?? true
    }
    let block = TraceBlock()
    if has(.sizes) { block.sizeColumn.append(1) }
    if has(.times) { block.timeColumn.append(0) }
    if has(.operations) { block.operationColumn.append(.get) }
    if has(.ttls) { block.ttlColumn.append(0) }
    if has(.costs) { block.costColumn.append(1) }
    if has(.keyLengths) { block.lengthsOfNewKeys.append(1) }
    return (header.requests, header.distinct, block)
  }

  /// The header, of a file that has the length which it promises, where that is known.
  private func header(of input: TraceInput) throws(TraceError) -> EvtHeader {
    let header = try EvtHeader(from: input)
    if let left = input.storedBytesLeft {
      let bytes = EvtHeader.size + left
      if bytes < header.fileBytes { throw header.cutOff(input, atByte: bytes) }
      if bytes > header.fileBytes { throw header.goesOn(input) }
    }
    return header
  }
}
