import Rendering
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

  /// A large collection of traces in oracleGeneral, of which samples are fetched.
  package struct Collection: Sendable, Equatable {
    /// Its name here.
    package let name: String
    /// The kind of cache.
    package let group: TraceGroup
    /// The address of its folder, which ends in a slash.
    package let url: String
    /// The path of one of its traces in the folder.
    package let example: String
    /// The citation that its use asks for.
    package let citation: String
  }

  /// A trace of a collection.
  package struct CollectedTrace: Sendable, Equatable {
    /// Its name: `cloudphysics/w01.oracleGeneral.bin.zst`.
    package let name: String
    /// The address.
    package let url: String

    /// The name of a sample's file: `cloudphysics-w01.rate0.01.oracleGeneral.zst`.
    func fileName(rate: Double) -> String {
      let stem = name.range(of: ".oracleGeneral").map { name[..<$0.lowerBound] } ?? name[...]
      return "\(stem.replacing("/", with: "-")).rate\(rate).oracleGeneral.zst"
    }
  }

  /// The traces, in the document's order.
  package let traces: [Entry]
  /// The collections; a document may have none.
  package let collections: [Collection]

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
      if entry.name.isEmpty || entry.name.hasPrefix(".") || entry.name.contains("/")
        || entry.name != entry.name.printable
      {
        throw object["name"].wrong("a file's name")
      }
      if !entry.url.hasPrefix("https://"), !entry.url.hasPrefix("http://") {
        throw object["url"].wrong("an address of http or https")
      }
      if entry.bytes <= 0 { throw object["bytes"].wrong("a number above 0") }
      return entry
    }
    guard document["collections"].json != nil else {
      collections = []
      return
    }
    collections = try document["collections"].elements().map { object throws(ResultSetError) in
      let collection = Collection(
        name: try object.value("name"), group: try object.value("group"),
        url: try object.value("url"), example: try object.value("example"),
        citation: try object.value("citation"))
      if collection.name.isEmpty || collection.name.contains("/") {
        throw object["name"].wrong("a name")
      }
      let isAddress = collection.url.hasPrefix("https://") || collection.url.hasPrefix("http://")
      if !isAddress || !collection.url.hasSuffix("/") {
        throw object["url"].wrong("a folder's address, with a slash at its end")
      }
      return collection
    }
  }

  /// The trace of a collection, by the collection's name and the path in its folder.
  package func collected(_ name: String) throws(FetchError) -> CollectedTrace {
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let collection = collections.first(where: { $0.name == parts[0] }), parts.count == 2,
      !parts[1].isEmpty
    else {
      throw .unknown(name: name, known: collections.map { "\($0.name)/\($0.example)" })
    }
    return CollectedTrace(name: name, url: collection.url + parts[1])
  }

  /// The trace of that name.
  package func trace(named name: String) throws(FetchError) -> Entry {
    guard let entry = traces.first(where: { $0.name == name }) else {
      throw .unknown(name: name, known: traces.map(\.name))
    }
    return entry
  }
}
