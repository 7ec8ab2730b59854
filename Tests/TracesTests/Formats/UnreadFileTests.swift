import Testing
import Traces

/// Files that are met and not read are named, with the way on.
@Suite struct UnreadFileTests {
  @Test(
    arguments: [
      (
        [0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0x80, 0x00], "bzip2",
        "bzip2 -dc FILE | evict"
      ),
      ([0x04, 0x22, 0x4D, 0x18, 0x64], "lz4", "lz4 -dc FILE | evict"),
      ([0x50, 0x4B, 0x03, 0x04, 0x14], "zip", "unzip -p FILE | evict"),
      ([0x50, 0x41, 0x52, 0x31, 0x15, 0x04], "Apache Parquet", "duckdb"),
      ([0x41, 0x52, 0x52, 0x4F, 0x57, 0x31, 0x00], "Apache Arrow", "pyarrow"),
      ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "HDF5", "h5dump"),
      ([0x07, 0x74, 0x61, 0x65, 0x01, 0x00], "Linux's block layer", "blkparse -i FILE"),
    ] as [([UInt8], String, String)])
  func theContentTells(_ bytes: [UInt8], _ name: String, _ way: String) {
    for format in [nil, "plain", "csv:key=1"] {
      let text = message(bytes, name: "a.log", format: format)
      #expect(text.hasPrefix("a.log: the file is "), "\(text)")
      #expect(text.contains(name) && text.contains(way), "\(text)")
    }
  }

  @Test func aTraceOfRocksDBIsPrintedFirst() {
    let bytes = [UInt8](repeating: 1, count: 13) + Array("feedcafedeadbeef\tTrace Version".utf8)
    #expect(message(bytes, name: "t").contains("block_cache_trace_analyzer"))
  }

  @Test func theNameTellsWhereTheContentDoesNot() throws {
    #expect(message([1, 2, 3], name: "a.lct").contains("LMCache's .lct traces are not read"))
    #expect(message([1, 2, 3], name: "a.lcp").contains("(evict formats mooncake)"))
    #expect(
      message("0, 14205, 0, 4096, 0\n1, 14000, 0, 4096, 8192\n", name: "job_clat.1.log")
        .contains("fio --write_iolog"))
    #expect(try load("1 10 68\n2 11 7\n2 10 68\n", name: "a.lct").format == "webcachesim")
  }

  @Test func textAndNamedBinaryDataAreLeftAlone() throws {
    #expect(try load("PAR1\nORC\nBZh91AY&SY\n", name: "keys.txt").format == "plain")
    let bytes: [UInt8] = [0x50, 0x41, 0x52, 0x31, 0, 0, 0, 0]
    #expect(message(bytes, name: "a", format: "binary") == "1 requests")
  }
}
