import Testing
import Traces

@Suite struct TraceTests {
  @Test func keysAreNumberedInOrderOfFirstAppearance() {
    let trace = Trace.of([30, 10, 30, 20, 10])
    #expect(ids(trace) == [0, 1, 0, 2, 1])
    #expect(trace.requests == 5)
    #expect(trace.distinct == 3)
    #expect(trace.integerKey(of: 2) == 20)
    #expect(trace.columns == [])
  }

  @Test func columnsAreThoseThatWereGiven() {
    let trace = Trace.of(
      [1, 2], sizes: [10, 20], times: [5, 6], operations: [.get, .set], ttls: [0, 9],
      costs: [0.5, 1], classes: ["a", "b"], groupStarts: [0, 1])
    #expect(trace.columns == TraceColumns.all.subtracting(.keyLengths))
    #expect(trace.sizes.map(Array.init) == [10, 20])
    #expect(trace.classNames == ["a", "b"])
    #expect(
      trace.columns.names
        == ["sizes", "times", "operations", "ttls", "costs", "classes", "groups"])
    #expect(trace.groupStarts.map(Array.init) == [0, 1])
  }

  @Test func aTraceInMemoryMayBeEmpty() {
    let trace = Trace.of([])
    #expect(trace.requests == 0 && trace.distinct == 0)
    #expect(trace.keyHashes().isEmpty)
  }

  @Test func aKeyHashesAlikeInEveryFormat() throws {
    let keys: [UInt64] = [42_932_745, 7, 0, 123_456_789_012_345_678]
    let integers = Trace.of(keys)
    let texts = try load(keys.map { " \($0)\r\n" }.joined())
    let binary = try TraceLoader.load(
      bytes: keys.flatMap { record(key: $0) }, name: "a.oracleGeneral")
    for id in UInt32(0)..<4 {
      #expect(integers.keyHash(of: id) == texts.keyHash(of: id))
      #expect(integers.keyHash(of: id) == binary.keyHash(of: id))
    }
    #expect(Array(integers.keyHashes(seed: 5)) == Array(texts.keyHashes(seed: 5)))
    #expect(Array(integers.keyHashes()) == (0..<4).map { integers.keyHash(of: $0) })
    #expect(integers.keyHashes(seed: 5)[0] != integers.keyHashes(seed: 6)[0])
    #expect(texts.integerKey(of: 0) == nil)
  }

  @Test func keyHashesNeverChange() {
    let trace = Trace.of([0, 1, 42])
    #expect(
      (0..<3).map { trace.keyHash(of: $0) }
        == [0x2AC9_DEBE_D546_A380, 0x71FB_BBFE_8A7B_7C71, 0xB68F_DA22_3F32_4F6C])
  }

  @Test func operationsAreToldByTheirWords() {
    #expect(TraceOperation(word: "GET") == .get)
    #expect(TraceOperation(word: "2a") == .write)
    #expect(TraceOperation(word: "28") == .read)
    #expect(TraceOperation(word: "Del") == .delete)
    #expect(TraceOperation(word: "frobnicate") == nil)
    #expect(TraceOperation(word: "") == nil)
    #expect(TraceOperation(word: "getgetgetgetgetget") == nil)
    #expect(TraceOperation.write.role == .reference)
    #expect(TraceOperation.set.role == .update)
    #expect(TraceOperation.delete.role == .removal)
  }
}
