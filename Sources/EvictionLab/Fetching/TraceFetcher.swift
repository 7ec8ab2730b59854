import Foundation
import Traces

/// Downloads public traces into a folder: each under its name once its checksum is right, and until then as
/// `NAME.part`, where the next attempt goes on.
///
///     let file = try TraceFetcher(folder: TraceSearch.fetchedFolder).fetch(entry)
package struct TraceFetcher: Sendable {
  /// The progress of a download: the bytes that are there, and how many of them this call brought. False stops
  /// it.
  package typealias Progress = @Sendable (_ bytes: Int, _ fetched: Int) -> Bool

  /// The outcome of a download.
  package struct Outcome: Sendable, Equatable {
    /// The file.
    package let path: String
    /// True where it was there already.
    package let wasThere: Bool
  }

  private let folder: String
  private let inputs: [String]

  /// Downloads into a folder, which is made if need be.
  ///
  /// - Parameter inputs: Files that are read, which no trace replaces: the manifest's.
  package init(folder: String, inputs: [String] = []) {
    self.folder = folder
    self.inputs = inputs
  }

  /// Downloads a trace, unless its file is there and right.
  ///
  /// A broken connection is taken up again as long as each attempt brings something.
  ///
  /// - Throws: ``FetchError``; `TraceError` of the files, such as `io` when the disk is full.
  package func fetch(
    _ entry: TraceManifest.Entry, progress: @escaping Progress = { _, _ in true }
  ) throws -> Outcome {
    try TraceFetcher.make(folder)
    let path = "\(folder)/\(entry.name)"
    if PartialFile.size(of: path) == entry.bytes,
      try TraceLoader.sha256(ofFile: path) == entry.sha256
    {
      return Outcome(path: path, wasThere: true)
    }
    try OutputFile.check(path, .trace, inputs: inputs, remedy: "give another --folder")
    let part = try PartialFile(path: NeighbouringFile.path(beside: path, suffix: ".part"))
    defer { part.finish() }
    if part.size > entry.bytes { try part.truncate() }
    let start = part.size
    while part.size < entry.bytes {
      let before = part.size
      do {
        try Download(entry.name, url: entry.url, bytes: entry.bytes, into: part) {
          progress($0, max(0, $0 - start))
        }.run()
      } catch let error as FetchError {
        if case .connection = error, part.size > before { continue }
        throw error
      }
      // A server that sends too little without saying so.
      if part.size <= before { break }
    }
    let found = try TraceLoader.sha256(ofFile: part.path)
    guard found == entry.sha256 else {
      part.remove()
      throw FetchError.wrongChecksum(
        name: entry.name, url: entry.url, expected: entry.sha256, found: found,
        resumed: start > 0)
    }
    try part.rename(to: path)
    return Outcome(path: path, wasThere: false)
  }

  /// Makes a folder.
  static func make(_ folder: String) throws(TraceError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .io(file: folder, action: "create", byte: 0, code: errno)
    }
  }
}
