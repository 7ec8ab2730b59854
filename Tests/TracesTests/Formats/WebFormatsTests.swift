import Testing
import Traces

/// Columns of the traces of the web.
@Suite struct WebFormatsTests {
  @Test func webCacheSimsColumnsMayBeSplitByTabs() throws {
    let trace = try TextSample.webCacheSim.trace()
    #expect(trace.sizes.map(Array.init) == [68, 7454, 40773])
    #expect(trace.times?.last == 3_000_000_000)
    let tabs = try load("1\t0\t68\n2\t1\t7\n", name: "a.tr", columns: .sizes)
    #expect(tabs.format == "webcachesim")
    #expect(tabs.sizes.map(Array.init) == [68, 7])
    #expect(try TextSample.webCacheSim.trace(":unit=us").times?.last == 3000)
    for (text, name) in [(TextSample.webCacheSim.text, "numbers"), ("a b c\n", "words.tr")] {
      #expect(message(text, name: name).contains("columns with blanks between them"))
    }
  }

  @Test func wikipediasReleasesAreToldByTheirHeaders() throws {
    let upload = try TextSample.wikipedia.trace()
    #expect(upload.sizes.map(Array.init) == [67925, 1024, 67925])
    #expect(upload.times.map(Array.init) == [0, 0, 3_000_000_000])
    #expect(upload.keyHash(of: 0) == (try load("-5178239430911474190\n").keyHash(of: 0)))
    let text = try load(
      "relative_unix\thashed_host_path_query\tresponse_size\ttime_firstbyte\n7\t-12\t33\t0.1\n",
      name: "cache-t-00", columns: .all)
    #expect(text.format == "wikipedia")
    #expect(text.sizes?.first == 33)
    #expect(text.times?.first == 7_000_000_000)
    let old = try load(
      "hashed_host_path\turi_query\tcontent_type\tresponse_size\ttime_firstbyte\tx_cache\n"
        + "5\t?a\timage/png\t10\t0.1\tcp1 hit\n5\t\timage/png\t11\t0.1\tcp1 hit\n",
      name: "2016", columns: .all)
    #expect(old.columns == [.sizes, .keyLengths])
    #expect(old.keyLengths.map(Array.init) == [4, 1])
  }

  @Test func wikipediasColumnsAreCountedWithoutAHeader() throws {
    func read(_ line: String) throws -> Trace {
      try load(line, name: "w", format: "wikipedia", columns: .all)
    }
    #expect(try read("7\t-12\t33\t0.1\n").sizes?.first == 33)
    #expect(try read("7\t-12\tjpeg\t34\t0.1\n").sizes?.first == 34)
    #expect(try read("5\t?a\timage/png\t10\t0.1\tcp1 hit\n").keyLengths?.first == 4)
    #expect(
      message("7\t-12\n", format: "wikipedia")
        == "keys.txt: line 1: 2 columns and no known header; "
        + "releases have 4 to 6 columns with tabs between them")
  }

  @Test func wikibenchsSavesAreSets() throws {
    let trace = try TextSample.wikibench.trace()
    #expect(trace.operations.map(Array.init) == [.get, .set, .get])
    #expect(trace.times?.first == 1_190_146_243_303_000_000)
  }

  @Test func aLogsTimesKnowTheirZone() throws {
    let trace = try TextSample.accessLog.trace()
    #expect(trace.sizes.map(Array.init) == [2326, Trace.unknownSize, 2326])
    #expect(
      trace.times.map { $0.map { $0 / 1_000_000_000 } }
        == [971_211_336, 1_709_251_199, 1_709_231_400])
    #expect(trace.keyHash(of: 0) == (try load("/apache_pb.gif\n").keyHash(of: 0)))
  }

  @Test func allMethodsAreReadWhenAskedFor() throws {
    let trace = try TextSample.accessLog.trace(":methods=all")
    #expect(ids(trace) == [0, 1, 0, 0])
    #expect(trace.operations.map(Array.init) == [.get, .get, .set, .get])
  }

  @Test func mooncakesLinesAreGroups() throws {
    let trace = try TextSample.mooncake.trace()
    #expect(trace.groupStarts.map(Array.init) == [0, 2, 4])
    #expect(trace.times.map { $0.map { $0 / 1000 } } == [0, 0, 3_052_500, 3_052_500, 5_000_000])
    #expect(trace.integerKey(of: 3) == 9)
    #expect(try TextSample.mooncake.trace(":unit=s").times?.last == 5_000_000_000_000)
    for text in ["{\"hash_ids\"\n", "{\"a\": \"hash_ids\"}\n"] {
      #expect(message(text, name: "x").hasPrefix("x: line 1: JSON, and no format that is known"))
    }
  }
}
