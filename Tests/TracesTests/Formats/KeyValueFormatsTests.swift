import Testing
import Traces

/// Columns of the traces of caches of keys and values.
@Suite struct KeyValueFormatsTests {
  @Test func twittersSizesAreKeysAndValues() throws {
    let trace = try TextSample.twitter.trace()
    #expect(trace.sizes.map(Array.init) == [230, 54, 115, 230])
    #expect(trace.times.map(Array.init) == [0, 0, 1_000_000_000, 2_000_000_000])
    #expect(trace.operations.map(Array.init) == [.get, .get, .set, .get])
    #expect(trace.ttls.map(Array.init) == [0, 0, 3_600_000_000_000, 0])
    #expect(trace.keyLengths.map(Array.init) == [17, 27, 15])
    #expect(trace.keyHash(of: 2) == (try load("key,with,commas\n", format: "plain").keyHash(of: 0)))
  }

  @Test func cacheLibsLinesAreRepeated() throws {
    let trace = try TextSample.cacheLib.trace()
    #expect(trace.sizes.map(Array.init) == [108, 108, Trace.unknownSize, 69, 9])
    #expect(trace.times.map { $0.map { $0 / 1_000_000_000 } } == [5, 5, 6, 7, 8])
    #expect(trace.operations.map(Array.init) == [.get, .get, .get, .set, .delete])
    #expect(trace.ttls.map(Array.init) == [0, 0, 0, 30_000_000_000, 0])
    #expect(trace.classNames == ["7", "8"])
    #expect(trace.classes.map(Array.init) == [0, 0, 1, 1, 0])
  }

  @Test func cacheLibsReleasesAreToldByTheirHeaders() throws {
    let first = try load(
      "key,op,size,op_count,key_size\n1672151904,GET,180,0,27\n1,SET,5,1,2\n", name: "kv.csv",
      columns: .all)
    #expect(first.format == "cachelib")
    #expect(first.requests == 1)
    #expect(first.sizes.map(Array.init) == [7])
    #expect(first.columns == [.sizes, .operations, .keyLengths])
    let second = try load(
      "key,op,size,op_count,key_size,ttl\n1,SET,5,1,2,60\n", name: "kv", columns: .ttls)
    #expect(second.ttls.map(Array.init) == [60_000_000_000])
    #expect(
      message("1,GET,5,1,2\n", format: "cachelib")
        == "keys.txt: line 1: no header with key, op, size, op_count and key_size; "
        + "correct the line or name another format")
  }

  @Test func memcachedsKeysAreFreedOfTheirEscapes() throws {
    let trace = try TextSample.memcached.trace()
    #expect(trace.keyLengths.map(Array.init) == [3, 4])
    #expect(trace.keyHash(of: 1) == (try load("a b/\n", format: "plain").keyHash(of: 0)))
    #expect(trace.sizes.map(Array.init) == [Trace.unknownSize, 3, 7, 3])
    #expect(trace.operations.map(Array.init) == [.get, .set, .get, .delete])
    #expect(trace.ttls.map(Array.init) == [0, 60_000_000_000, 0, 0])
    #expect(
      trace.times.map(Array.init) == [
        1_638_218_263_118_394_000, 1_638_218_263_000_005_000, 1_638_218_264_118_401_000,
        1_638_218_264_118_405_000,
      ])
  }

  @Test func memcachedsStoresAreWhatTheirCommandsSay() throws {
    let lines = ["cas", "append", "null", "add"].map { command in
      "ts=1.1 gid=1 type=item_store key=a status=stored cmd=\(command) ttl=0 clsid=1 size=1\n"
    }
    #expect(
      try load(lines.joined(), columns: .operations).operations.map(Array.init)
        == [.compareAndSet, .append, .set, .add])
  }

  @Test func ycsbsOperationsAreKept() throws {
    let trace = try TextSample.ycsb.trace()
    #expect(
      trace.operations.map(Array.init) == [.add, .read, .set, .read, .read, .set, .delete])
    #expect(trace.classNames == ["usertable", "other"])
    #expect(trace.keyHash(of: 1) == (try load("user8517\n").keyHash(of: 0)))
    #expect(try load("READ t u1 [ <all fields>]\n").format == "ycsb")
    for text in ["READ the book again\n", "read t u1 [ <all fields>]\n"] {
      #expect(message(text).contains("columns with blanks between them"))
    }
  }
}
