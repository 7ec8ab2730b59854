import Parameters

/// Microsoft Research Cambridge's block traces (SNIA IOTTA 388).
///
///     128166372003061629,usr,0,Read,10995532800,16384,30123
///
/// The columns are time (Windows file time: 100 ns since 1601, here nanoseconds since 1970), host,
/// disk number, type (Read, Write), offset and size in bytes, response time. A volume is
/// `HOST.DISK`. See ``BlockRequests`` for keys and sizes.
///
/// Source: iotta.snia.org/traces/block-io/388; Narayanan, Donnelly and Rowstron, FAST 2008.
struct MSRFormat: BlockFormat {
  static let information = CatalogEntry(
    name: "msr", summary: "MSR Cambridge's block traces: time,host,disk,type,offset,size,response",
    parameters: BlockRequests.parameters)

  static let layout = BlockLayout(
    header: "timestamp,hostname,disknumber,type,offset,size,responsetime",
    volume: [1, 2], offset: 4, length: 5, operation: 3, time: 0, timeUnit: 100,
    epoch: 116_444_736_000_000_000)

  let requests: BlockRequests
}
