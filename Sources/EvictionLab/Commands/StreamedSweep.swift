import ArgumentParser
import Experiments
import Foundation
import Parameters
import Results
import Runner
import Simulation
import Traces

/// A sweep whose traces are read block by block, so that memory grows with their keys and not with their requests.
///
/// A file is read once to count its requests and keys, and once for as many cells as there is memory for. The cells of
/// such a pass end together, and are then in the journal; a pass that is stopped keeps none. Standard input is read once, for all cells; its results are written at its end, or on a signal.
struct StreamedSweep {
  let command: SweepCommand
  private let request: ExperimentRequest

  /// - Throws: The reason why the flags cannot be streamed.
  init(_ command: SweepCommand) throws {
    try StreamedSweep.check(command)
    self.command = command
    request = try command.request()
  }

  /// Refuses flags that need a trace in memory.
  static func check(_ command: SweepCommand) throws(ValidationError) {
    let refused: [(String, Bool)] = [
      ("--windows", !areKnown(command.windows, command.traces)),
      ("--trace-internals", command.traceInternals != nil),
      ("--check", command.check), ("--explain", command.options.baseline.explain),
      ("--shard", command.sharing.shard.partitionText != nil),
    ]
    let names = refused.filter(\.1).map(\.0).joined(separator: ", ")
    if !names.isEmpty {
      throw ValidationError(
        "--stream does not go with \(names); leave one out, or run a sample: evict trace sample")
    }
    for trace in command.traces.traces where TraceLoader.files(ofTrace: trace).count > 1 {
      throw ValidationError(
        "--stream reads one file at a time, and \(trace) joins several; leave it out, or join "
          + "those of one format with cat, and give - as the trace")
    }
  }

  /// Returns true if it is known beforehand, without the times of all requests, where windows end.
  private static func areKnown(_ windows: WindowWidth?, _ traces: TraceOptions) -> Bool {
    switch windows?.cut {
    case nil: true
    case .count: traces.traces.allSatisfy(TraceOptions.isRegularFile)
    case .time: false
    }
  }

  private var traces: TraceOptions { command.traces }

  /// Reads, plans, runs and writes.
  ///
  /// - Throws: ``Stopped`` after writing, when cells or requests are missing.
  func run() throws {
    Interruption.install()
    try command.output.check(inputs: traces.files)
    try command.resumption.check(traces, command.output)
    try ExperimentPlan.checkNames(traces.names)
    var partition =
      traces.names.count == 1 ? command.partition(of: request, resuming: nil) : nil
    let journal = try command.openJournal()
    if let journal, command.resumption.resume, journal.isEmpty {
      StandardError.say("\(journal.path) holds no cell, and a stream goes on from nothing else")
    }
    var results = ResultSet(environment: partition?.environment ?? .ofThisCommand)
    var planned = 0
    for place in traces.names.indices {
      guard let stream = try open(place) else {
        results.isComplete = false
        break
      }
      defer { stream.line.clear() }
      let plan = try plan(stream)
      let rows = plan.cells.count { $0.position != nil }
      planned += rows
      let run = try StreamedRun(
        plan, available: AvailableMemory.bytes(), canReadAgain: stream.first == nil,
        journal: journal, trace: journal?.isEmpty == false ? stream.summary : nil)
      if run.heldRows > 0, let journal {
        StandardError.say(
          "\(journal.path) holds \(run.heldRows) of \(rows) cells of \(stream.outline.name)")
      }
      say(run, stream, cells: plan.cells.count)
      Interruption.keepWork()
      try self.run(run, stream, journal)
      if Interruption.cancellation.isCancelled { results.isComplete = false }
      let summary = stream.summary(
        requests: run.requests, distinct: run.distinct, hasChecksum: results.isComplete)
      if partition != nil { _ = try partition?.begin(plan, traces: [summary]) }
      results.traces.append(summary)
      run.finished.add(to: &results)
      if !results.isComplete { break }
    }
    partition?.complete(&results)
    for other in journal?.environments ?? [] { results.environment.add(other) }
    try command.output.write(results)
    if results.isComplete { return journal?.remove() ?? () }
    throw Stopped(of: planned, written: results.measurements.count, ofPasses: true)
  }

  /// A trace whose columns are known, and where it is to be read.
  private struct Stream {
    let place: Int
    let outline: Trace
    var facts = StreamFacts()
    /// True for what has an end; false for standard input and pipes.
    let isFile: Bool
    var checksum: Checksum?
    let line = ProgressLine()
    /// The reading that has begun, and its first block; nil for a file that is counted first.
    var blocks: TraceBlocks?
    var first: TraceBlock?

    /// The trace in the document.
    ///
    /// - Parameters:
    ///   - requests: The requests, where the facts do not know them.
    ///   - distinct: Their distinct keys.
    ///   - hasChecksum: False where there is no time to read the file to its end.
    func summary(requests: Int, distinct: Int, hasChecksum: Bool) -> TraceSummary {
      TraceSummary(
        name: outline.name, format: outline.format, formatReason: outline.formatReason,
        requests: facts.requests ?? requests, distinct: facts.distinct ?? distinct,
        sha256: hasChecksum ? checksum?.wait() : nil)
    }

    /// The summary by which a journal knows the trace; nil for one whose requests are not known beforehand.
    var summary: TraceSummary? {
      guard let requests = facts.requests, let distinct = facts.distinct else { return nil }
      return summary(requests: requests, distinct: distinct, hasChecksum: true)
    }
  }

  private var columns: TraceColumns { request.columns.subtracting(.groups) }

