import Testing
import Traces

/// The requests for blocks that disk requests become.
@Suite struct BlockFormatsTests {
  private func keys(_ trace: Trace) -> [UInt64] { (0..<UInt32(trace.distinct)).map(trace.keyHash) }

  private func hashes(_ texts: String...) throws -> [UInt64] {
    keys(try load(texts.joined(separator: "\n") + "\n"))
  }

  @Test func aRangeIsCutIntoTheBlocksItTouches() throws {
    let trace = try TextSample.msr.trace()
    #expect(
      try keys(trace)
        == hashes("usr.0:2684456", "usr.0:2684457", "usr.0:2684458", "usr.1:2684456"))
    #expect(trace.sizes.map(Array.init) == [4096, 4096, 4096, 4096, 4096])
    #expect(trace.operations.map(Array.init) == [.read, .read, .write, .write, .read])
    let small = try TextSample.msr.trace(":block=512")
    #expect(small.requests == 16 + 9 + 1)
    #expect(small.sizes?.first == 512)
    let large = try TextSample.msr.trace(":block=1MiB")
    #expect(ids(large) == [0, 0, 1])
  }

  @Test func aRequestMayStayWhole() throws {
    let trace = try TextSample.msr.trace(":whole=true")
    #expect(ids(trace) == [0, 1, 2])
    #expect(trace.sizes.map(Array.init) == [8192, 4097, 1])
    #expect(
      try keys(trace) == hashes("usr.0:10995531776", "usr.0:10995535872", "usr.1:10995531776"))
    let repeated = try TextSample.cacheLibBlock.trace(":whole=true")
    #expect(ids(repeated) == [0, 0, 1])
    #expect(
      message(
        "1,W,0,1125899906842625,1\n", format: "alibaba-block:whole=true")
        == "keys.txt: line 1: a request of 1125899906842625 bytes from 0; "
        + "correct the line or name another format")
  }

  @Test func writesMayBeLeftOut() throws {
    #expect(ids(try TextSample.msr.trace(":writes=false")) == [0, 1, 2])
    #expect(ids(try TextSample.spc.trace(":writes=false")) == [0, 1])
  }

  @Test func noBytesAreNoBlock() throws {
    #expect(ids(try load("1,R,0,0,1\n1,R,0,1,1\n", format: "alibaba-block")) == [0])
    #expect(ids(try load("1,R,0,0,1\n1,R,0,1,1\n", format: "alibaba-block:whole=true")) == [0, 0])
  }

  @Test func timesAreNanosecondsSince1970WhereTheSourceHasThem() throws {
    #expect(try TextSample.msr.trace().times?.first == 1_172_163_600_306_162_900)
    #expect(try TextSample.systor.trace().times?.first == 1_456_095_145_133_076_000)
    #expect(try TextSample.alibaba.trace().times?.last == 1_577_808_144_360_800_000)
    #expect(try TextSample.tencent.trace().times?.first == 1_538_323_200_000_000_000)
    #expect(try TextSample.spc.trace().times?.last == 78_643_000)
    #expect(try TextSample.cacheLibBlock.trace().times?.last == 1_697_000_002_000_000_000)
    let relative = try load("50,usr,0,Read,0,1,1\n", format: "msr", columns: .times)
    #expect(relative.times?.first == 5000)
  }

  @Test func sectorsAreBytesOnceRead() throws {
    #expect(try keys(TextSample.tencent.trace()) == hashes("1283:2", "1283:3", "1284:3"))
    #expect(try keys(TextSample.spc.trace()) == hashes("0:2", "1:2"))
    // Optional fields may follow.
    #expect(ids(try load("0,20,4096,r,0.07,1,2\n", name: "WebSearch1.spc")) == [0, 1])
    #expect(try keys(TextSample.spc.trace(":whole=true")) == hashes("0:8192", "1:8192"))
  }

  @Test func headersAreSkippedWhereThereAreAny() throws {
    let header = "device_id,opcode,offset,length,timestamp\n"
    #expect(
      ids(try load(header + TextSample.alibaba.text, name: "io.csv")) == TextSample.alibaba.ids)
    let tencent = "Timestamp,Offset,Size,IOType,VolumeID\r\n" + TextSample.tencent.text
    #expect(try load(tencent, name: "x.csv").format == "tencent-block")
    #expect(ids(try load(tencent, name: "x.csv")) == TextSample.tencent.ids)
  }

  @Test func linesThatLookLikeOthersAreNotTaken() throws {
    for text in [
      TextSample.tencent.text, "1,W,2,3,x\n", "1,W,2,3,4,5\n", "0,20,4096,r,0.07,1\n",
    ] {
      #expect(message(text, name: "numbers").contains("columns with commas between them"))
    }
    #expect(try load("time,op,size,lbn\n1,R,4096,7\n", name: "x").format == "csv")
  }

  @Test func aLimitEndsWithinARange() throws {
    let text = "1,R,0,4294967296,1\n"
    #expect(try load(text, format: "alibaba-block", columns: .all, limit: 9).sizes?.count == 9)
    #expect(
      message("1,R,0,4294967297,1\n", format: "alibaba-block")
        == "keys.txt: line 1: a request of 4294967297 bytes from 0; "
        + "correct the line or name another format")
  }
}
