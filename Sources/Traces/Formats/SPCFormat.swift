import Parameters

/// The Storage Performance Council's trace format, in which the UMass repository has its Financial
/// and WebSearch traces.
///
///     0,303567,3584,w,0.000000
///
/// The columns are application-specific unit (ASU, the volume), logical block address in sectors of
/// 512 bytes, size in bytes, opcode (r, w in any case), time in seconds from the start; optional
/// fields may follow. See ``BlockRequests`` for keys and sizes.
///
/// Source: “SPC Trace File Format Specification”, revision 1.0.1; traces.cs.umass.edu, Storage.
struct SPCFormat: BlockFormat {
  static let information = CatalogEntry(
    name: "spc", summary: "SPC block traces (UMass Financial, WebSearch): ASU,LBA,size,opcode,time",
    parameters: BlockRequests.parameters)

  static let layout = BlockLayout(
    header: "asu,lba,size,opcode,timestamp",
    volume: [0], offset: 1, length: 2, offsetUnit: 512, operation: 3, time: 4, timeUnit: .second,
    goesOn: true)

  let requests: BlockRequests

  /// Optional fields make lines look like others, so the name tells as well.
  static func recognition(of sample: TraceSample) -> Recognition {
    if hasHeader(sample) || hasRequests(sample) { return .certain }
    return sample.name.hasSuffix(".spc") && hasRequests(sample, isNamed: true) ? .named : .no
  }
}