  private func blocks(
    _ place: Int, _ progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> TraceBlocks {
    try TraceLoader.blocks(
      path: traces.traces[place], name: traces.names[place], format: traces.traceFormat,
      columns: columns, hasHashes: StreamedRun.needsHashes(request.policies),
      limit: traces.limit?.value, expansion: traces.expansion.value,
      cancellation: Interruption.cancellation, progress: progress)
  }

  /// Shows on a line what part of a file has been read.
  private func showing(
    _ work: String, _ path: String, on line: ProgressLine
  ) -> TraceProgress.Callback {
    let limit = traces.limit?.value ?? .max
    return { progress in
      line.show(
        "\(work) \(path)", requests: progress.requests,
        fraction: progress.totalBytes.map {
          max(
            Double(progress.bytes) / Double(max(1, $0)),
            Double(progress.requests) / Double(max(1, limit)))
        })
      return true
    }
  }

  /// Learns what there is to know of a trace beforehand; nil if the work was stopped meanwhile.
  private func open(_ place: Int) throws -> Stream? {
    let (path, name) = (traces.traces[place], traces.names[place])
    let isFile = TraceOptions.isRegularFile(path)
    let needsChecksum =
      command.output.showsChecksums || command.output.destination.file != nil
    let checksum = isFile && needsChecksum ? Checksum(of: [path]) : nil
    if !isFile {
      if path != "-" && access(path, F_OK) != 0 { throw TraceError.missing(file: path) }
      if request.capacities.contains(where: \.isFraction) {
        throw PlanError.unknownKeys(trace: name)
      }
      // From the first request of a pipe on there is something to write.
      Interruption.keepWork()
      let blocks = try blocks(place)
      guard let first = try blocks.next() else { return nil }
      return Stream(
        place: place,
        outline: first.outline(name: name, format: blocks.format, reasons: blocks.formatReasons),
        isFile: false, blocks: blocks, first: first)
    }
    if let told = told(place) {
      return Stream(
        place: place, outline: told.outline, facts: told.facts, isFile: true,
        checksum: checksum)
    }
    let line = ProgressLine()
    defer { line.clear() }
    let blocks = try blocks(place, showing("counting", path, on: line))
    let counted = try StreamFacts.counted(
      blocks, name: name, cancellation: Interruption.cancellation)
    return counted.map {
      Stream(
        place: place, outline: $0.outline, facts: $0.facts, isFile: true, checksum: checksum)
    }
  }

  /// The facts that a file tells of itself, where the cells need to know no others beforehand.
  private func told(_ place: Int) -> (facts: StreamFacts, outline: Trace)? {
    let needsBytes = request.settings.isSized && request.capacities.contains(where: \.isFraction)
    guard !needsBytes,
      let told = StreamFacts.told(
        byFile: traces.traces[place], name: traces.names[place], format: traces.traceFormat,
        columns: columns),
      let requests = told.facts.requests, traces.limit.map({ $0.value >= requests }) ?? true
    else { return nil }
    return told
  }

  private func plan(_ stream: Stream) throws -> ExperimentPlan {
    var request = request
    request.settings.stream = stream.facts
    request.hasReferences = false
    let plan = try request.kind.plan(request, on: [stream.outline], part: nil)
    for note in plan.notes { StandardError.say(note) }
    if !request.settings.expires { traces.noteTimesToLive(stream.place..<stream.place + 1) }
    return request.addingBaselines(to: plan)
  }

  /// Says beforehand what is going to be read, and how often.
  private func say(_ run: StreamedRun, _ stream: Stream, cells: Int) {
    var text = "\(stream.outline.name), block by block"
    if let requests = stream.facts.requests, let keys = stream.facts.distinct {
      let passes = run.passes.count == 1 ? "1 pass" : "\(run.passes.count) passes"
      text += ", \(requests) requests over \(keys) keys: \(cells) cells in \(passes)"
      text += run.policyBytes.map { ", policies of \(ByteCount.text($0)) at a time" } ?? ""
    } else {
      text += ": \(cells) cells in 1 pass; results come at the end of the input, or on Ctrl-C"
    }
    if request.baselines != nil, !request.settings.isSized {
      text += "; without the optimum, which needs the future"
    }
    StandardError.say(text)
  }

  private func run(_ run: StreamedRun, _ stream: Stream, _ journal: Journal?) throws {
    let cancellation = Interruption.cancellation
    let line = stream.line
    for (number, pass) in run.passes.enumerated() {
      if cancellation.isCancelled { return }
      try run.run(
        pass, over: stream.blocks ?? blocks(stream.place), from: stream.first,
        jobs: command.jobs, cancellation: cancellation,
        // A part of a file is no result; of a stream, all that came is.
        keepsPart: !stream.isFile,
        progress: { requests in
          let passes = Double(run.passes.count)
          line.show(
            "simulating \(stream.outline.name)", requests: requests,
            fraction: stream.facts.requests.map {
              (Double(number) + Double(requests) / Double(max(1, $0))) / passes
            })
        })
      if let counted = stream.facts.requests, run.requests != counted, !cancellation.isCancelled {
        throw Failed(
          description: "\(traces.traces[stream.place]): held \(counted) requests, and now "
            + "\(run.requests); run the sweep again when it no longer changes")
      }
      if let journal, !cancellation.isCancelled, let summary = stream.summary {
        try run.record(pass, in: journal, trace: summary)
      }
    }
    let (warmup, requests) = (request.settings.warmup, stream.facts.requests ?? run.requests)
    if warmup >= requests, !cancellation.isCancelled {
      throw PlanError.warmup(trace: stream.outline.name, requests: requests, warmup: warmup)
    }
  }
}
