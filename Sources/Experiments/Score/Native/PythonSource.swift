import Parameters
import Traces

/// A class in Python, and the interpreter that runs it by the package `evictionlab`.
package struct PythonSource: Sendable {
  /// The file of the class.
  private let file: String
  /// The interpreter, the folder and the library of the package, and what else must be read.
  private let places: [String]

  /// The number of ``words``.
  static let wordCount = 6

  /// Finds the interpreter and the package: neither in the working folder nor beside the file.
  ///
  /// - Throws: `missing` where there is no file; `usage` where there is no interpreter, or no package.
  package init(_ path: String) throws(TraceError) {
    try NativeContender.checkFile(path)
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
    // Isolated, it also passes over what `pip install --user` has installed.
    let child = try ChildProcess(
      [
        "python3", "-I", "-B", "-c",
        "import site, sys; sys.path.append(site.getusersitepackages()); "
          + "from evictionlab import _judged; _judged.show_places()",
      ],
      passing: [(null, 0), (output.writing, 1), (null, 2)])
    output.closeWriting()
    places = output.text().split(separator: "\0").map(String.init)
    guard child.wait() == .exited(0), places.count == Self.wordCount - 1 else {
      throw .usage(
        problem: "\(path): python3 finds no package evictionlab that judges",
        remedy: "install the wheel that make wheel builds, for the python3 of the PATH")
    }
  }

  /// A source of ``words``; nil for another number of them.
  init?(words: some Collection<String>) {
    guard words.count == Self.wordCount, let file = words.first else { return nil }
    self.file = file
    places = Array(words.dropFirst())
  }

  /// All of it as words of a command line.
  var words: [String] { [file] + places }

  /// The interpreter, and what it begins with.
  ///
  /// - Parameter filter: The system calls that it gives up once it has started, in hexadecimal digits; empty for none.
  func command(filter: String) -> [String] {
    [
      places[0], "-I", "-B", "-c",
      "import os, sys; os.environ['EVICTIONLAB_LIBRARY'] = sys.argv[2]; sys.path.append(sys.argv[1]); "
        + "from evictionlab import _judged; _judged.main(sys.argv[3:])", places[1], places[2],
      filter, file,
    ]
  }

  /// The files and folders that it reads.
  var readable: [String] { words }
}
