import Experiments
import Foundation
import Results
import Runner
import Traces

/// A frozen list of traces, and the capacities at which policies are ranked on them.
///
///     print(try TraceList.bundled().entries.map(\.name))
package struct TraceList: Sendable {
  /// The schema that a list names.
  package static let schema = "evictionlab.suite/1"

  /// A trace of the list.
  package struct Entry: Sendable, Equatable {
    /// The file's name.
    package let name: String
    /// The kind of cache; nil where it is not known.
    package let group: TraceGroup?
    /// The name of those who recorded it, or of the folder that it is in; nil where it is not known.
    package let collection: String?
    /// The file of a trace that was found in a folder; nil of one that is looked for by its name.
    package let path: String?
    /// True for a trace that no use of a cache was recorded for.
    package let isGenerated: Bool
    /// True for a trace that comes with this project.
    package let isBundled: Bool
    /// The SHA-256 of the file, in hexadecimal with lower-case letters.
    package let sha256: String
  }

  /// The traces, in the list's order.
  package let entries: [Entry]
  /// The capacities: fractions of a trace's distinct keys.
  package let capacities: [Capacity]
  /// The SHA-256 of the list.
  package let sha256: String

  /// The list that comes with this package.
  package static func bundled() throws -> TraceList {
    try TraceList(reading: PackageResources.suite_json, file: "suite.json")
  }

  /// Reads a list.
  ///
  /// - Throws: `ResultSetError` where the document is not such a list; `PlanError` for a name that stands twice.
  package init(reading bytes: [UInt8], file: String) throws {
    let document = try JSONNode(reading: bytes, schema: TraceList.schema, file: file)
    let entries = try document["traces"].elements().map { object throws(ResultSetError) in
      let entry = Entry(
        name: try object.value("name"), group: try object.value("group"),
        collection: try object.value("collection"), path: nil,
        isGenerated: try object.value("generated") ?? false,
        isBundled: try object.value("bundled") ?? false,
        sha256: try (object.value("sha256") as String).lowercased())
      if entry.name.isEmpty || entry.name.hasPrefix(".") || entry.name.contains("/") {
        throw object["name"].wrong("a file's name")
      }
      if entry.sha256.count != 64 || !entry.sha256.allSatisfy(\.isHexDigit) {
        throw object["sha256"].wrong("64 hexadecimal digits")
      }
      return entry
    }
    try ExperimentPlan.checkNames(entries.map(\.name))
    self.entries = entries
    let texts: [String] = try document.value("capacities")
    capacities = try Capacity.list(parsing: texts.joined(separator: ","))
    if capacities.contains(where: { !$0.isFraction }) {
      throw document["capacities"].wrong("a list of fractions such as 1%")
    }
    var digest = SHA256()
    bytes.withUnsafeBytes { digest.update($0) }
    sha256 = digest.hexadecimal()
  }
}

extension TraceList {
  /// The traces in some folders and in those inside them, at the capacities of the list that comes with this package:
  /// each of the folders is a collection.
  ///
  /// Hidden files, checksums and texts about the traces are passed over; so is what is no trace.
  ///
  /// - Parameters:
  ///   - folders: The folders.
  ///   - passed: Called with the path of each file that is no trace, and the reason.
  /// - Throws: ``SuiteError/noTraces(folder:)``; `TraceError` for a file that cannot be read.
  package static func traces(
    in folders: [String], passed: (String, TraceError) -> Void
  ) throws -> TraceList {
    var files: [(path: String, collection: String)] = []
    for (folder, name) in zip(folders, TraceLoader.names(ofTraces: folders)) {
      let found = try TraceFolder.files(in: folder).filter { path in
        do throws(TraceError) { try TraceLoader.recognise(file: path) } catch {
          guard case .unrecognised = error else { throw error }
          passed(path, error)
          return false
        }
        return true
      }
      if found.isEmpty { throw SuiteError.noTraces(folder: folder) }
      files += found.map { ($0, name) }
    }
    let names = TraceLoader.names(ofTraces: files.map(\.path))
    var digest = SHA256()
    let entries = try zip(files, names).map { file, name in
      let sum = try TraceLoader.sha256(ofFile: file.path)
      Array("\(sum)  \(name)\n".utf8).withUnsafeBytes { digest.update($0) }
      return Entry(
        name: name, group: nil, collection: file.collection, path: file.path, isGenerated: false,
        isBundled: false, sha256: sum)
    }
    try ExperimentPlan.checkNames(names)
    return TraceList(
      entries: entries, capacities: try bundled().capacities, sha256: digest.hexadecimal())
  }

