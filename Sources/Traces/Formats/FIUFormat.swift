import Parameters

/// Florida International University's block traces (SNIA IOTTA 390, 391 and 414).
///
///     89968195792462 20782 gzip 283193184 8 R 6 0 56f11b711d91a065a2b6458eca924523
///
/// The columns are time in nanoseconds, process number and name, first sector and sectors of 512 bytes, operation (R, W), the
/// device's major and minor number, and digests of the content. A volume is `MAJOR.MINOR`. See ``BlockRequests`` for keys
/// and sizes.
///
/// Source: the traces' README; Koller and Rangaswami, FAST 2010.
struct FIUFormat: BlockFormat {
  static let information = CatalogEntry(
    name: "fiu",
    summary: "FIU's block traces: time pid process sector sectors R|W major minor digest",
    parameters: BlockRequests.parameters)

  static let layout = BlockLayout(
    header: "ts,pid,process,lba,size,op,major,minor,md5", delimiter: UInt8(ascii: " "),
    volume: [6, 7], offset: 3, length: 4, offsetUnit: 512, lengthUnit: 512, operation: 5, time: 0,
    timeUnit: 1, goesOn: true)

  let requests: BlockRequests

  static func recognition(of sample: TraceSample) -> Recognition {
    hasRequests(sample, isNamed: true) ? .certain : .no
  }
}
