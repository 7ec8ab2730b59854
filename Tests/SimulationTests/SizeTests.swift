import EvictionCore
import Foundation
import Parameters
import Requests
import Results
import Runner
import SimulatedCounts
import Simulation
import Testing
import Traces

/// The sizes of objects: who tells them, and what a cache does with them.
@Suite struct SizeTests {
  private func trace(_ text: String, _ name: String) throws -> Trace {
    try TraceLoader.load(
      bytes: Array(text.utf8), name: name, columns: [.operations, .sizes, .times])
  }

  /// Requests, hits, and requests of unknown size.
  private func numbers(_ counts: RequestCounts) -> [Int] {
    [counts.requests, counts.hits, counts.unknownSizes]
  }

  private func counts(
    _ text: String, _ name: String, _ policy: String = "lru", capacity: Int
  ) throws -> RequestCounts {
    let stream = RequestStream(try trace(text, name), isSized: true, needs: .keyHash)
    return try simulate(policy, stream, capacity: capacity)
  }

  /// A look-aside cache logs a get that missed with no value, and the set that follows with one. Three objects of 50
  /// bytes are asked for in turn: two of them fit into 100.
  static let lookAside = [
    (
      "twitter.csv",
      """
      0,kkkkk,5,0,1,get,0
      0,kkkkk,5,45,1,set,0
      1,lllll,5,0,1,get,0
      1,lllll,5,45,1,set,0
      2,mmmmm,5,0,1,get,0
      2,mmmmm,5,45,1,set,0
      3,kkkkk,5,0,1,get,0
      3,kkkkk,5,45,1,set,0
      4,lllll,5,0,1,get,0
      4,lllll,5,45,1,set,0
      5,mmmmm,5,0,1,get,0
      5,mmmmm,5,45,1,set,0

      """
    ),
    (
      "cachelib.csv",
      """
      key,op,size,op_count,key_size
      k,GET,0,1,5
      k,SET,45,1,5
      l,GET,-1,1,5
      l,SET,45,1,5
      m,GET,0,1,5
      m,SET,45,1,5
      k,GET,0,1,5
      k,SET,45,1,5
      l,GET,0,1,5
      l,SET,45,1,5
      m,GET,0,1,5
      m,SET,45,1,5

      """
    ),
    (
      "columns.csv",
      "key,op,size\n"
        + String(
          repeating: "k,get,0\nk,set,50\nl,get,0\nl,set,50\nm,get,0\nm,set,50\n", count: 2)
    ),
    (
      "memcached.txt",
      (0..<2).map { _ in
        ["k", "l", "m"].map {
          "ts=1638218263.118394 gid=3 type=item_get key=\($0) status=not_found clsid=0 cfd=28 size=0\n"
            + "ts=1638218263.118401 gid=4 type=item_store key=\($0) status=stored cmd=set ttl=0 "
            + "clsid=1 cfd=28 size=50\n"
        }.joined()
      }.joined()
    ),
  ]

  @Test(arguments: lookAside)
  func aGetThatMissedTellsNoSize(name: String, text: String) throws {
    let trace = try trace(text, name)
    #expect(trace.distinctBytes == 150)
    let counts = try counts(text, name, capacity: 100)
    // The first get of each key misses an object that no request has described.
    #expect(numbers(counts) == [6, 0, 3])
    let fitting = try self.counts(text, name, capacity: 150)
    #expect(numbers(fitting) == [6, 3, 3])
  }

  @Test func aSetBringsItsSize() throws {
    // a has 2 bytes, then 9: b of 2 must leave for it, and misses.
    let text = "key,op,size\na,set,2\nb,set,2\na,set,9\nb,get,2\na,get,9\nb,get,2\na,get,9\n"
    // b comes (a leaves), a comes (b leaves), b, a: no hit.
    #expect(try counts(text, "x.csv", capacity: 10).hits == 0)
    // Both fit.
    #expect(try counts(text, "x.csv", capacity: 11).hits == 4)
  }

