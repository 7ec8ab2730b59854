import Parameters

/// Meta's traces of CacheLib's key-value caches: CSV whose header names the columns.
///
///     key,op,size,op_count,key_size
///     1672151904,GET,180,5,27
///
/// Releases differ in the order of their columns and add `op_time` (seconds), `ttl` (seconds, 0
/// for none), `cache_hits`, `usecase` (the class here) and more. A line stands for `op_count`
/// operations, each a request here. A size is `size` plus `key_size`; a get whose `size` is 0 or less missed and
/// tells none. GET and GET_LEASE are gets, SET and SET_LEASE sets.
///
/// CacheBench replays each line `op_count` times as well; Caffeine keeps the lines of GET only.
/// Source: cachelib.org, “Evaluating SSD hardware for Facebook workloads”.
struct CacheLibFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "cachelib",
    summary: "Meta's CacheLib kvcache traces: CSV with key,op,size,op_count,key_size and more")

  private static let words = Words<TraceOperation>([
    (.get, "get get_lease gets"), (.set, "set set_lease"), (.delete, "delete del"), (.add, "add"),
    (.replace, "replace"), (.increment, "incr"), (.decrement, "decr"),
  ])

  static func recognition(of sample: TraceSample) -> Recognition {
    let header = sample.header(delimiter: UInt8(ascii: ","))
    let needed = ["key", "op", "size", "op_count", "key_size"]
    return needed.allSatisfy { header.number(of: $0) != nil } ? .certain : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let header = try input.sample().header(delimiter: UInt8(ascii: ","))
    var lines = FieldLines(input, most: header.names.count)
    guard try lines.next() else { return }
    guard let key = header.number(of: "key"), let operation = header.number(of: "op"),
      let size = header.number(of: "size"), let count = header.number(of: "op_count"),
      let keySize = header.number(of: "key_size")
    else { throw lines.malformed("no header with key, op, size, op_count and key_size") }
    let time = header.number(of: "op_time")
    let ttl = header.number(of: "ttl")
    let usecase = header.number(of: "usecase")

    var provided: TraceColumns = [.sizes, .operations]
    if time != nil { provided.insert(.times) }
    if ttl != nil { provided.insert(.ttls) }
    if usecase != nil { provided.insert(.classes) }
    var details = RequestDetails(provided, wanted: builder.wanted)
    let words = Self.words
    builder.expectUnknownSizes()
    while !builder.isFull, try lines.next() {
      try lines.split(of: header.names.count)
      let repetitions = try lines.number(count, "number of operations")
      if repetitions > TextLines.mostRequests {
        throw lines.malformed("\(repetitions) operations in one line")
      }
      if details.has(.sizes) {
        let isNegative = lines[size].first == UInt8(ascii: "-")
        let (key, value) = (try lines.size(keySize), isNegative ? 0 : try lines.size(size))
        let isGet = try lines.operation(operation, of: words) == .get
        details.size = value == 0 && isGet ? Trace.unknownSize : key + value
      }
      if details.has(.operations) { details.operation = try lines.operation(operation, of: words) }
      if let time, details.has(.times) { details.time = try lines.time(time, unit: .second) }
      if let ttl, details.has(.ttls) { details.ttl = try lines.timeToLive(ttl, unit: .second) }
      if let usecase { details.className = lines[usecase] }
      try builder.append(text: lines.key(key), details, count: repetitions)
    }
  }
}
