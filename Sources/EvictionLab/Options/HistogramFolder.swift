import Experiments
import Foundation
import Results
import Runner
import Traces

/// A folder of `.hgrm` files, one for each cell and what was timed there.
struct HistogramFolder {
  let path: String

  /// Refuses a folder that could not be made or written to, before the work is done in vain.
  init(path: String, inputs: [String]) throws(TraceError) {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    var status = stat()
    let exists = stat(path, &status) == 0
    let isFolder = exists && status.st_mode & S_IFMT == S_IFDIR
    if exists && !isFolder {
      throw .io(file: path, action: "make a folder", byte: 0, code: EEXIST)
    }
    try OutputFile.check(isFolder ? "\(path)/.hgrm" : path, .report)
    // The names are those of cells, which are not known yet: none of the folder's may be another's.
    for file in isFolder ? (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] : []
    where file.hasSuffix(".hgrm") {
      try OutputFile.check(
        "\(path)/\(file)", .report, inputs: inputs, remedy: "give another --histograms")
    }
    self.path = path
  }

  /// Makes the folder, unless there is one.
  private func make() throws(TraceError) {
    if mkdir(path, 0o777) != 0 && errno != EEXIST {
      throw .io(file: path, action: "make a folder", byte: 0, code: errno)
    }
  }

  /// Writes a cell's histograms.
  func write(
    _ histograms: ReplayExperiment.Histograms, of cell: CellKey
  ) throws(TraceError) {
    try make()
    let cell = HistogramFolder.name(of: cell)
    for (name, histogram) in histograms {
      try WholeFile.write(
        histogram.percentileDistribution, to: "\(path)/\(cell)-\(name).hgrm")
    }
  }

  /// The name of a cell in a file's name: `web.csv-lru_at_1000-2_threads-mutex`.
  static func name(of cell: CellKey) -> String {
    let label = cell.label.replacing(", ", with: "-").replacing(" ", with: "_")
    return "\(cell.trace)-\(label)".replacing("/", with: "_")
  }
}
