import Testing
import Traces

/// The values that traces of language models' serving have.
@Suite struct ServingFormatsTests {
  @Test func chunksOfAllListsAreRequestedInOrder() throws {
    let trace = try TextSample.ragPulse.trace()
    #expect((0..<4).map { trace.integerKey(of: $0) } == [8302, 7, 7398, 9])
    #expect(trace.groupStarts.map(Array.init) == [0, 4])
    #expect(trace.times?.last == 93_500_000_000)
    #expect(
      message(TextSample.ragPulse.text, name: "a.jsonl", columns: .prompts)
        == "a.jsonl: line 1: the chunks of a prompt differ in tokens, and a cache of prefixes takes "
        + "equal blocks; simulate the chunks as objects, by sweep")
  }

  @Test func expertsOfLayersAreDifferentKeys() throws {
    let trace = try TextSample.moe.trace()
    #expect(
      (0..<4).map { trace.integerKey(of: $0) }
        == [3, 3, 4, 4].enumerated().map {
          UInt64($1) << 32 | [17, 4, 17, 9][$0]
        })
    #expect(trace.groupStarts.map(Array.init) == [0, 2, 4])
    #expect(trace.times.map(Array.init) == [0, 0, 0, 0, 1_000_000_000, 1_000_000_000])
  }

  @Test func routedExpertsAreTokensLayersAndRanks() throws {
    let trace = try load(
      #"{"id": "x", "routed_experts": [[[17, 4], [9, 60]], [[17, 5], [9, 60]]]}"# + "\n", name: "a",
      columns: .all)
    #expect(trace.format == "moe")
    #expect(ids(trace) == [0, 1, 2, 3, 0, 4, 2, 3])
    #expect(trace.groupStarts.map(Array.init) == [0, 2, 4, 6])
    #expect(trace.times == nil)
  }

  @Test func eventsOfACacheAreItsMisses() throws {
    let trace = try TextSample.kvEvents.trace()
    #expect(
      trace.operations.map(Array.init)
        == [.get, .get, .get, .get, .delete, .delete, .delete, .get])
    #expect(
      trace.times.map { $0.map { $0 / 100_000_000 } } == [5, 5, 20, 25, 30, 30, 30, 40])
    let deleted = try TextSample.kvEvents.trace(":removed=delete")
    #expect(ids(deleted) == [0, 1, 0, 2, 0, 1, 2, 0, 2])
    #expect(deleted.operations?[2] == .delete)
  }

  @Test func anEventMayBeAnArray() throws {
    let trace = try load(
      #"["BlockStored", [5, 6], null, [1], 16, null, "GPU"]"# + "\n"
        + #"["BlockRemoved", [5], "GPU"]"#
        + "\n", name: "a", columns: .all)
    #expect(trace.format == "kv-events")
    #expect(ids(trace) == [0, 1])
    #expect(trace.times == nil)
  }
}
