import Results

/// The public traces that are known: where each lies, and what it is.
///
///     print(try TraceManifest.bundled().traces.map(\.name))
package struct TraceManifest: Sendable {
  /// The schema that a document names, `evictionlab.manifest/1`.
  package static let schema = "evictionlab.manifest/1"

  /// A public trace.
  package struct Entry: Sendable, Equatable {
    /// The file's name here.
    package let name: String
    /// Its format, as `--trace-format` takes it.
    package let format: String
    /// The address.
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
    /// The citation that its use asks for.
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
    let document = try JSONNode(reading: bytes, schema: TraceManifest.schema, file: file)
    traces = try document["traces"].elements().map { object throws(ResultSetError) in
      let entry = Entry(
        name: try object.value("name"), format: try object.value("format"),
        url: try object.value("url"), sha256: try (object.value("sha256") as String).lowercased(),
        bytes: try object.value("bytes"), requests: try object.value("requests"),
        distinct: try object.value("distinct"), licence: try object.value("licence"),
        citation: try object.value("citation"))
      if entry.name.isEmpty || entry.name.hasPrefix(".") || entry.name.contains("/") {
        throw object["name"].wrong("a file's name")
      }
      if !entry.url.hasPrefix("https://"), !entry.url.hasPrefix("http://") {
        throw object["url"].wrong("an address of http or https")
      }
      if entry.bytes <= 0 { throw object["bytes"].wrong("a number above 0") }
      return entry
    }
  }

  /// The trace of that name.
  package func trace(named name: String) throws(FetchError) -> Entry {
    guard let entry = traces.first(where: { $0.name == name }) else {
      throw .unknown(name: name, known: traces.map(\.name))
    }
    return entry
  }
}
