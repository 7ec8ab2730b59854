import Parameters

/// Tencent's cloud block storage traces (SNIA IOTTA 27917).
///
///     1538323200,12910952,128,0,1283
///
/// The columns are time in seconds since 1970, offset and size in sectors of 512 bytes, operation
/// (0 reads, 1 writes), volume. See ``BlockRequests`` for keys and sizes.
///
/// Such lines look like many others, so only files with the header `Timestamp,Offset,Size,IOType,
/// VolumeID` or with `tencent` in their names are recognised.
/// Source: iotta.snia.org/traces/parallel/27917; Zhang et al., USENIX ATC 2020.
struct TencentBlockFormat: BlockFormat {
  static let information = CatalogEntry(
    name: "tencent-block",
    summary: "Tencent's block traces: time,offset,size,type,volume in sectors; told by its name",
    parameters: BlockRequests.parameters)

  static let layout = BlockLayout(
    header: "timestamp,offset,size,iotype,volumeid",
    volume: [4], offset: 1, length: 2, offsetUnit: 512, lengthUnit: 512, operation: 3,
    words: Words<TraceOperation>([(.read, "0"), (.write, "1")]), time: 0, timeUnit: .second)

  let requests: BlockRequests

  static func recognition(of sample: TraceSample) -> Recognition {
    if hasHeader(sample) { return .certain }
    return sample.name.contains("tencent") && hasRequests(sample) ? .named : .no
  }
}
