import Experiments
import Foundation
import Parameters
import Prefixes
import Traces

/// The traces of prompts in the folders of a command line.
enum PromptTraces {
  /// The most requests of a file that are read to see whether there are prompts.
  private static let few = 100

  /// The traces of a command line, in the place of each folder those in it and in the folders inside it that have prompts.
  ///
  /// Sessions of Weka that lie in one folder are one trace. Files without prompts are counted in a note.
  ///
  /// - Throws: ``SuiteError/noPrompts(folder:)``; `TraceError` for a file that cannot be read.
  static func files(of inputs: [String], format: String?, expansion: Int) throws -> [String] {
    var traces: [String] = []
    var others = 0
    for input in inputs {
      guard isFolder(input) else {
        traces.append(input)
        continue
      }
      var found: [(path: String, format: String)] = []
      for path in try TraceFolder.files(in: input) {
        if let known = try promptFormat(of: path, given: format, expansion: expansion) {
          found.append((path, known))
        } else {
          others += 1
        }
      }
      if found.isEmpty { throw SuiteError.noPrompts(folder: input) }
      traces += found.grouped { file in
        file.format == "weka" ? folder(of: file.path) : file.path
      }.map { group in
        let paths = group.map(\.path)
        return FilePattern.pattern(for: paths) ?? paths.joined(separator: "+")
      }
    }
    if others > 0 {
      let text =
        others == 1 ? "1 file has no prompts and is" : "\(others) files have no prompts and are"
      StandardError.say("\(text) not run")
    }
    return traces
  }

  private static func folder(of path: String) -> String {
    URL(filePath: path).deletingLastPathComponent().path
  }

  /// The format of a file that has prompts; nil for any other file.
  private static func promptFormat(
    of path: String, given: String?, expansion: Int
  ) throws -> String? {
    do throws(TraceError) {
      let trace = try TraceLoader.load(
        path: path, format: given, columns: PrefixExperiment.columns, limit: few,
        expansion: expansion)
      return PromptForest(trace) == nil ? nil : trace.format
    } catch {
      switch error {
      case .unrecognised, .noRequests, .malformed(_, _, TraceFormats.listOfChunks, _),
        .malformed(_, _, TraceFormats.columnsOfPrompts, _):
        return nil
      case .malformed, .truncated:
        StandardError.say("not run: \(error)")
        return nil
      default: throw error
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
