import Testing
import Traces

/// Dynamo's agentic rows: prompts that wait for others.
@Suite struct AgenticRowsTests {
  private static let columns: TraceColumns = [.prompts, .times, .groups]

  private func rows(_ text: String) throws -> Trace {
    try load(text + "\n", name: "x.jsonl", format: "mooncake:block=64", columns: Self.columns)
  }

  private func refusal(_ text: String) -> String {
    message(text + "\n", name: "x.jsonl", format: "mooncake:block=64", columns: Self.columns)
  }

  @Test func rowsComeAfterThoseTheyWaitFor() throws {
    let trace = try rows(
      #"""
      {"request_id": "r1", "session_id": "a", "timestamp": 1000, "input_length": 128, "output_length": 9, "hash_ids": [1, 2], "branches": ["c1"], "prefix_reset": true}
      {"request_id": "c1", "session_id": "b", "input_length": 64, "output_length": 9, "hash_ids": [1], "wait_for": ["r1"], "delay": 5, "prefix_reset": true}
      {"request_id": "r2", "session_id": "a", "input_length": 192, "output_length": 9, "hash_ids": [1, 2, 3], "wait_for": ["r1", "c1"], "delay": 20.5, "tool_wait_ms": 400, "tool_events": [{"tool_call_id": "t"}]}
      """#)
    #expect(
      trace.times.map { $0.map { $0 / 1000 } } == [1_000_000, 1_000_000, 1_005_000] + [
        1_425_500, 1_425_500, 1_425_500,
      ])
    #expect(trace.prompts?.sessions == [0, 1, 0])
    #expect(ids(trace) == [0, 1, 0, 0, 1, 2], "each row has the blocks of its whole prompt")
  }

  @Test func turnsOfASessionFollowByTheirDelays() throws {
    // Rows stand session by session, and are served in order of time.
    let trace = try rows(
      #"""
      {"session_id": "a", "timestamp": 0, "input_tokens": 64, "output_tokens": 3, "hash_ids": [1]}
      {"session_id": "a", "delay_ms": 100, "input_length": 128, "hash_ids": [1, 2]}
      {"session_id": "a", "delay": 100, "timestamp": null, "input_length": 192, "hash_ids": [1, 2, 3]}
      {"session_id": "b", "created_time": 50, "input_length": 64, "hash_ids": [9]}
      {"session_id": "b", "delay": 100, "input_length": 128, "hash_ids": [9, 8]}
      """#)
    #expect(trace.prompts?.lengths.map(\.input) == [64, 64, 128, 128, 192])
    #expect(trace.prompts?.lengths.first?.output == 3)
    #expect(trace.prompts?.sessions == [0, 1, 0, 1, 0])
    let starts = try #require(trace.groupStarts).map(Int.init)
    #expect(starts == [0, 1, 2, 4, 6])
    #expect(starts.map { trace.times?[$0] } == [0, 50, 100, 150, 200].map { $0 * 1_000_000 })
    #expect(ids(trace) == [0, 1, 0, 2, 1, 3, 0, 2, 4])
  }

  @Test func ownTimesCountBeforeWaits() throws {
    let trace = try rows(
      #"""
      {"request_id": "r1", "timestamp": 0, "input_length": 64, "hash_ids": [1]}
      {"request_id": "r2", "timestamp": 70, "input_length": 64, "hash_ids": [1], "wait_for": ["r1"], "delay": 5}
      """#)
    #expect(trace.times.map(Array.init) == [0, 70_000_000])
  }

  @Test func whatCannotBeToldIsRefused() {
    let first = #"{"request_id": "r1", "timestamp": 0, "input_length": 64, "hash_ids": [1]}"# + "\n"
    #expect(
      refusal(
        first + #"{"request_id": "r2", "input_length": 64, "hash_ids": [1], "wait_for": ["r3"]}"#)
        == "x.jsonl: line 2: waits for request r3, which is on no line before; "
        + "put it behind those that it waits for, or give it a timestamp")
    #expect(
      refusal(first + #"{"request_id": "r2", "input_length": 64, "hash_ids": [1]}"#)
        == "x.jsonl: line 2: '' is no timestamp; give the line one, or lines to wait_for")
    #expect(
      refusal(
        first
          + #"{"input_length": 64, "hash_ids": [1], "wait_for": ["r1"], "tool_wait_ms": "long"}"#)
        == "x.jsonl: line 2: 'long' is no tool_wait_ms; correct the line or name another format")
    #expect(refusal(first + #"{"delay": -1, "hash_ids": [1]}"#).contains("'-1' is no delay"))
  }

  @Test func typedRowsAreRefusedAtTheirHeader() {
    let header =
      #"{"schema": "dynamo.agentic_mooncake", "version": 2, "block_size": 64, "hash_id_scope": "local"}"#
    #expect(
      message(header + "\n", name: "x.jsonl")
        .hasPrefix("x.jsonl: line 1: rows of dynamo.agentic_mooncake that do not say when"))
    let other = #"{"schema": "mine", "timestamp": 0, "input_length": 5, "hash_ids": [1]}"#
    #expect(message(other + "\n", name: "x.jsonl") == "1 requests")
  }
}
