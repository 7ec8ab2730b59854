import Laboratory
import Traces

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder of `.hgrm` files, one for each cell and what was timed there.
struct HistogramFolder {
  let path: String

  /// Makes the folder, unless there is one.
  init(path: String) throws(TraceError) {
    if mkdir(path, 0o777) != 0 {
      let code = errno
      var status = stat()
      let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      if code != EEXIST || !isFolder {
        throw .io(file: path, action: "make a folder", byte: 0, code: code)
      }
    }
    try OutputFile.check("\(path)/.hgrm")
    self.path = path
  }

  /// Writes a cell's histograms.
  func write(
    _ measurement: Measurement, _ histograms: [(name: String, histogram: DurationHistogram)]
  ) throws(TraceError) {
    let cell = HistogramFolder.name(of: measurement)
    for (name, histogram) in histograms {
      try WholeFile.write(
        histogram.percentileDistribution, to: "\(path)/\(cell)-\(name).hgrm")
    }
  }

  /// What tells a cell from the others, in a file's name: `web.csv-lru_at_1000-2_threads-mutex`.
  static func name(of measurement: Measurement) -> String {
    let cell = CellIdentity(measurement).label.replacing(", ", with: "-").replacing(" ", with: "_")
    return "\(measurement.trace)-\(cell)".replacing("/", with: "_")
  }
}
