import ArgumentParser
import Foundation
import Parameters
import Results
import Runner
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

  /// A trace that is read.
  struct Loaded {
    /// The trace; the outline of one that is read block by block.
    let trace: Trace
    fileprivate(set) var checksum: Checksum?
    /// The trace that is read block by block; nil for one in memory.
    fileprivate(set) var stream: StreamedTrace?
    /// The parts that a trace lacks that is read block by block, once it was read.
    fileprivate(set) var losses = FoundLosses()
    /// The gets of a trace in memory; nil without operations.
    fileprivate(set) var gets: FirstGets?

    /// The trace in results, as far as it is known before it is run.
    var summary: TraceSummary { summary(read: ReadRequests()) }

    /// The trace in results.
    ///
    /// - Parameters:
    ///   - read: The requests of a stream of which nothing is known before its end.
    ///   - hasChecksum: False where there is no time to read the file of a stream to its end.
    func summary(read: ReadRequests, hasChecksum: Bool = true) -> TraceSummary {
      let isInMemory = stream == nil
      var summary = TraceSummary(
        name: trace.name, format: trace.format, formatReason: trace.formatReason,
        requests: isInMemory ? trace.requests : stream?.requests ?? read.requests,
        distinct: isInMemory ? trace.distinct : stream?.distinct ?? read.distinct,
        hasGroups: trace.hasChains,
        incomplete: (isInMemory ? trace.loss : losses.first).flatMap {
          $0.isNone ? nil : $0.summary
        },
        sha256: hasChecksum || isInMemory ? checksum?.wait() : nil)
      // Of a pass that was stopped they are not those of the trace.
      let counted = isInMemory ? gets : read.requests == summary.requests ? read.gets : nil
      if trace.operations != nil && counted?.gets != summary.requests {
        summary.hasOperations = true
        summary.gets = counted?.gets
        summary.firstGets = counted?.misses
      }
      return summary
    }
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
    let checksum = needsChecksum ? Checksum(ofRegular: files) : nil
    let trace = try load(
      files, name: names[place], shown: traces[place], columns: columns.union(.groups),
      limit: limit?.value, bytesPerRequest: bytesPerRequest)
    _ = checksum?.wait()
    return Loaded(trace: trace, checksum: checksum, gets: trace.firstGets)
  }

  /// Learns what there is to know beforehand of a trace that is read block by block; nil if the work was stopped
  /// meanwhile.
  ///
  /// Standard input is read once, for all cells; a file once to count its requests and keys, unless it tells them.
  func stream(
    _ place: Int, for request: ExperimentRequest, needsChecksum: Bool
  ) throws -> Loaded? {
    let (path, name, limit) = (traces[place], names[place], limit?.value)
    let (format, columns, expansion) = (traceFormat, request.columns, expansion.value)
    let hasHashes = request.policies.contains { $0.needs.contains(.keyHash) }
    let losses = FoundLosses()
    @Sendable func blocks(
      _ progress: TraceProgress.Callback? = nil
    ) throws(TraceError) -> TraceBlocks {
      try TraceLoader.blocks(
        path: path, name: name, format: format, columns: columns, hasHashes: hasHashes,
        limit: limit, expansion: expansion, cancellation: Interruption.cancellation,
        progress: progress
      ) { loss in
        if losses.isFirst(loss) { loss.say(of: path) }
      }
    }
    let read: StreamedTrace.Reading = { () throws(TraceError) in try blocks() }
    let fractions = request.capacities.contains(where: \.isFraction)
    if !TraceOptions.isRegularFile(path) {
      if path != "-" && access(path, F_OK) != 0 { throw TraceError.missing(file: path) }
      if fractions { throw PlanError.unknownKeys(trace: name) }
      // From the first request of a pipe on there is something to write.
      Interruption.keepWork()
      return try StreamedTrace(blocks(), name: name).map {
        Loaded(trace: $0.outline, stream: $0, losses: losses)
      }
    }
    let checksum = needsChecksum ? Checksum(ofRegular: [path]) : nil
    func loaded(_ stream: StreamedTrace) -> Loaded {
      Loaded(trace: stream.outline, checksum: checksum, stream: stream, losses: losses)
    }
    // No file tells the bytes of its keys.
    if !(request.settings.isSized && fractions),
      let stream = StreamedTrace(
        toldBy: path, name: name, format: format, columns: columns, read: read),
      let requests = stream.requests, limit.map({ $0 >= requests }) ?? true
    {
      return loaded(stream)
    }
    let line = ProgressLine()
    defer { line.clear() }
    let counting = try blocks { progress in
      line.show("counting \(path)", progress, limit: limit)
      return true
    }
    return try StreamedTrace(
      counting: counting, of: path, name: name, cancellation: Interruption.cancellation, read: read
    ).map(loaded)
  }

  /// Says which of these traces have times to live, in a run that does not look at them.
  func noteTimesToLive(_ places: Range<Int>) {
    let names = places.filter { place in
      begins(place, with: .ttls) { block in
        UnsafeBufferPointer(start: block.ttls, count: block.ttls == nil ? 0 : block.count)
          .contains { $0 > 0 }
      }
    }.map { self.names[$0] }
    if names.isEmpty { return }
    StandardError.say(
      "times to live in \(names.joined(separator: ", ")) are not looked at: nothing expires without --expire"
    )
  }

  /// Says which of these traces have objects of different sizes, in a run that counts objects.
  func noteSizes(_ places: Range<Int>) {
    let names = places.filter { place in
      begins(place, with: .sizes) { block in
        let sizes = UnsafeBufferPointer(
          start: block.sizes, count: block.sizes == nil ? 0 : block.count)
        let known = sizes.lazy.filter { $0 != Trace.unknownSize }
        return known.first.map { first in known.contains { $0 != first } } ?? false
      }
    }.map { self.names[$0] }
    if names.isEmpty { return }
    StandardError.say(
      "capacities count objects, although those of \(names.joined(separator: ", ")) have sizes; "
        + "--sized counts bytes")
  }

  /// Says in which of these traces a key's size changes, in a run that counts bytes.
  static func noteChangingSizes(_ traces: [Trace]) {
    for trace in traces {
      guard let ratio = trace.sizeChangeRatio, ratio > 0 else { continue }
      StandardError.say(
        "\(trace.name): \(String(format: "%.2g", ratio * 100)) % of the requests whose key came before "
          + "tell another size of it; a hit keeps the size, with resize=true it brings one")
    }
  }

  /// Returns true if the first requests of a trace are such; false where that cannot be looked up.
  private func begins(
    _ place: Int, with columns: TraceColumns, _ areSuch: (TraceBlock) -> Bool
  ) -> Bool {
    let files = TraceLoader.files(ofTrace: traces[place])
    guard let first = files.first, TraceOptions.isRegularFile(first) else { return false }
    let few = 1_000
    let blocks = try? TraceLoader.blocks(
      path: first, name: names[place], format: traceFormat, columns: columns, hasHashes: false,
      limit: few, expansion: expansion.value, blockRequests: few, cancellation: Cancellation())
    guard let block = try? blocks?.next() else { return false }
    return areSuch(block)
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
        line.show("reading \(shown)", progress, limit: limit)
        do throws(TraceError) {
          try memory.check(progress, fraction: progress.fraction(limit: limit))
        } catch {
          shortage = error
        }
        return shortage == nil && !Interruption.cancellation.isCancelled
      }
      line.clear()
      if !trace.loss.isNone { trace.loss.say(of: shown) }
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

