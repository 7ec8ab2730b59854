import ArgumentParser
import Foundation
import Laboratory
import Synchronization
import Traces

/// Which traces are read, and how.
struct TraceOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Trace files, packed or not; - reads standard input.", valueName: "trace"))
  var traces: [String]

  @Option(
    help: ArgumentHelp(
      "How the traces are stored, such as lis or csv:key=lbn; else detected. See evict formats.",
      valueName: "name"))
  var traceFormat: String?

  @Option(help: ArgumentHelp("Read only the first requests of each trace.", valueName: "n"))
  var limit: Count?

  /// A trace, and what the results say of it.
  struct Loaded {
    let trace: Trace
    let summary: TraceSummary
  }

  /// Reads the traces, one after the other.
  ///
  /// - Parameter needsChecksums: Whether the files' checksums are computed beside.
  func load(columns: TraceColumns, needsChecksums: Bool) throws(TraceError) -> [Loaded] {
    var loaded: [Loaded] = []
    for path in traces {
      loaded.append(try load(path, columns: columns, needsChecksum: needsChecksums))
    }
    return loaded
  }

  /// Reads one of the traces.
  func load(
    _ path: String, columns: TraceColumns, needsChecksum: Bool
  ) throws(TraceError) -> Loaded {
    let line = ProgressLine()
    defer { line.clear() }
    let checksum = needsChecksum && TraceOptions.isRegularFile(path) ? Checksum(of: path) : nil
    let start = ContinuousClock.now
    let trace = try TraceLoader.load(
      path: path, format: traceFormat, columns: columns, limit: limit?.value
    ) { progress in
      let seconds = (ContinuousClock.now - start).seconds
      let fraction = progress.totalBytes.map { Double(progress.bytes) / Double(max(1, $0)) }
      line.show(
        "reading \(path)", rate: Double(progress.requests) / seconds, fraction: fraction,
        secondsLeft: fraction.map { seconds * (1 - $0) / max($0, 1e-9) })
      return true
    }
    let summary = TraceSummary(
      name: trace.name, format: trace.format, requests: trace.requests, distinct: trace.distinct,
      sha256: checksum?.wait())
    return Loaded(trace: trace, summary: summary)
  }

  /// Only a regular file can be read a second time.
  private static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// A file's checksum, computed while the file is read.
private final class Checksum: Sendable {
  private let result = Mutex<String?>(nil)
  private let group = DispatchGroup()

  init(of path: String) {
    group.enter()
    Thread.detachNewThread { [self] in
      let sum = try? TraceLoader.sha256(ofFile: path)
      result.withLock { $0 = sum }
      group.leave()
    }
  }

  func wait() -> String? {
    group.wait()
    return result.withLock { $0 }
  }
}