  @Test func aGetLeavesTheSizeUnlessResized() throws {
    // a of 2 is asked for as one of 9: in 10, b stays only where a keeps its 2.
    let text = "key,size\na,2\nb,2\na,9\nb,2\n"
    #expect(try counts(text, "x.csv", capacity: 10).hits == 2)
    #expect(try counts(text, "x.csv", "lru:resize=true", capacity: 10).hits == 1)
  }

  @Test func aWriteOfABlockBringsItsLength() throws {
    let text = "key,op,size\na,read,2\nb,read,2\na,write,9\nb,read,2\n"
    let counts = try counts(text, "x.csv", capacity: 10)
    #expect(numbers(counts) == [4, 1, 0])
  }

  @Test(
    "An object that outgrows the cache leaves alone",
    arguments: RunnablePolicyEntry.catalog.filter {
      $0.needs.isSubset(of: [.keyHash]) && !$0.information.ignoresCapacity
    }.map(\.information.name))
  func outgrown(policy: String) throws {
    // Ten objects of one byte fill the cache; then one of them has eleven.
    let keys = (0..<10).map { "k\($0)" }
    let fill = keys.map { "\($0),set,1\n" }.joined()
    let text = "key,op,size\n" + fill + fill + "k4,set,11\n" + keys.map { "\($0),get,0\n" }.joined()
    let stream = RequestStream(try trace(text, "x.csv"), isSized: true, needs: .keyHash)
    let before = try simulate(
      policy,
      RequestStream(
        try trace("key,op,size\n" + fill + fill + keys.map { "\($0),get,0\n" }.joined(), "x.csv"),
        isSized: true, needs: .keyHash), capacity: 10)
    guard before.hits == 10 else { return }
    let counts = try simulate(policy, stream, capacity: 10)
    #expect(counts.hits == 9)
    #expect(counts.evictions == 1)
  }

  @Test func answersWithoutTheObjectTellNoSize() throws {
    func line(_ target: String, _ status: Int, _ bytes: String, _ method: String = "GET") -> String
    {
      "h - - [10/Oct/2000:13:55:36 +0000] \"\(method) \(target) HTTP/1.1\" \(status) \(bytes)\n"
    }
    let text =
      line("/a", 304, "-") + line("/b", 206, "10") + line("/a", 200, "900") + line("/b", 200, "900")
      + line("/a", 416, "0") + line("/b", 304, "0") + line("/a", 200, "900")
    // 900 and 900 do not fit into 1000: each drives the other out.
    let counts = try counts(text, "access.log", capacity: 1000)
    #expect(numbers(counts) == [7, 0, 2])
    #expect(try trace(text, "access.log").distinctBytes == 1800)
    let fitting = try self.counts(text, "access.log", capacity: 1800)
    #expect(numbers(fitting) == [7, 3, 2])
  }

  @Test func unknownSizesAreKeptByTheOwnFormatAndRefusedByOthers() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/sizes-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let trace = try trace(Self.lookAside[2].1, "columns.csv")
    #expect(trace.sizes?.first == Trace.unknownSize)
    try TraceWriter.write(trace, to: folder + "/x.evtrace")
    let again = try TraceLoader.load(path: folder + "/x.evtrace", columns: [.operations, .sizes])
    #expect(again.sizes.map(Array.init) == trace.sizes.map(Array.init))
    for name in ["x.oracleGeneral", "x.lcs"] {
      let error = #expect(throws: TraceError.self) {
        try TraceWriter.write(trace, to: folder + "/" + name)
      }
      #expect(error?.description.contains("tells their object's size") == true)
    }
  }

  @Test func joinedTracesTellEachOtherSizes() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/sizes-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data("key,op,size\na,set,7\n".utf8).write(to: URL(fileURLWithPath: folder + "/1.csv"))
    try Data("key,op,size\na,get,0\nb,get,0\n".utf8).write(
      to: URL(fileURLWithPath: folder + "/2.csv"))
    let trace = try TraceLoader.load(
      paths: [folder + "/1.csv", folder + "/2.csv"], columns: [.operations, .sizes])
    #expect(trace.sizes.map(Array.init) == [7, 7, Trace.unknownSize])
  }
}