/// The parts that a trace lacks. It is read in several passes, and each finds the same.
final class FoundLosses: Sendable {
  private let found = Mutex<RecordingLoss?>(nil)

  /// Those of the first pass to its end; nil before it.
  var first: RecordingLoss? { found.withLock { $0 } }

  /// Takes what a pass has found. Returns true for the first.
  func isFirst(_ loss: RecordingLoss) -> Bool {
    found.withLock { found in
      defer { found = found ?? loss }
      return found == nil
    }
  }
}

extension RecordingLoss {
  /// Says what a trace lacks.
  fileprivate func say(of trace: String) { StandardError.say("\(trace) is not whole: \(self)") }
}

extension TraceProgress {
  /// The fraction that is read; nil where it is not known.
  fileprivate func fraction(limit: Int?) -> Double? {
    let ofBytes = totalBytes.map { Double(bytes) / Double(max(1, $0)) }
    let ofLimit = limit.map { Double(requests) / Double(max(1, $0)) }
    return [ofBytes, ofLimit].compactMap(\.self).max()
  }
}

extension ProgressLine {
  /// The part of a trace that is read.
  fileprivate func show(_ work: String, _ progress: TraceProgress, limit: Int?) {
    show(work, requests: progress.requests, fraction: progress.fraction(limit: limit))
  }
}

/// The checksums of a trace's files with `+` between them, computed while the files are read.
final class Checksum: Sendable {
  private let result = Mutex<String?>(nil)
  private let group = DispatchGroup()

  /// Nil where not all of the files can be read twice.
  convenience init?(ofRegular files: [String]) {
    guard files.allSatisfy(TraceOptions.isRegularFile) else { return nil }
    self.init(of: files)
  }

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
