import Foundation
import Traces

/// The folders in which a trace is looked for by its name.
struct TraceSearch {
  private let folders: [String]

  /// The folder of fetched traces: `evictionlab/traces` in the user's cache folder, which is that of `XDG_CACHE_HOME`,
  /// else `~/.cache`.
  static var fetchedFolder: String {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"].map { $0 + "/.cache" } ?? NSTemporaryDirectory()
    let named = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (named ?? home) + "/evictionlab/traces"
  }

  /// Looks in these folders first, then in `traces`, then where `EVICTIONLAB_TRACES` says, then where
  /// `evict trace fetch` puts them.
  init(folders: [String]) {
    let named = ProcessInfo.processInfo.environment["EVICTIONLAB_TRACES"]
    self.folders =
      folders + ["traces"] + (named.map { [$0] } ?? [])
      + [TraceSearch.fetchedFolder]
  }

  /// The folder that a file stands in; for standard input the current one.
  static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
  }

  /// The path of the trace, or of its files with `+` between them; nil if one is nowhere. A
  /// name that leads out of the folders is nowhere.
  func path(of trace: String) -> String? {
    if trace.isEmpty || trace.contains("/") { return nil }
    let whole = folders.map { "\($0)/\(trace)" }
    if let path = whole.first(where: FileManager.default.fileExists) { return path }
    if trace.contains("*"), let path = whole.first(where: { !FilePattern.files(of: $0).isEmpty }) {
      return path
    }
    let files = trace.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    if files.count == 1 { return nil }
    let paths = files.compactMap(path)
    return paths.count == files.count ? paths.joined(separator: "+") : nil
  }
}
