import ArgumentParser
import Experiments
import Parameters
import Results
import Runner
import Traces

/// A command that runs an experiment: its flags become one request.
///
/// The rest is the same for all: traces are read, cells are planned and run, and what is finished is written,
/// also after a signal or a failure.
protocol ExperimentCommand: ParsableCommand {
  var traces: TraceOptions { get throws }
  var output: OutputOptions { get }
  /// The number of cells that run at once, where none would disturb another.
  var jobs: Int { get }

  /// The request that the flags make.
  func request() throws -> ExperimentRequest
  /// Says whether cells of the journal beside the output are run again.
  var resumption: ResumeOptions { get }
  /// True where traces are read block by block, one after the other, so that memory grows with their keys and not with
  /// their requests.
  var isStreamed: Bool { get }
  /// True where a document says which cells it holds, so that one that lacks cells needs no journal.
  var writesPlans: Bool { get }
  /// The partition that is run, and what its document holds already; nil where documents hold no plan.
  func partition(of request: ExperimentRequest) throws -> Partition?
  /// True if the command has the option `--expire`.
  var mayExpire: Bool { get }
  /// True if the command's capacities count objects or bytes.
  var mayCountBytes: Bool { get }
  /// The files that it reads beside the traces.
  var otherInputs: [String] { get }
  /// Refuses traces that the flags do not fit.
  func check(_ traces: [Trace]) throws
  /// Adds to results that are to be written, or says what follows from them.
  func finish(_ results: inout ResultSet)
}

extension ExperimentCommand {
  var jobs: Int { 1 }
  var isStreamed: Bool { false }
  var writesPlans: Bool { false }
  var mayExpire: Bool { false }
  var mayCountBytes: Bool { false }
  var otherInputs: [String] { [] }
  func partition(of request: ExperimentRequest) throws -> Partition? { nil }
  func check(_ traces: [Trace]) throws {}
  func finish(_ results: inout ResultSet) {}

  func run() throws { try runExperiment() }

  /// Reads, plans, runs and writes.
  ///
  /// - Throws: ``Stopped`` or ``FailedCells`` after writing, when cells are missing, or the failure that ended the work.
  func runExperiment() throws {
    Interruption.install()
    var request = try request()
    let traces = try traces
    try output.check(
      inputs: traces.files + otherInputs,
      completes: writesPlans && resumption.resume && !isStreamed)
    try resumption.check(traces, output)
    if writesPlans { try resumption.keepStopped(output) }
    let areCurves = request.kind.takesTracesInTurn
    if !areCurves { try ExperimentPlan.checkNames(traces.names) }
    var partition = try partition(of: request)
    var results = ResultSet(environment: partition?.environment ?? .ofThisCommand)
    var completion = Completion(
      planned: areCurves
        ? traces.names.count * request.policies.count * (1 + request.variations.all.count) : 0)
    // What a stream goes on from is said before it is counted.
    var journal = isStreamed ? try openJournal() : nil
    let places = partition?.part.traces ?? traces.names.indices
    for places in areCurves || isStreamed ? places.map({ $0..<$0 + 1 }) : [places] {
      guard let loaded = try load(places, of: traces, request) else {
        completion.isWhole = false
        break
      }
      request.stream = loaded.first?.stream
      var plan = try request.kind.plan(
        request, on: loaded.map(\.trace), part: partition?.part)
      for note in plan.notes { StandardError.say(note) }
      if mayExpire && !request.settings.expires { traces.noteTimesToLive(places) }
      if mayCountBytes && request.settings.isSized && output.format == nil && !isStreamed {
        TraceOptions.noteChangingSizes(plan.traces)
      }
      try check(plan.traces)
      if !areCurves { completion.planned += plan.cells.count }
      Interruption.keepWork()
      plan = try partition?.begin(plan, traces: loaded.map(\.summary)) ?? plan
      journal = try journal ?? openJournal()
      let measured = request.addingBaselines(
        to: plan, besides: partition?.held?.references ?? [])
      let run = ExperimentRun(
        measured, journal: journal, traces: loaded.map(\.summary), child: .ofThisCommand())
      if run.heldRows > 0, let journal {
        let name = isStreamed ? " of \(loaded[0].trace.name)" : ""
        StandardError.say(
          "\(journal.path) holds \(run.heldRows) of \(plan.cells.count) cells\(name)")
      }
      let passes = isStreamed ? try run.passes(within: AvailableMemory.bytes()) : nil
      if let passes { StandardError.say(request.text(of: passes, for: measured)) }
      try finish(run, passes?.cells, request, partition, &results, &completion)
      results.traces += loaded.map {
        $0.summary(read: run.read, hasChecksum: completion.isWhole)
      }
      if !completion.isWhole { break }
    }
    try write(&results, partition, journal, completion)
    // Whoever reads a table is told.
    if mayCountBytes && !request.settings.isSized && output.format == nil {
      traces.noteSizes(places)
    }
  }

  /// The journal beside the output's file; nil for standard output and devices.
  func openJournal() throws -> Journal? {
    guard let file = output.destination.file else { return nil }
    let journal = try Journal(
      beside: file,
      environment: .ofThisCommand(
        without: ["--output", "--format", "--jobs"], flags: ResumeOptions.flags + ["--wide"]),
      resumes: resumption.resume, acceptsOtherBuild: resumption.acceptOtherBuild)
    for note in journal.notes { StandardError.say(note) }
    if isStreamed, resumption.resume, journal.isEmpty {
      if let (file, results) = try resumption.earlierResults(output), !results.measurements.isEmpty
      {
        journal.remove()
        throw TraceError.usage(
          problem:
            "\(file) holds \(results.measurements.count) cells, and a stream goes on from its "
            + "journal alone, which holds none",
          remedy: "leave out --stream, or give --output another name")
      }
      StandardError.say("\(journal.path) holds no cell, and a stream goes on from nothing else")
    }
    return journal
  }

