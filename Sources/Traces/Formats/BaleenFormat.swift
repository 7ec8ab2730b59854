import Parameters

/// Meta's traces of block storage (Tectonic) as the authors of Baleen published them.
///
///     # host_name=Region7 …
///     40231 131072 262144 1697000001.25 2 1 1 3 1 host1
///
/// The columns are block of storage, offset and size in bytes within it, time in seconds, operation (1, 2 and 5 get, 3, 4 and 6
/// put), and more, which differ between the years and are not read. The block of storage is the volume here; see
/// ``BlockRequests`` for keys and sizes. Baleen caches segments of 128 KiB, and reads only (`block=128KiB:writes=false`), as
/// Caffeine reads them.
///
/// Such lines look like many others, so only files that begin with a `#` line, or with `baleen` or `tectonic` in their names,
/// are recognised. Source: ftp.pdl.cmu.edu/pub/datasets/Baleen24; Wong et al., FAST 2024.
struct BaleenFormat: BlockFormat {
  static let information = CatalogEntry(
    name: "baleen",
    summary: "Baleen's Tectonic traces: block offset size time operation …, told by # or its name",
    parameters: BlockRequests.parameters)

  static let layout = BlockLayout(
    header: "block_id,io_offset,io_size,op_time,op_name,user_namespace,user_name,other",
    delimiter: UInt8(ascii: " "), volume: [0], offset: 1, length: 2, operation: 4,
    words: Words<TraceOperation>([(.read, "1 2 5"), (.write, "3 4 6")]), time: 3,
    timeUnit: .second, goesOn: true)

  let requests: BlockRequests

  static func recognition(of sample: TraceSample) -> Recognition {
    guard hasRequests(sample, isNamed: true) else { return .no }
    if sample.firstLine.first == UInt8(ascii: "#") { return .certain }
    return ["baleen", "tectonic"].contains(where: sample.name.contains) ? .named : .no
  }
}
