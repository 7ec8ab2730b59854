import Parameters

/// Wikimedia's caching data sets: requests to one cache of its content delivery network, in columns
/// with tabs between them.
///
///     relative_unix   hashed_path_query       image_type  response_size  time_firstbyte
///     0               5178239430911474190     jpeg        67925          0.000216
///
/// Three releases are read, told by their headers, or by the number of columns where there is none:
///
/// - 2019, upload (`cache-u`): the five columns above;
/// - 2019, text (`cache-t`): `relative_unix`, `hashed_host_path_query`, `response_size`,
///   `time_firstbyte`;
/// - 2016, upload: `hashed_host_path`, `uri_query`, `content_type`, `response_size`,
///   `time_firstbyte`, `x_cache`; it has no times, and a key is the hash, followed by a colon and the query where there is one.
///
/// Times are seconds from the start of the data. A size is the response's. Every request is a read.
/// LRB's `wiki2018.tr` is one of these converted: see ``WebCacheSimFormat``.
/// Source: wikitech.wikimedia.org, “Data Platform/Data Lake/Traffic/Caching”.
struct WikipediaFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "wikipedia",
    summary: "Wikimedia's CDN data sets of 2016 and 2019 (upload and text), told by their headers")

  /// The columns of a release.
  private struct Release {
    var key: Int
    var query: Int?
    var size: Int
    var time: Int?
    var columns: Int
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    release(sample.header(delimiter: 0x09)) == nil ? .no : .certain
  }

  private static func release(_ header: CSVHeader) -> Release? {
    guard let size = header.number(of: "response_size") else { return nil }
    if let key = header.number(of: "hashed_path_query", "hashed_host_path_query"),
      let time = header.number(of: "relative_unix")
    {
      return Release(key: key, size: size, time: time, columns: max(key, size, time) + 1)
    }
    guard let key = header.number(of: "hashed_host_path", "hashed_host_and_path"),
      let query = header.number(of: "uri_query")
    else { return nil }
    return Release(key: key, query: query, size: size, columns: max(key, query, size) + 1)
  }

  private static func release(ofColumns count: Int) -> Release? {
    switch count {
    case 4: Release(key: 1, size: 2, time: 0, columns: 3)
    case 5: Release(key: 1, size: 3, time: 0, columns: 4)
    case 6: Release(key: 0, query: 1, size: 3, columns: 4)
    default: nil
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let header = try input.sample().header(delimiter: 0x09)
    let named = Self.release(header)
    let counted = Self.release(ofColumns: header.names.count).flatMap { release in
      UInt64(header.names[release.size]) == nil ? nil : release
    }
    guard let release = named ?? counted else {
      throw input.malformed(
        line: 1, "\(header.names.count) columns and no known header",
        "releases have 4 to 6 columns with tabs between them")
    }
    var lines = FieldLines(input, delimiter: 0x09, most: release.columns)
    if named != nil { _ = try lines.next() }
    var details = RequestDetails(
      release.time == nil ? .sizes : [.sizes, .times], wanted: builder.wanted)
    var joined = KeyText()
    while !builder.isFull, try lines.next() {
      try lines.split()
      if details.has(.sizes) { details.size = try lines.size(release.size) }
      if let time = release.time, details.has(.times) {
        details.time = try lines.time(time, unit: .second)
      }
      var key = try lines.key(release.key)
      if let query = release.query, !lines[query].isEmpty {
        joined.clear()
        joined.append(key)
        joined.append(byte: UInt8(ascii: ":"))
        joined.append(lines[query])
        key = joined.bytes
      }
      try builder.append(text: key, details)
    }
  }
}
