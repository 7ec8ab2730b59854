import EvictionCore
import Experiments
import Foundation
import Parameters
import Results
import Runner
import Testing
import Traces

/// A trace that is read block by block gives the counts that it gives in memory.
@Suite struct StreamedRunTests {
  /// A trace with times, sizes, operations and keys that come again sooner and later.
  private static let rows: [UInt8] = {
    var state: UInt64 = 7
    var text = "time,op,size,ttl,key\n"
    for request in 0..<4000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let draw = Int(state >> 33)
      // Keys lie closer the smaller they are, and new ones come to the end.
      let key = draw % (1 + draw / 7 % (10 + request / 5))
      let operation = draw % 41 == 0 ? "delete" : draw % 13 == 0 ? "set" : "get"
      text += "\(request),\(operation),\(1 + key * 37 % 90),\(5 + key % 50),key\(key)\n"
    }
    return Array(text.utf8)
  }()

  private static let plainRows: [UInt8] = {
    let trace = rows.split(separator: UInt8(ascii: "\n")).dropFirst()
    return trace.flatMap { $0.split(separator: UInt8(ascii: ",")).last.map { $0 + [0x0A] } ?? [] }
  }()

  private func counts(_ finished: FinishedCells) -> [String] {
    finished.measurements.map {
      "\($0.policyLabel) \($0.capacity): \($0.requests) \($0.hits) \($0.insertions) \($0.evictions) "
        + "\($0.byteHitRatio ?? -1) \($0.missRatioReduction ?? -1)"
    }
  }

  /// The counts in memory and block by block.
  private func bothCounts(
    _ bytes: [UInt8], name: String, _ policies: [PolicyChoice], isSized: Bool, warmup: Int = 0,
    blockRequests: Int, isCounted: Bool
  ) throws -> (inMemory: [String], streamed: [String]) {
    let columns = ExperimentPlan.columns(for: policies, isSized: isSized)
    let capacities = [30, 211].map { Capacity.count(isSized ? $0 * 40 : $0) }
    let settings = ExperimentPlan.Settings(isSized: isSized, warmup: warmup)
    let trace = try TraceLoader.load(bytes: bytes, name: name, columns: columns)
    let whole = try ExperimentPlan(
      traces: [trace], policies: policies, capacities: capacities, settings: settings)
    let inMemory = ExperimentRun(Baselines().added(to: whole)).run(jobs: 2)

    var stream = try Self.stream(
      bytes, name: name, columns, policies, blockRequests: blockRequests)
    #expect(stream.requests == trace.requests && stream.distinct == trace.distinct)
    if !isCounted { stream.forget() }
    let plan = try Self.plan(of: stream, policies, capacities, settings)
    let run = ExperimentRun(Baselines().added(to: plan))
    let streamed = run.run(jobs: 2)
    #expect(streamed.failure == nil)
    #expect(run.read.requests == trace.requests && run.read.distinct == trace.distinct)
    return (counts(inMemory), counts(streamed))
  }

  /// Bytes as a stream that was counted.
  private static func stream(
    _ bytes: [UInt8], name: String = "keys.txt", _ columns: TraceColumns = [],
    _ policies: [PolicyChoice] = [], blockRequests: Int
  ) throws -> StreamedTrace {
    let hasHashes = policies.contains { $0.needs.contains(.keyHash) }
    @Sendable func blocks() throws(TraceError) -> TraceBlocks {
      try TraceLoader.blocks(
        bytes: bytes, name: name, columns: columns, hasHashes: hasHashes,
        blockRequests: blockRequests)
    }
    return try #require(
      try StreamedTrace(
        counting: blocks(), of: name, name: name, cancellation: Cancellation(), read: blocks))
  }

  private static func plan(
    of stream: StreamedTrace, _ policies: [PolicyChoice], _ capacities: [Capacity],
    _ settings: ExperimentPlan.Settings = .init()
  ) throws -> ExperimentPlan {
    var request = ExperimentRequest(
      SweepExperiment(), policies: policies, capacities: capacities, settings: settings)
    request.stream = stream
    return try request.kind.plan(request, on: [stream.outline], part: nil)
  }

  @Test(arguments: [7, 999], [false, true])
  func everyOnlinePolicyCountsTheSameInObjects(blockRequests: Int, isCounted: Bool) throws {
    let policies = try PolicyChoice.parse(["all"])
    let plain = try bothCounts(
      Self.plainRows, name: "keys.txt", policies, isSized: false, blockRequests: blockRequests,
      isCounted: isCounted)
    #expect(plain.inMemory == plain.streamed)
    let rows = try bothCounts(
      Self.rows, name: "rows.csv", policies, isSized: false, blockRequests: blockRequests,
      isCounted: isCounted)
    #expect(rows.inMemory == rows.streamed)
    #expect(rows.streamed.count >= 100)
  }

  @Test(arguments: [7, 999], [false, true])
  func everyOnlinePolicyCountsTheSameInBytes(blockRequests: Int, isCounted: Bool) throws {
    let rows = try bothCounts(
      Self.rows, name: "rows.csv", try PolicyChoice.parse(["all"]), isSized: true, warmup: 1500,
      blockRequests: blockRequests, isCounted: isCounted)
    #expect(rows.inMemory == rows.streamed)
  }

  /// The rows as columns, one behind the other.
  private static let packedRows = Result {
    let path = NSTemporaryDirectory() + "/rows-\(UUID().uuidString).evtrace"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try TraceWriter.write(
      try TraceLoader.load(bytes: rows, name: "rows.csv", columns: .all), to: path)
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: [7, 999], [false, true])
  func everyOnlinePolicyCountsTheSameInAPackedTrace(blockRequests: Int, isSized: Bool) throws {
    let packed = try bothCounts(
      Self.packedRows.get(), name: "rows.evtrace", try PolicyChoice.parse(["all"]),
      isSized: isSized, blockRequests: blockRequests, isCounted: true)
    #expect(packed.inMemory == packed.streamed)
    let rows = try bothCounts(
      Self.rows, name: "rows.csv", try PolicyChoice.parse(["lru,arc"]), isSized: isSized,
      blockRequests: blockRequests, isCounted: true)
    #expect(Set(rows.streamed).isSubset(of: packed.streamed))
  }

  @Test func keysThatTheFileNumbersNeedNoTable() throws {
    var stream = try Self.large()
    let room = 5_000_000_000
    #expect(throws: TraceError.self) {
      try ExperimentRun(Self.plan("lru", stream)).passes(within: room)
    }
    stream.isNumbered = true
    let run = try ExperimentRun(Self.plan("lru", stream))
    #expect(try run.passes(within: room).cells == [[0]])
  }

  @Test func everyAdmissionFilterCountsTheSame() throws {
    let filters = AdmissionCatalog.all.map { "lru:admission=\($0.information.name)" }
    let policies = try PolicyChoice.parse(filters)
    let rows = try bothCounts(
      Self.rows, name: "rows.csv", policies, isSized: true, blockRequests: 64, isCounted: false)
    #expect(rows.inMemory == rows.streamed)
  }

  private static func plan(
    _ policies: String, _ stream: StreamedTrace, _ capacity: Capacity = .count(10)
  ) throws -> ExperimentPlan {
    try plan(of: stream, PolicyChoice.parse([policies]), [capacity])
  }

  /// A stream that is said to be large.
  private static func large() throws -> StreamedTrace {
    var stream = try stream(plainRows, blockRequests: 100)
    (stream.requests, stream.distinct) = (1_000_000_000, 100_000_000)
    return stream
  }

  /// A stop comes at any moment of a block.
  @Test(arguments: [true, false])
  func aStoppedPassRanTheSameRequestsInEveryCellOrIsDropped(keepsPart: Bool) throws {
    let keys = (0..<200_000).map { ($0 * $0) % (10 + $0 / 7) }
    let bytes = Array(keys.map { "\($0)\n" }.joined().utf8)
    let policies = try PolicyChoice.parse([
      "lru,arc,sieve,wtinylfu,rank:score=hits/(age*size):sample=4000"
    ])
    var stream = try Self.stream(bytes, [], policies, blockRequests: 1 << 20)
    if keepsPart { stream.forget() }
    let plan = try Self.plan(of: stream, policies, [.count(500)])
    var parts = 0
    for milliseconds in [1, 5, 20, 80, 200] {
      let run = ExperimentRun(plan)
      let cancellation = Cancellation()
      Thread.detachNewThread {
        usleep(UInt32(milliseconds * 1_000))
        cancellation.cancel()
      }
      let measurements = run.run(jobs: 2, cancellation: cancellation).measurements
      let read = run.read
      let isPart = read.requests < keys.count
      if isPart { parts += 1 }
      if isPart && !keepsPart {
        #expect(measurements.isEmpty)
        continue
      }
      #expect(Set(measurements.map(\.requests)).isSubset(of: [read.requests]))
      if keepsPart { #expect(measurements.count == policies.count) }
      #expect(read.distinct == Set(keys.prefix(read.requests)).count)
    }
    #expect(parts > 0)
  }

  @Test func passesHoldAsManyCellsAsThereIsMemoryFor() throws {
    let run = try ExperimentRun(Self.plan("lru,arc,sieve,fifo", Self.large()))
    // Numbers of lru and fifo, records of arc and its logs' 20 objects, and sieve as it is.
    let bytes = (6 + 4 + 9 + 13) * 100_000_000 + 66 * 20
    let one = try run.passes(within: nil)
    #expect(one.cells == [[0, 1, 2, 3]] && one.policyBytes == bytes)
    // The table of keys, two policies, and little else.
    let two = try run.passes(within: 8_000_000_000)
    #expect(two.cells.count >= 2 && Array(two.cells.joined()) == [0, 1, 2, 3])
    #expect(throws: TraceError.self) { try run.passes(within: 1_000_000_000) }
  }

  @Test func passesThatAreOverAreNotRunAgain() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func journal(resumes: Bool) throws -> Journal {
      try Journal(
        beside: folder.path + "/out.json", environment: SharedSweep.environment, resumes: resumes)
    }
    let stream = try Self.stream(Self.plainRows, blockRequests: 999)
    let plan = try Self.plan("lru,arc,sieve,fifo", stream)
    var trace = TraceSummary(
      name: "keys.txt", format: "plain", requests: try #require(stream.requests), distinct: 1,
      sha256: "a")
    func begin(_ journal: Journal) throws -> ExperimentRun {
      let trace = trace
      return ExperimentRun(plan, journal: journal, traces: [trace])
    }
    do {
      let first = try begin(journal(resumes: false))
      let passes = try first.passes(within: Self.leastRoom(of: first)).cells
      #expect(passes.count >= 2 && first.heldRows == 0)
      #expect(first.run(passes: Array(passes[..<1])).measurements.count == passes[0].count)
    }
    let whole = ExperimentRun(plan).run()
    let second = try journal(resumes: true)
    let rest = try begin(second)
    let left = try rest.passes(within: Self.leastRoom(of: rest)).cells
    let held = plan.cells.count - left.joined().count
    #expect(held > 0 && held < plan.cells.count && rest.heldRows == held)
    #expect(counts(rest.run(passes: left)) == counts(whole))
    // Another content has cells of its own.
    trace.sha256 = "b"
    #expect(try begin(second).heldRows == 0)
  }

  /// The least memory that the passes of a run take.
  private static func leastRoom(of run: ExperimentRun) -> Int {
    var (less, enough) = (0, 1 << 32)
    while enough - less > 1 {
      let room = (less + enough) / 2
      if (try? run.passes(within: room)) == nil { less = room } else { enough = room }
    }
    return enough
  }

  @Test func aFileThatHoldsOtherRequestsThanBeforeHasNoResults() throws {
    var stream = try Self.stream(Self.plainRows, blockRequests: 999)
    stream.requests = 5000
    let finished = try ExperimentRun(Self.plan("lru", stream)).run()
    #expect(finished.measurements.isEmpty)
    #expect(
      "\(try #require(finished.failure).cause)"
        == "keys.txt: held 5000 requests, and now 4000; run the sweep again when it no longer changes"
    )
  }

  @Test func futureAndUnknownNumbersAreRefusedByName() throws {
    func message(_ policy: String, _ capacity: Capacity) -> String? {
      do {
        var stream = try Self.stream(Self.plainRows, blockRequests: 100)
        stream.forget()
        _ = try Self.plan(policy, stream, capacity)
        return nil
      } catch { return "\(error)" }
    }
    #expect(
      message("lru,opt", .count(10))
        == "opt needs the future, which --stream does not know; leave the policy out, or run it on a "
        + "sample: evict trace sample")
    #expect(
      try message("lru", Capacity(parsing: "1%"))
        == "keys.txt: the number of keys is known at the end only, so capacities cannot be fractions; "
        + "give objects (1000) or bytes (64MiB), or a file")
  }
}

extension StreamedTrace {
  /// Makes it one of which nothing is known before its end.
  fileprivate mutating func forget() { (requests, distinct, distinctBytes) = (nil, nil, nil) }
}
