import Parameters

/// Meta's traces of CacheLib's key-value caches: CSV whose header names the columns.
///
///     key,op,size,op_count,key_size
///     1672151904,GET,180,5,27
///
/// Releases differ in the order of their columns and add `op_time` (seconds), `ttl` (seconds, 0
/// for none), `cache_hits`, `usecase` (the class here) and more. A line stands for `op_count`
/// operations, each a request here. A size is `size` plus `key_size`; where the cache missed and
/// `size` is 0 or less it is the key's alone. GET and GET_LEASE are gets, SET and SET_LEASE sets.
///
/// CacheBench replays each line `op_count` times as well; Caffeine keeps the lines of GET only.
/// Source: cachelib.org, “Evaluating SSD hardware for Facebook workloads”.
struct CacheLibFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "cachelib",
    summary: "Meta's CacheLib kvcache traces: CSV with key,op,size,op_count,key_size and more")

  private static let words = Words<TraceOperation>([
    (.get, "get get_lease gets"), (.set, "set set_lease"), (.delete, "delete del"), (.add, "add"),
    (.replace, "replace"), (.increment, "incr"), (.decrement, "decr"),
  ])

  let keys = KeyKind.text

  init(_ arguments: Arguments) {}

  static func recognition(of sample: TraceSample) -> Recognition {
    let header = HeaderColumns(sample.firstLine, delimiter: ",")
    return header.has("key", "op", "size", "op_count", "key_size") ? .certain : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let header = HeaderColumns(try input.sample().firstLine, delimiter: ",")
    var lines = FieldLines(input, most: header.count)
    guard try lines.next() else { return }
    guard let key = header.column("key"), let operation = header.column("op"),
      let size = header.column("size"), let count = header.column("op_count"),
      let keySize = header.column("key_size")
    else { throw lines.malformed("no header with key, op, size, op_count and key_size") }
    let time = header.column("op_time")
    let ttl = header.column("ttl")
    let usecase = header.column("usecase")

    var provided: TraceColumns = [.sizes, .operations]
    if time != nil { provided.insert(.times) }
    if ttl != nil { provided.insert(.ttls) }
    var details = RequestDetails(provided, wanted: builder.wanted)
    let hasClasses = builder.wanted.contains(.classes)
    let words = Self.words
    while !builder.isFull, try lines.next() {
      try lines.split()
      let repetitions = try lines.number(count, "number of operations")
      if repetitions > TextLines.mostRequests {
        throw lines.malformed("\(repetitions) operations in one line")
      }
      if details.has(.sizes) {
        let isMiss = lines[size].first == UInt8(ascii: "-")
        details.size = try lines.size(keySize) + (isMiss ? 0 : lines.size(size))
      }
      if details.has(.operations) { details.operation = try lines.operation(operation, of: words) }
      if let time, details.has(.times) { details.time = try lines.time(time, unit: .second) }
      if let ttl, details.has(.ttls) { details.ttl = try lines.timeToLive(ttl, unit: .second) }
      let before = builder.requests
      try builder.append(text: lines.key(key), details, count: repetitions)
      if let usecase, hasClasses, builder.requests > before {
        let name = String(decoding: lines[usecase], as: UTF8.self)
        for _ in before..<builder.requests { builder.append(className: name) }
      }
    }
  }
}
