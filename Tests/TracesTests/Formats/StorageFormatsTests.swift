import Testing
import Traces

/// The values that traces of storage have.
@Suite struct StorageFormatsTests {
  private func keys(_ trace: Trace) -> [UInt64] {
    (0..<trace.distinct).map { trace.keyHash(of: UInt32($0)) }
  }

  private func hashes(_ texts: String...) throws -> [UInt64] {
    keys(try load(texts.map { $0 + "\n" }.joined(), format: "plain"))
  }

  @Test func sectorsBecomeBlocksOfTheirDevice() throws {
    #expect(try keys(TextSample.fiu.trace()) == hashes("6.0:2", "6.0:3", "6.0:4", "8.1:2"))
    #expect(try TextSample.fiu.trace().times?.first == 89_968_195_792_462)
    #expect(try keys(TextSample.blkparse.trace()) == hashes("8.0:2", "8.0:3", "8.16:2"))
    let trace = try TextSample.blkparse.trace()
    #expect(trace.times.map(Array.init) == [0, 1_500_000_000, 1_500_000_000, 2_000_000_000])
    #expect(trace.operations.map(Array.init) == [.write, .read, .read, .write])
  }

  @Test func anotherActionOfBlkparseMayBeRequested() throws {
    let trace = try TextSample.blkparse.trace(":action=C")
    #expect(ids(trace) == [0])
    #expect(trace.operations.map(Array.init) == [.read])
  }

  @Test func iologsHaveTimesFromVersion3On() throws {
    let trace = try TextSample.fio.trace()
    #expect(trace.times.map(Array.init) == [878_000, 878_000, 888_000, 891_000])
    #expect(trace.operations.map(Array.init) == [.write, .write, .read, .read])
    #expect(try keys(trace) == hashes("/dev/sda:0", "/dev/sda:1", "/dev/sdb:1"))
    let old = try load(
      "fio version 2 iolog\n/dev/sda add\n/dev/sda open\n/dev/sda read 0 4096\n/dev/sda wait 900\n"
        + "/dev/sda write 4096 1\n/dev/sda close\n", name: "log", columns: .all)
    #expect(old.format == "fio")
    #expect(ids(old) == [0, 1])
    #expect(old.columns == [.sizes, .operations, .keyLengths])
  }

  @Test func tectonicsBlocksAreVolumes() throws {
    let trace = try TextSample.baleen.trace()
    #expect(try keys(trace) == hashes("40231:1", "40231:2", "7:2"))
    #expect(trace.times?.first == 1_697_000_001_250_000_000)
    #expect(trace.operations.map(Array.init) == [.read, .read, .write, .read])
    #expect(ids(try TextSample.baleen.trace(":block=128KiB:writes=false")) == [0, 1])
    let text =
      TextSample.baleen.text.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
    #expect(try load(text, name: "tectonic-201910.trace").format == "baleen")
  }

  @Test func blocksOfRocksDBHaveAFamily() throws {
    let trace = try TextSample.rocksDB.trace()
    #expect(trace.sizes.map(Array.init) == [4096, 100, 4096])
    #expect(trace.times?.last == 1_571_771_400_000_009_000)
    #expect(trace.classNames == ["default", "meta"])
  }

  @Test func aRangeOfMetasCDNIsARequestForItsObject() throws {
    let trace = try TextSample.metaCDN.trace()
    #expect(trace.sizes.map(Array.init) == [92160, 10, 92160])
    #expect(trace.ttls.map(Array.init) == [86_400_000_000_000, 0, 86_400_000_000_000])
    let moved = "cacheKey,timestamp,TTL,objectSize\n7,5,1,2\n8,6,0,3\n"
    #expect(try load(moved, name: "a", columns: .sizes).sizes.map(Array.init) == [2, 3])
  }

  @Test func eachFormOfAPhotoIsAnObject() throws {
    let trace = try TextSample.tencentPhoto.trace()
    #expect(trace.sizes.map(Array.init) == [24085, 90000, 24085])
    #expect(trace.times?.first == 1_454_345_159_000_000_000)
    let photo = "b4d3d7d28ae8dc6fb3e14a6ea2a4ed6d5d8f8e3d"
    #expect(try keys(trace) == hashes(photo + ":5:m", photo + ":5:b"))
  }

  @Test func tragensSizesAreKibibytes() throws {
    #expect(try TextSample.tragen.trace().sizes.map(Array.init) == [26624, 12288, 26624])
    #expect(try TextSample.tragen.trace(":scale=1").sizes.map(Array.init) == [26, 12, 26])
    let header = "timestamp, object_id, object_size (Kb)\n"
    let trace = try load(header + TextSample.tragen.text, name: "x", columns: .all)
    #expect(trace.format == "tragen")
    #expect(ids(trace) == [0, 1, 0])
  }

  @Test func addressesMayHavePenalties() throws {
    let trace = try load(
      "l 0x1fffff50 1 200 1200\ns 0x1fffff58 4 200 1500.5\nl 0x1fffff50 1 1 100\n",
      name: "gcc.trace",
      columns: .all)
    #expect(trace.format == "address")
    #expect(ids(trace) == [0, 1, 0])
    #expect(trace.costs.map(Array.init) == [1200, 1500.5, 100])
    #expect(try load("l 0x1fffff50 1\n", name: "a", columns: .all).costs == nil)
    #expect(
      message("l 0x1fffff50 1 200 1200\ns 0x1fffff58 4\n", name: "a", columns: .all)
        == "a: line 2: penalties in some lines only; correct the line or name another format")
    for line in ["l 0x1f 1 200", "l 0x1f 1 200 x", "l 0x1f 1 -1 2", "l 0x1f 1 2 inf"] {
      #expect(
        message(line + "\n", format: "address").contains("is no reference to memory"), "\(line)")
    }
  }

  @Test func threeColumnsAreToldByWhatTheySay() throws {
    let text = "1 10 68\n2 11 7\n2 10 68\n3 12 9\n"
    let trace = try load(text, name: "numbers", columns: .sizes)
    #expect(trace.format == "webcachesim")
    #expect(ids(trace) == [0, 1, 0, 2])
    #expect(trace.sizes.map(Array.init) == [68, 7, 68, 9])
    let rest = String(repeating: "9 10 68\n", count: 9)
    for (other, reason) in [
      ("2 10 68\n1 11 7\n2 10 68\n", "times fall"), ("1 10 68\n2 10 7\n3 11 5\n", "sizes change"),
      ("1 10 68\n2 11 7\n", "no key is repeated"),
      ("1 68 10\n2 7 11\n3 68 12\n", "size before key"),
      ("1 10 68 5 0\n2 11 7 5 0\n3 10 68 5 0\n", "more columns"),
      ("1 10 5\n2 11 5\n3 10 5\n", "one size"),
      (rest + "9 x 68\n", "a word"),
    ] {
      #expect(message(other, name: "numbers").contains("plain if"), "\(reason)")
    }
  }
}
