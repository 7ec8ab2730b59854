import Results

/// The package traces that are known: where each lies, and what it is.
///
///     print(try TraceManifest.bundled().traces.map(\.name))
package struct TraceManifest: Sendable {
  /// The schema that a document names, `evictionlab.manifest/1`.
  package static let schema = "evictionlab.manifest/1"

  /// A package trace.
  package struct Entry: Sendable, Equatable {
    /// The file's name here.
    package let name: String
    /// Its format, as `--trace-format` takes it.
    package let format: String
    /// Where it lies.
    package let url: String
    /// The SHA-256 of its bytes as they are downloaded, in hexadecimal with lower-case letters.
    package let sha256: String
    /// Those bytes.
    package let bytes: Int
    /// Requests.
    package let requests: Int
    /// Distinct keys.
    package let distinct: Int
    /// The terms under which it may be used.
    package let licence: String
    /// What to cite when it was.
    package let citation: String
  }

  /// The traces, in the document's order.
  package let traces: [Entry]

  /// The manifest that comes with this package.
  package static func bundled() throws(ResultSetError) -> TraceManifest {
    try TraceManifest(reading: PackageResources.manifest_json, file: "manifest.json")
  }

  /// Reads a manifest.
  ///
  /// - Throws: ``ResultSetError`` where the document is not one, or names a file that would lie elsewhere.
  package init(reading bytes: some Sequence<UInt8>, file: String) throws(ResultSetError) {
    let document = try JSONObject(reading: bytes, schema: TraceManifest.schema, file: file)
    var traces: [Entry] = []
    for object in try document.objects("traces") {
      let entry = Entry(
        name: try object.string("name"), format: try object.string("format"),
        url: try object.string("url"), sha256: try object.string("sha256").lowercased(),
        bytes: try object.integer("bytes"), requests: try object.integer("requests"),
        distinct: try object.integer("distinct"), licence: try object.string("licence"),
        citation: try object.string("citation"))
      if entry.name.isEmpty || entry.name.hasPrefix(".") || entry.name.contains("/") {
        throw object.wrong("name", "a file's name")
      }
      if !entry.url.hasPrefix("https://"), !entry.url.hasPrefix("http://") {
        throw object.wrong("url", "an address of http or https")
      }
      if entry.bytes <= 0 { throw object.wrong("bytes", "a number above 0") }
      traces.append(entry)
    }
    self.traces = traces
  }

  /// The trace of that name.
  package func trace(named name: String) throws(FetchError) -> Entry {
    guard let entry = traces.first(where: { $0.name == name }) else {
      throw .unknown(name: name, known: traces.map(\.name))
    }
    return entry
  }
}
