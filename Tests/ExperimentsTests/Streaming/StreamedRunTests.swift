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
    var settings = ExperimentPlan.Settings(isSized: isSized, warmup: warmup)
    let trace = try TraceLoader.load(bytes: bytes, name: name, columns: columns)
    let whole = try ExperimentPlan(
      traces: [trace], policies: policies, capacities: capacities, settings: settings)
    let inMemory = ExperimentRun(Baselines().added(to: whole)).run(jobs: 2)

    func blocks() throws -> TraceBlocks {
      try TraceLoader.blocks(
        bytes: bytes, name: name, columns: columns,
        hasHashes: StreamedRun.needsHashes(policies), blockRequests: blockRequests)
    }
    let counted = try #require(
      try StreamFacts.counted(blocks(), name: name, cancellation: Cancellation()))
    #expect(counted.facts.requests == trace.requests && counted.facts.distinct == trace.distinct)
    settings.stream = isCounted ? counted.facts : StreamFacts()
    let plan = try ExperimentPlan(
      traces: [counted.outline], policies: policies, capacities: capacities, settings: settings)
    let run = try StreamedRun(
      Baselines().added(to: plan), available: nil, canReadAgain: isCounted)
    for pass in run.passes { try run.run(pass, over: blocks(), jobs: 2) }
    #expect(run.requests == trace.requests && run.distinct == trace.distinct)
    return (counts(inMemory), counts(run.finished))
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
    var facts = StreamFacts()
    (facts.requests, facts.distinct) = (1_000_000_000, 100_000_000)
    let room = 5_000_000_000
    #expect(throws: TraceError.self) {
      try StreamedRun(try plan("lru", facts), available: room, canReadAgain: true)
    }
    facts.isNumbered = true
    let run = try StreamedRun(try plan("lru", facts), available: room, canReadAgain: true)
    #expect(run.passes == [[0]])
  }

  @Test func everyAdmissionFilterCountsTheSame() throws {
    let filters = AdmissionCatalog.all.map { "lru:admission=\($0.information.name)" }
    let policies = try PolicyChoice.parse(filters)
    let rows = try bothCounts(
      Self.rows, name: "rows.csv", policies, isSized: true, blockRequests: 64, isCounted: false)
    #expect(rows.inMemory == rows.streamed)
  }

  /// The plan of a stream of which these facts are known.
  private func plan(_ policies: String, _ facts: StreamFacts, _ capacity: Capacity = .count(10))
    throws -> ExperimentPlan
  {
    let blocks = try TraceLoader.blocks(
      bytes: Self.plainRows, name: "keys.txt", columns: [], blockRequests: 100)
    let outline = try #require(
      try StreamFacts.counted(blocks, name: "keys.txt", cancellation: Cancellation())
    ).outline
    var settings = ExperimentPlan.Settings()
    settings.stream = facts
    return try ExperimentPlan(
      traces: [outline], policies: PolicyChoice.parse([policies]), capacities: [capacity],
      settings: settings)
  }

  /// A stop comes at any moment of a block.
  @Test(arguments: [true, false])
  func aStoppedPassRanTheSameRequestsInEveryCellOrIsDropped(keepsPart: Bool) throws {
    let keys = (0..<200_000).map { ($0 * $0) % (10 + $0 / 7) }
    let bytes = Array(keys.map { "\($0)\n" }.joined().utf8)
    let policies = try PolicyChoice.parse([
      "lru,arc,sieve,wtinylfu,rank:score=hits/(age*size):sample=4000"
    ])
    func blocks() throws -> TraceBlocks {
      try TraceLoader.blocks(
        bytes: bytes, name: "keys.txt", columns: [],
        hasHashes: StreamedRun.needsHashes(policies), blockRequests: 1 << 20)
    }
    let outline = try #require(
      try StreamFacts.counted(blocks(), name: "keys.txt", cancellation: Cancellation())
    ).outline
    var settings = ExperimentPlan.Settings()
    settings.stream = StreamFacts()
    let plan = try ExperimentPlan(
      traces: [outline], policies: policies, capacities: [.count(500)], settings: settings)
    var parts = 0
    for milliseconds in [1, 5, 20, 80, 200] {
      let run = try StreamedRun(plan, available: nil, canReadAgain: false)
      let cancellation = Cancellation()
      Thread.detachNewThread {
        usleep(UInt32(milliseconds * 1_000))
        cancellation.cancel()
      }
      try run.run(
        Array(0..<policies.count), over: blocks(), jobs: 2, cancellation: cancellation,
        keepsPart: keepsPart)
      let isPart = run.requests < keys.count
      if isPart { parts += 1 }
      if isPart && !keepsPart {
        #expect(run.finished.measurements.isEmpty)
        continue
      }
      #expect(Set(run.finished.measurements.map(\.requests)).isSubset(of: [run.requests]))
      if keepsPart { #expect(run.finished.measurements.count == policies.count) }
      #expect(run.distinct == Set(keys.prefix(run.requests)).count)
    }
    #expect(parts > 0)
  }

  @Test func passesHoldAsManyCellsAsThereIsMemoryFor() throws {
    var facts = StreamFacts()
    (facts.requests, facts.distinct) = (1_000_000_000, 100_000_000)
    let plan = try plan("lru,arc,sieve,fifo", facts)
    // Numbers of lru and fifo, records of arc and its logs' 20 objects, and sieve as it is.
    let bytes = (6 + 4 + 9 + 13) * 100_000_000 + 66 * 20
    let one = try StreamedRun(plan, available: nil, canReadAgain: true)
    #expect(one.passes == [[0, 1, 2, 3]] && one.policyBytes == bytes)
    // The table of keys, two policies, and little else.
    let two = try StreamedRun(plan, available: 8_000_000_000, canReadAgain: true)
    #expect(two.passes.count >= 2 && Array(two.passes.joined()) == [0, 1, 2, 3])
    #expect(throws: TraceError.self) {
      try StreamedRun(plan, available: 1_000_000_000, canReadAgain: true)
    }
  }

  @Test func passesThatAreOverAreNotRunAgain() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func journal(resumes: Bool) throws -> Journal {
      try Journal(
        beside: folder.path + "/out.json", environment: SharedSweep.environment, resumes: resumes)
    }
    func blocks() throws -> TraceBlocks {
      try TraceLoader.blocks(
        bytes: Self.plainRows, name: "keys.txt", columns: [], blockRequests: 999)
    }
    let counted = try #require(
      try StreamFacts.counted(blocks(), name: "keys.txt", cancellation: Cancellation()))
    let plan = try plan("lru,arc,sieve,fifo", counted.facts)
    let requests = try #require(counted.facts.requests)
    var trace = TraceSummary(
      name: "keys.txt", format: "plain", requests: requests, distinct: 1, sha256: "a")
    func begin(_ journal: Journal) throws -> StreamedRun {
      try StreamedRun(
        plan, available: Self.leastRoom(of: plan), canReadAgain: true, journal: journal,
        trace: trace)
    }
    do {
      let first = try journal(resumes: false)
      let run = try begin(first)
      #expect(run.passes.count >= 2 && run.heldRows == 0)
      try run.run(run.passes[0], over: blocks(), jobs: 1)
      for pass in run.passes { try run.record(pass, in: first, trace: trace) }
    }
    let whole = try StreamedRun(plan, available: nil, canReadAgain: true)
    try whole.run(whole.passes[0], over: blocks(), jobs: 1)
    let second = try journal(resumes: true)
    let rest = try begin(second)
    let held = plan.cells.count - rest.passes.joined().count
    #expect(held > 0 && held < plan.cells.count && rest.heldRows == held)
    for pass in rest.passes { try rest.run(pass, over: blocks(), jobs: 1) }
    #expect(counts(rest.finished) == counts(whole.finished))
    // Another content has cells of its own.
    trace.sha256 = "b"
    #expect(try begin(second).heldRows == 0)
  }

  /// The least memory that a plan's passes run in.
  private static func leastRoom(of plan: ExperimentPlan) throws -> Int {
    var (less, enough) = (0, 1 << 32)
    while enough - less > 1 {
      let room = (less + enough) / 2
      let run = try? StreamedRun(plan, available: room, canReadAgain: true)
      if run == nil { less = room } else { enough = room }
    }
    return enough
  }

  @Test func futureAndUnknownNumbersAreRefusedByName() throws {
    func message(_ policy: String, _ capacity: Capacity) -> String? {
      do {
        _ = try plan(policy, StreamFacts(), capacity)
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