  private init(entries: [Entry], capacities: [Capacity], sha256: String) {
    self.entries = entries
    self.capacities = capacities
    self.sha256 = sha256
  }
}

/// A folder of traces.
enum TraceFolder {
  /// The files in a folder and in those inside it, in the order of their paths.
  static func files(in folder: String) throws -> [String] {
    let real = URL(filePath: folder).resolvingSymlinksInPath().path
    guard let names = FileManager.default.enumerator(atPath: real), !isFile(real) else {
      throw SuiteError.noTraces(folder: folder)
    }
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    return names.compactMap { $0 as? String }.filter(isTraceName).map { start + $0 }
      .filter(isFile).sorted()
  }

  /// True for a file, also behind a link; a pipe would wait for its writer.
  private static func isFile(_ path: String) -> Bool {
    let real = URL(filePath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: real)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  /// False for hidden files, and for texts about traces.
  private static func isTraceName(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let name = parts.last?.lowercased(), !parts.contains(where: { $0.hasPrefix(".") }) else {
      return false
    }
    let stem = name.prefix { $0 != "." }
    let isText =
      ["readme", "license", "copying"].contains(stem)
      || [".md", ".html", ".pdf", ".sha256"].contains { name.hasSuffix($0) }
      || stem == name && name.hasSuffix("sums")
    return !isText
  }
}

/// The files of a list, as far as they are there.
package struct FoundTraces: Sendable {
  /// A trace whose file is there.
  package struct Found: Sendable {
    package let entry: TraceList.Entry
    package let path: String
  }

  /// The traces whose files are there, in the list's order.
  package let found: [Found]
  /// The public traces that are not there.
  package let missing: [TraceList.Entry]

  /// Looks for the files of a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - folders: Folders in which a file is looked for before the usual ones.
  /// - Throws: ``SuiteError/noBundled(name:)`` for a trace that comes with this project and is not there, and
  ///   ``SuiteError/nothing`` where no trace is.
  package init(_ list: TraceList, folders: [String]) throws(SuiteError) {
    let search = TraceSearch(folders: folders)
    var found: [Found] = []
    var missing: [TraceList.Entry] = []
    for entry in list.entries {
      if let path = entry.path ?? search.path(of: entry.name) {
        found.append(Found(entry: entry, path: path))
      } else if entry.isBundled {
        throw .noBundled(name: entry.name)
      } else {
        missing.append(entry)
      }
    }
    if found.isEmpty { throw .nothing }
    self.found = found
    self.missing = missing
  }

  /// Refuses files that are not those of the list.
  ///
  /// - Parameter places: The places of the traces that are looked at.
  /// - Throws: ``SuiteError/changed(path:bundled:expected:found:)``; `TraceError` for a file that cannot be read.
  package func check(_ places: Range<Int>) throws {
    for trace in found[places] where trace.entry.path == nil {
      let sum = try TraceLoader.sha256(ofFile: trace.path)
      if sum != trace.entry.sha256 {
        throw SuiteError.changed(
          path: trace.path, bundled: trace.entry.isBundled, expected: trace.entry.sha256, found: sum
        )
      }
    }
  }
}

/// The reason why a suite cannot be run.
package enum SuiteError: Error, Equatable {
  /// A trace that comes with this project is not there.
  case noBundled(name: String)
  /// No trace of the list is there.
  case nothing
  /// A folder has no trace.
  case noTraces(folder: String)
  /// A folder has no trace of prompts.
  case noPrompts(folder: String)
  /// A file is not the one of the list.
  case changed(path: String, bundled: Bool, expected: String, found: String)
}

extension SuiteError: CustomStringConvertible {
  /// The error in one line: what, where, what to do.
  package var description: String {
    switch self {
    case .noBundled(let name):
      "\(name) comes with this project and is not there; run this where its folder traces is, or give "
        + "--folder"
    case .nothing: "no trace of the list is there; give --folder, or fetch some (evict trace fetch)"
    case .noTraces(let folder):
      "\(folder) is no folder with traces in it; give one, or leave it out for the tool's own list"
    case .noPrompts(let folder):
      "\(folder) has no trace of prompts in it; give one that has (evict formats: mooncake, weka and others), "
        + "or make some (evict trace generate prompt-mix)"
    case .changed(let path, let bundled, let expected, let found):
      "\(path): its SHA-256 is \(found), not \(expected) as the list says; "
        + (bundled
          ? "restore it (git checkout)" : "remove it and fetch it again (evict trace fetch)")
    }
  }
}
