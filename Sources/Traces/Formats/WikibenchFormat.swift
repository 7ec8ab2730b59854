import Parameters

/// The WikiBench traces of requests to Wikipedia's sites in 2007.
///
///     929840891 1190146243.303 http://en.wikipedia.org/wiki/Main_Page -
///
/// The columns are a counter, the time in seconds since 1970, the URL and whether the request changed
/// the database (`save`) or not (`-`): the first is a set, the second a get. A key is the whole URL.
/// There are no sizes. Caffeine reads the gets only, leaves out searches, user, talk and special pages,
/// and takes the path for the key.
///
/// Source: wikibench.eu; Urdaneta, Pierre and van Steen, Computer Networks 2009.
struct WikibenchFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "wikibench", summary: "WikiBench's traces of Wikipedia in 2007: counter time URL flag")

  private static let flags = Words<TraceOperation>([(.get, "-"), (.set, "save")])

  static func recognition(of sample: TraceSample) -> Recognition {
    let splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: 4)
    let fields = splitter.fields
    return sample.recognised(as: .likely) { line in
      splitter.split(line) == 4 && fields[0].wholeNumber != nil && flags[fields[3]] != nil
        && fields[1].duration(unit: .second) != nil && fields[2].starts(with: "http".utf8)
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = FieldLines(input, delimiter: UInt8(ascii: " "), most: 4)
    var details = RequestDetails([.times, .operations], wanted: builder.wanted)
    let flags = Self.flags
    while !builder.isFull, try lines.next() {
      try lines.split()
      if details.has(.times) { details.time = try lines.time(1, unit: .second) }
      if details.has(.operations) { details.operation = try lines.operation(3, of: flags) }
      try builder.append(text: lines.key(2), details)
    }
  }
}
