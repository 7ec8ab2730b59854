import ArgumentParser
import Foundation
import Parameters
import Results
import Synchronization
import Traces

/// The traces, and how they are read.
struct TraceOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Trace files; a+b joins two, - is standard input.",
      valueName: "trace"))
  var traces: [String]

  @Option(
    help: ArgumentHelp(
      "Format (evict formats); by default detected.",
      valueName: "name"))
  var traceFormat: String?

  @Option(help: ArgumentHelp("Read only the first requests of each trace.", valueName: "n"))
  var limit: Count?

  @Option(
    help: ArgumentHelp(
      """
      Refuse a file of more unpacked bytes, or requests, for each of its bytes than n; 1 GiB and \
      16 777 216 requests are never refused.
      """, valueName: "n", visibility: .detail))
  var expansion = Count(ExpansionLimit.usualRatio)

  init() {}

  /// Traces of these files, in formats that are detected.
  init(paths: [String], limit: Count?) {
    traces = paths
    traceFormat = nil
    self.limit = limit
    expansion = Count(ExpansionLimit.usualRatio)
  }

  func validate() throws {
    MemoryOptions.limit.note()
    if limit?.value == 0 { throw ValidationError("--limit 0 reads nothing; give 1 or more") }
    if expansion.value < 1 {
      throw ValidationError("--expansion \(expansion) refuses every file; give 1 or more")
    }
  }

  /// A trace, and its summary in results.
  struct Loaded {
    let trace: Trace
    let summary: TraceSummary
  }

  /// The files of all traces.
  var files: [String] { traces.flatMap(TraceLoader.files) }

  /// The names of the traces.
  var names: [String] { TraceLoader.names(ofTraces: traces) }

  /// Reads the traces, one after the other.
  ///
  /// - Parameters:
  ///   - places: The positions of those to read; nil for all.
  ///   - columns: The columns to read.
  ///   - needsChecksums: Computes the files' checksums beside.
  func load(
    _ places: Range<Int>? = nil, columns: TraceColumns, needsChecksums: Bool
  ) throws(TraceError) -> [Loaded] {
    var loaded: [Loaded] = []
    for place in places ?? traces.indices {
      loaded.append(try load(place, columns: columns, needsChecksum: needsChecksums))
    }
    return loaded
  }

  /// Reads all traces as one, in their order.
  ///
  /// - Parameter first: The most requests to read, if fewer than the limit.
  func loadJoined(columns: TraceColumns, first: Int? = nil) throws(TraceError) -> Trace {
    let most = [first, limit?.value].compactMap(\.self).min()
    return try load(
      files, shown: traces.joined(separator: "+"), columns: columns,
      limit: most)
  }

  /// Reads one of the traces; nil if the work was stopped meanwhile.
  func load(
    _ place: Int, columns: TraceColumns, needsChecksum: Bool, bytesPerRequest: Int = 0,
    cancellation: Cancellation
  ) throws(TraceError) -> Loaded? {
    if cancellation.isCancelled { return nil }
    do {
      return try load(
        place, columns: columns, needsChecksum: needsChecksum, bytesPerRequest: bytesPerRequest)
    } catch {
      if error.kind == .cancelled { return nil }
      throw error
    }
  }

  /// Reads one of the traces.
  ///
  /// - Parameter bytesPerRequest: The bytes that a run takes for each request beside the trace.
  func load(
    _ place: Int, columns: TraceColumns, needsChecksum: Bool, bytesPerRequest: Int = 0
  ) throws(TraceError) -> Loaded {
    let files = TraceLoader.files(ofTrace: traces[place])
    let isRead = needsChecksum && files.allSatisfy(TraceOptions.isRegularFile)
    let checksum = isRead ? Checksum(of: files) : nil
    let trace = try load(
      files, name: names[place], shown: traces[place], columns: columns.union(.groups),
      limit: limit?.value, bytesPerRequest: bytesPerRequest)
    let summary = TraceSummary(
      name: trace.name, format: trace.format, formatReason: trace.formatReason,
      requests: trace.requests, distinct: trace.distinct,
      hasGroups: trace.hasChains, sha256: checksum?.wait())
    return Loaded(trace: trace, summary: summary)
  }

  /// Says which of these traces have times to live, in a run that does not look at them.
  func noteTimesToLive(_ places: Range<Int>) {
    let names = places.filter(hasTimesToLive).map { self.names[$0] }
    if names.isEmpty { return }
    StandardError.say(
      "times to live in \(names.joined(separator: ", ")) are not looked at: nothing expires without --expire"
    )
  }

  /// Returns true if one of the first requests of a trace has a time to live; false where that cannot be looked up.
  private func hasTimesToLive(_ place: Int) -> Bool {
    let files = TraceLoader.files(ofTrace: traces[place])
    guard let first = files.first, TraceOptions.isRegularFile(first) else { return false }
    let few = 1_000
    let blocks = try? TraceLoader.blocks(
      path: first, name: names[place], format: traceFormat, columns: .ttls, hasHashes: false,
      limit: few, expansion: expansion.value, blockRequests: few, cancellation: Cancellation())
    guard let block = try? blocks?.next(), let ttls = block.ttls else { return false }
    return UnsafeBufferPointer(start: ttls, count: block.count).contains { $0 > 0 }
  }

  private func load(
    _ files: [String], name: String? = nil, shown: String, columns: TraceColumns, limit: Int?,
    bytesPerRequest: Int = 0
  ) throws(TraceError) -> Trace {
    let line = ProgressLine()
    defer { line.clear() }
    var memory = MemoryCheck(trace: shown, bytesPerRequest: bytesPerRequest)
    var shortage: TraceError?
    do throws(TraceError) {
      let trace = try TraceLoader.load(
        paths: files, name: name, format: traceFormat, columns: columns, limit: limit,
        expansion: expansion.value
      ) { progress in
        let ofBytes = progress.totalBytes.map { Double(progress.bytes) / Double(max(1, $0)) }
        let ofLimit = limit.map { Double(progress.requests) / Double(max(1, $0)) }
        let fraction = [ofBytes, ofLimit].compactMap(\.self).max()
        line.show("reading \(shown)", requests: progress.requests, fraction: fraction)
        do throws(TraceError) {
          try memory.check(progress, fraction: fraction)
        } catch {
          shortage = error
        }
        return shortage == nil && !Interruption.cancellation.isCancelled
      }
      line.clear()
      if !trace.loss.isNone { StandardError.say("\(shown) is not whole: \(trace.loss)") }
      return trace
    } catch { throw shortage ?? error }
  }

  /// Only a regular file can be read a second time.
  static func isRegularFile(_ path: String) -> Bool { bytes(of: path) != nil }

  /// The size of a regular file; nil for anything else.
  static func bytes(of path: String) -> Int? {
    var status = stat()
    guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }

  /// The traces as a plan lists them: with the sizes of their files where all are known, and no limit makes the
  /// traces alike.
  var planned: [PlanRecord.Trace] {
    let sizes = traces.map { trace in
      TraceLoader.files(ofTrace: trace).reduce(0) { size, file -> Int? in
        size.flatMap { size in TraceOptions.bytes(of: file).map { size + $0 } }
      }
    }
    let areKnown = limit == nil && !sizes.contains(nil)
    return zip(names, sizes).map { PlanRecord.Trace(name: $0, bytes: areKnown ? $1 : nil) }
  }
}

/// The checksums of a trace's files with `+` between them, computed while the files are read.
final class Checksum: Sendable {
  private let result = Mutex<String?>(nil)
  private let group = DispatchGroup()

  init(of files: [String]) {
    group.enter()
    WorkThread.start { [self] in
      let sums = files.compactMap { try? TraceLoader.sha256(ofFile: $0) }
      let sum = sums.count == files.count ? sums.joined(separator: "+") : nil
      result.withLock { $0 = sum }
      group.leave()
    }
  }

  func wait() -> String? {
    group.wait()
    return result.withLock { $0 }
  }
}
