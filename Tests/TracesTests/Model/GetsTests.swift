import Testing
import Traces

/// Traces as gets of objects that cost the same.
@Suite struct GetsTests {
  @Test func readsAndWritesOfBlocksAreGets() throws {
    let trace = Trace.of(
      [1, 2, 1], times: [0, 5, 9], operations: [.read, .write, .get],
      costs: [1, 2, 3])
    let gets = try #require(trace.asGets)
    #expect(gets.operations == nil && gets.costs == nil)
    #expect(Array(gets.ids) == [0, 1, 0] && gets.times.map(Array.init) == [0, 5, 9])
    #expect(gets.requestChecksum == trace.requestChecksum)
  }

  @Test func setsAndDeletesAreNone() {
    for operation in [TraceOperation.set, .delete, .touch] {
      #expect(Trace.of([1, 1], operations: [.get, operation]).asGets == nil)
    }
  }

  @Test func plainTraceStaysAsItIs() {
    let trace = Trace.of([1, 2])
    #expect(trace.asGets === trace)
  }
}
