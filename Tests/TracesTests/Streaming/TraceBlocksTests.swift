import Foundation
import Testing
import Traces

/// A trace that is read block by block has the ids, columns and hashes of the whole one.
@Suite struct TraceBlocksTests {
  struct File: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }

    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    /// The requests of another file as columns, one behind the other.
    init(packing file: File, format: String? = nil, as name: String) throws {
      let folder = TemporaryFolder()
      let trace = try TraceLoader.load(
        bytes: file.bytes, name: file.name, format: format, columns: .all)
      try TraceWriter.write(trace, to: "\(folder.path)/\(name)")
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
      self.init(name, Array(data))
    }
  }

  /// Requests for keys that come again sooner and later.
  private static let keys = (0..<3000).map { ($0 * $0 / 7 + $0 % 5) % (20 + $0 / 4) }

  static let files = [
    File("keys.txt", keys.map { "key\($0)\n" }.joined()),
    File(
      "rows.csv",
      "time,op,size,key\n"
        + keys.enumerated().map { "\($0),\($0 % 9 == 0 ? "delete" : "get"),\($1 + 1),k\($1)\n" }
        .joined()),
    File("blocks.lis", keys.enumerated().map { "\($1) \($0 % 40 + 1) 0 \($0)\n" }.joined()),
    File(
      "records.oracleGeneral",
      keys.enumerated().flatMap {
        record(time: UInt32($0), key: UInt64($1), size: UInt32($1 + 1))
      }),
    File(
      "packed.oracleGeneral.zst",
      Compression.zstd.pack(
        keys.enumerated().flatMap { record(time: UInt32($0), key: UInt64($1)) })),
  ]

  /// Columns one behind the other, of which each is read at a place of its own.
  static let packed = Result {
    let rows = File(
      "all.csv",
      "key,time,size,op,ttl,cost,class\n"
        + keys.enumerated().map {
          "k\($1),\($0),\($1 + 1),\($0 % 9 == 0 ? "set" : "get"),\($1 % 50),\($1).5,c\($1 % 3)\n"
        }.joined())
    let format = "csv:key=key:time=time:size=size:operation=op:ttl=ttl:cost=cost:class=class"
    return try files.dropLast().map { try File(packing: $0, as: "\($0.name).evtrace") }
      + ["all.evtrace", "all.evtrace.zst"].map { try File(packing: rows, format: format, as: $0) }
  }

  @Test(arguments: files, [1, 7, 512, 1000, 1 << 20])
  func blocksHoldTheColumnsOfTheWholeTrace(_ file: File, blockRequests: Int) throws {
    try expectColumns(ofTheWhole: file, blockRequests: blockRequests)
  }

  @Test(arguments: try packed.get(), [1, 7, 512, 1000, 1 << 20])
  func blocksHoldTheColumnsThatStandOneBehindTheOther(
    _ file: File, blockRequests: Int
  ) throws {
    try expectColumns(ofTheWhole: file, blockRequests: blockRequests)
  }

  private func expectColumns(ofTheWhole file: File, blockRequests: Int) throws {
    let columns: TraceColumns = [.sizes, .times, .operations, .ttls, .costs, .keyLengths]
    let whole = try TraceLoader.load(bytes: file.bytes, name: file.name, columns: columns)
    let blocks = try TraceLoader.blocks(
      bytes: file.bytes, name: file.name, columns: columns, hasHashes: true,
      blockRequests: blockRequests)
    let keys = StreamedKeys(seed: 42)
    var (next, distinct) = (0, 0)
    while let block = try blocks.next() {
      #expect(block.count == min(blockRequests, whole.requests - next))
      keys.add(block)
      let rows = next..<next + block.count
      #expect(rows.allSatisfy { block.ids[$0 - next] == whole.ids[$0] })
      #expect((block.sizes != nil) == (whole.sizes != nil))
      #expect((block.times != nil) == (whole.times != nil))
      #expect((block.operations != nil) == (whole.operations != nil))
      if let sizes = block.sizes, let all = whole.sizes {
        #expect(rows.allSatisfy { sizes[$0 - next] == all[$0] })
      }
      if let times = block.times, let all = whole.times {
        #expect(rows.allSatisfy { times[$0 - next] == all[$0] })
      }
      if let operations = block.operations, let all = whole.operations {
        #expect(rows.allSatisfy { operations[$0 - next] == all[$0] })
      }
      #expect((block.ttls != nil) == (whole.ttls != nil))
      if let ttls = block.ttls, let all = whole.ttls {
        #expect(rows.allSatisfy { ttls[$0 - next] == all[$0] })
      }
      #expect((block.costs != nil) == (whole.costs != nil))
      if let costs = block.costs, let all = whole.costs {
        #expect(rows.allSatisfy { costs[$0 - next] == all[$0] })
      }
      next += block.count
      distinct = rows.reduce(distinct) { max($0, Int(whole.ids[$1]) + 1) }
      #expect(block.distinct == distinct)
    }
    #expect(try blocks.next() == nil, "the end comes again")
    #expect(next == whole.requests && blocks.format == whole.format)
    let hashes = try #require(keys.hashes)
    let expected = whole.keyHashes(seed: 42)
    #expect((0..<whole.distinct).allSatisfy { hashes[$0] == expected[$0] })
    #expect((keys.lengths != nil) == (whole.keyLengths != nil))
    if let lengths = keys.lengths, let all = whole.keyLengths {
      #expect((0..<whole.distinct).allSatisfy { lengths[$0] == all[$0] })
    }
  }

  @Test func limitEndsTheLastBlock() throws {
    let blocks = try TraceLoader.blocks(
      bytes: Self.files[1].bytes, name: "rows.csv", columns: .sizes, limit: 10, blockRequests: 7)
    var counts: [Int] = []
    while let block = try blocks.next() { counts.append(block.count) }
    #expect(counts == [7, 3])
  }

  @Test func errorComesAfterTheBlocksBeforeIt() throws {
    let good = String(repeating: "1 1 0 0\n", count: 200_500)
    let blocks = try TraceLoader.blocks(
      bytes: Array((good + "damage\n").utf8), name: "bad.lis", columns: [], blockRequests: 1000)
    var requests = 0
    let error = failure { () throws(TraceError) in
      while let block = try blocks.next() { requests += block.count }
    }
    #expect(
      error?.description == "bad.lis: line 200501: not four numbers 'start count ignored request'; "
        + "correct the line or name another format")
    #expect(requests == 200_000)
  }

  @Test func emptyFilesAreRefused() throws {
    func failure(_ bytes: [UInt8], _ name: String) throws -> TraceError? {
      let blocks = try TraceLoader.blocks(
        bytes: bytes, name: name, columns: [], blockRequests: 100)
      do throws(TraceError) { while try blocks.next() != nil {} } catch { return error }
      return nil
    }
    #expect(try failure([], "a.txt") == .noRequests(file: "a.txt"))
    #expect(try failure(Array("# nothing\n".utf8), "a.txt") == .noRequests(file: "a.txt"))
    #expect(try failure([0, 1, 2], "a.evtrace")?.kind == .data)
  }
}