  /// Reads traces; nil if the work was stopped meanwhile.
  private func load(
    _ places: Range<Int>, of traces: TraceOptions, _ request: ExperimentRequest
  ) throws -> [TraceOptions.Loaded]? {
    let needsChecksum = output.showsChecksums || output.destination.file != nil
    var loaded: [TraceOptions.Loaded] = []
    for place in places {
      let trace =
        isStreamed
        ? try traces.stream(place, for: request, needsChecksum: needsChecksum)
        : try traces.load(
          place, columns: request.columns, needsChecksum: needsChecksum,
          bytesPerRequest: request.bytesPerRequest(jobs: jobs),
          cancellation: Interruption.cancellation)
      guard let trace else { return nil }
      loaded.append(trace)
    }
    return loaded
  }

  private func finish(
    _ run: ExperimentRun, _ passes: [[Int]]?, _ request: ExperimentRequest,
    _ partition: Partition?,
    _ results: inout ResultSet, _ completion: inout Completion
  ) throws {
    let held = partition?.held
    let line = ProgressLine()
    let finished = run.run(
      jobs: jobs, passes: passes, cancellation: Interruption.cancellation,
      progress: { line.show($0) })
    line.clear()
    // Of a stream that failed there are no results.
    if isStreamed, let failure = finished.failure { throw failure.cause }
    completion.failures = finished.failures
    completion.isWhole =
      completion.isWhole && finished.failure == nil
      && (finished.areAll && !isStreamed || !Interruption.cancellation.isCancelled)
    finished.add(to: &results)
    if let partition {
      // Explanations name the first of the best.
      results.measurements = partition.inOrder(results.measurements + (held?.measurements ?? []))
    }
    results.explanations += held?.explanations ?? []
    if request.baselines?.explains == true {
      results.explanations += finished.explanations(of: results.measurements)
    }
    results.references = (held?.references ?? []) + finished.references
  }

  private func write(
    _ results: inout ResultSet, _ partition: Partition?, _ journal: Journal?,
    _ completion: Completion
  ) throws {
    partition?.complete(&results)
    for other in journal?.environments ?? [] { results.environment.add(other) }
    results.isComplete = completion.isWhole
    if !results.isComplete { results.references = [] }
    let written = results.measurements.count + results.curves.count
    if !completion.failures.isEmpty, written == 0 { throw completion.failure(written: 0) }
    finish(&results)
    try output.write(results)
    if results.isComplete || writesPlans && !isStreamed { journal?.remove() }
    if results.isComplete { return }
    let stop = Stopped(
      of: completion.planned, written: written, lacksSpeed: completion.isWhole,
      ofPasses: isStreamed)
    if completion.failures.isEmpty { throw stop }
    if !completion.isEnded && Interruption.cancellation.isCancelled {
      StandardError.say(stop.description)
    }
    throw completion.failure(written: written)
  }
}

/// The end of an experiment: whether it came to it, and why not.
private struct Completion {
  /// The results of the whole work.
  var planned: Int
  /// False when cells are missing.
  var isWhole = true
  /// The failures of cells, and the one that ended the work.
  var failures: [ExperimentError] = []

  init(planned: Int) { self.planned = planned }

  /// True where a failure ended the work.
  var isEnded: Bool { failures.contains { !$0.endsItsCellOnly } }

  /// Says how the work failed. The returned error has the last line.
  func failure(written: Int) -> any Error {
    let cells = failures.filter(\.endsItsCellOnly).map(\.cause)
    var lines = cells.map { "\($0)" }
    if written > 0, !lines.isEmpty {
      lines[0] = "\(cells.count) of \(planned) cells failed: \(lines[0])"
    }
    if let end = failures.first(where: { !$0.endsItsCellOnly }) {
      if written > 0 {
        lines.append("ended by a failure; \(written) of \(planned) cells are written")
      }
      for line in lines { StandardError.say(line) }
      return end.cause
    }
    for line in lines.dropLast() { StandardError.say(line) }
    return FailedCells(description: lines[lines.count - 1], cause: cells[0])
  }
}

extension ExperimentRequest {
  /// The text that says beforehand what is going to be read of a stream, and how often.
  fileprivate func text(
    of passes: (cells: [[Int]], policyBytes: Int?), for plan: ExperimentPlan
  ) -> String {
    var text = "\(plan.traces[0].name), block by block"
    if let requests = stream?.requests, let keys = stream?.distinct {
      let count = passes.cells.count == 1 ? "1 pass" : "\(passes.cells.count) passes"
      text += ", \(requests) requests over \(keys) keys: \(plan.cells.count) cells in \(count)"
      text += passes.policyBytes.map { ", policies of \(ByteCount.text($0)) at a time" } ?? ""
    } else {
      text +=
        ": \(plan.cells.count) cells in 1 pass; results come at the end of the input, or on Ctrl-C"
    }
    if baselines != nil && !settings.isSized {
      text += "; without the optimum, which needs the future"
    }
    return text
  }
}
