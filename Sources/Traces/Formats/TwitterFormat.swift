import Parameters

/// Twitter's cache traces: a request to a Twemcache cluster per line, without a header.
///
///     0,q:q:1:8WTfjZU14ee,17,213,4,get,0
///
/// The columns are time (seconds), anonymised key (which may hold commas), key size, value size,
/// client, operation, time to live (seconds, 0 for none). A size is key size plus value size, as
/// others that read these traces count; the value size of a miss is 0, and so a get with a value of 0 bytes tells no
/// size. The operations are get,
/// gets, set, add, replace, cas, append, prepend, delete, incr and decr.
///
/// Source: github.com/twitter/cache-trace; Yang, Yue and Rashmi, OSDI 2020.
struct TwitterFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "twitter",
    summary: "Twitter's cache traces: time,key,key size,value size,client,operation,ttl")

  static func recognition(of sample: TraceSample) -> Recognition {
    let splitter = FieldSplitter(delimiter: UInt8(ascii: ","), most: 7)
    let fields = splitter.fields
    return sample.recognised(as: .certain) { line in
      splitter.split(line, wide: 1) && TraceOperation.words[fields[5]] != nil
        && [0, 2, 3, 4, 6].allSatisfy { fields[$0].wholeNumber != nil }
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = FieldLines(input, most: 7)
    var details = RequestDetails([.sizes, .times, .operations, .ttls], wanted: builder.wanted)
    let words = TraceOperation.words
    builder.expectUnknownSizes()
    while !builder.isFull, try lines.next() {
      try lines.split(wide: 1)
      let key = try lines.key(1)
      if details.has(.sizes) {
        let (key, value) = (try lines.size(2), try lines.size(3))
        let isGet = try lines.operation(5, of: words) == .get
        details.size = value == 0 && isGet ? Trace.unknownSize : key + value
      }
      if details.has(.times) { details.time = try lines.time(0, unit: .second) }
      if details.has(.operations) { details.operation = try lines.operation(5, of: words) }
      if details.has(.ttls) { details.ttl = try lines.timeToLive(6, unit: .second) }
      try builder.append(text: key, details)
    }
  }
}
