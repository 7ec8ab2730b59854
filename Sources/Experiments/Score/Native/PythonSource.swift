import Parameters
import Traces

/// A class in Python, and the interpreter that runs it by the package `evictionlab`.
package struct PythonSource: Sendable {
  /// The file of the class.
  private let file: String
  /// The interpreter, the folder and the library of the package, and what else must be read.
  private let places: [String]

  /// Finds the interpreter and the package.
  ///
  /// - Throws: `missing` where there is no file; `usage` where there is no interpreter, or no package.
  package init(_ path: String) throws(TraceError) {
    if access(path, R_OK) != 0 { throw .missing(file: path) }
    let full = realpath(path, nil)
    defer { free(full) }
    file = full.map { String(cString: $0) } ?? path
    let output = try ChildPipe()
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    if !ChildProcess.isInstalled("python3") {
      throw .usage(
        problem: "\(path): there is no python3", remedy: "install Python 3.9 or later")
    }
    let child = try ChildProcess(
      ["python3", "-B", "-c", "from evictionlab import _judged; _judged.show_places()"],
      passing: [(null, 0), (output.writing, 1), (null, 2)])
    output.closeWriting()
    let lines = output.text().split(separator: "\n").map(String.init)
    guard child.wait() == .exited(0), lines.count > 3 else {
      throw .usage(
        problem: "\(path): python3 finds no package evictionlab that judges",
        remedy: "install the wheel that make wheel builds, for the python3 of the PATH")
    }
    places = lines
  }

  /// A source of ``words``.
  init?(words: String) {
    let all = words.split(separator: "\n").map(String.init)
    if all.count < 5 { return nil }
    file = all[0]
    places = Array(all.dropFirst())
  }

  /// All of it as one word of a command line.
  var words: String { ([file] + places).joined(separator: "\n") }

  /// The interpreter, and what it begins with.
  var command: [String] {
    [
      places[0], "-I", "-B", "-c",
      "import os, sys; os.environ['EVICTIONLAB_LIBRARY'] = sys.argv[2]; sys.path.insert(0, sys.argv[1]); "
        + "from evictionlab import _judged; _judged.main(sys.argv[3:])", places[1], places[2], file,
    ]
  }

  /// The files and folders that it reads.
  var readable: [String] { [file] + places }
}
