import Foundation
import TestConditions
import Testing
import Traces

/// The behaviour of every text format.
@Suite struct TextFormatsTests {
  @Test(arguments: TextSample.all)
  func theSampleIsRead(_ sample: TextSample) throws {
    let trace = try sample.trace()
    #expect(ids(trace) == sample.ids)
    #expect(trace.columns == sample.columns)
    #expect(trace.format == sample.format)
    #expect(try sample.trace(columns: []).columns == [])
  }

  @Test(arguments: TextSample.all)
  func theFormatIsToldByNameAndContent(_ sample: TextSample) throws {
    #expect(try load(sample.text, name: sample.name).format == sample.format)
    let packed = Compression.zstd.pack(Array(sample.text.utf8))
    let trace = try TraceLoader.load(bytes: packed, name: sample.name + ".zst")
    #expect(trace.format == sample.format)
    #expect(ids(trace) == sample.ids)
  }

  @Test(arguments: TextSample.all)
  func lineEndsAndBlankLinesDoNotMatter(_ sample: TextSample) throws {
    let trace = try sample.trace()
    for text in [
      sample.text.replacing("\n", with: "\r\n"), sample.text.replacing("\n", with: "\n\n"),
      String(sample.text.dropLast()),
    ] {
      let other = try load(text, name: sample.name, columns: .all)
      #expect(other.format == sample.format)
      #expect(ids(other) == ids(trace))
      #expect(other.sizes.map(Array.init) == trace.sizes.map(Array.init))
      #expect(other.times.map(Array.init) == trace.times.map(Array.init))
      #expect(other.operations.map(Array.init) == trace.operations.map(Array.init))
      #expect(other.ttls.map(Array.init) == trace.ttls.map(Array.init))
      #expect(other.keyLengths.map(Array.init) == trace.keyLengths.map(Array.init))
    }
  }

  @Test(arguments: TextSample.all)
  func damageIsAnErrorWithItsLine(_ sample: TextSample) {
    let line = sample.text.count { $0 == "\n" } + 1
    for (text, problem) in sample.damage {
      #expect(
        message(sample.text + text + "\n", name: "t", format: sample.format, columns: .all)
          == "t: line \(line): \(problem); \(sample.remedy(for: problem))")
    }
  }

  /// A file of which a line near the start is damaged is not silently something else.
  @Test(arguments: TextSample.all)
  func damageDoesNotHideTheFormat(_ sample: TextSample) throws {
    let line = sample.text.count { $0 == "\n" } + 1
    let last = try #require(sample.text.split(separator: "\n").last)
    let rest = String(repeating: last + "\n", count: 12)
    for (text, problem) in sample.damage {
      #expect(
        message(sample.text + text + "\n" + rest, name: sample.name, columns: .all)
          == "\(sample.name): line \(line): \(problem); \(sample.remedy(for: problem))")
    }
  }

  @Test func firstLineMayBeCutOff() {
    let line = #"h - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326"# + "\n"
    #expect(
      message(String(line.suffix(20)) + String(repeating: line, count: 5), name: "log")
        == "log: line 1: not 'host ident user [time] \"request\" status bytes'; "
        + TextSample.accessLog.remedy(for: ""))
    #expect(
      message("1 2 3\n1 1 0 0\n2 1 0 0\n3 1 0 0\n", name: "t")
        == "t: line 1: not four numbers 'start count ignored request'; "
        + "correct the line or name another format")
  }

  /// The names of columns are no damage, remarks speak for no format, and half is no minority.
  @Test func whatIsNoDamageChangesNoFormat() throws {
    let blocks = "128166372003061629,hm,0,Read,383496192,32768,413\n"
    #expect(
      try load("time,host,disk,op,lbn,size,latency\n" + blocks + blocks + blocks, name: "t").format
        == "csv")
    #expect(try load("OK\nOK\nOK\nfoo\n", name: "t").format == "plain")
    #expect(message("1 1 0 0\nuser:1\n", name: "t").contains("several words on a line"))
    #expect(
      message("k v\n" + String(repeating: "a b\n", count: 9), name: "t").contains("2 columns"))
  }

  @Test func aDelimiterIsToldFromMostLines() throws {
    let text = "id size\na 1\nb 2\nc 3\nd\n"
    #expect(try load(text, name: "t", limit: 3).format == "csv")
  }

  @Test(arguments: TextSample.all)
  func nothingIsNoTrace(_ sample: TextSample) {
    for text in ["", "\n", " \r\n\n"] {
      let error = failure { () throws(TraceError) in
        _ = try load(text, name: sample.name, format: sample.format)
      }
      #expect(error?.kind == .data)
    }
    #expect(
      message("", name: "t", format: sample.format)
        == "t: 0 requests, at most a header or comments; fetch or record it again")
  }

  @Test(arguments: TextSample.all)
  func aLimitCutsEveryColumn(_ sample: TextSample) throws {
    for limit in 1..<sample.ids.count {
      let trace = try sample.trace(limit: limit)
      #expect(ids(trace) == Array(sample.ids.prefix(limit)))
      #expect(trace.columns == sample.columns)
      for count in [trace.sizes?.count, trace.times?.count, trace.operations?.count] {
        #expect(count == nil || count == limit)
      }
      #expect(trace.groupStarts?.allSatisfy { $0 < limit } ?? true)
    }
  }

  @Test(arguments: TextSample.all)
  func whateverIsCutOffOrChangedIsReadOrRefused(_ sample: TextSample) {
    let bytes = Array(sample.text.utf8)
    let seed: UInt64 = 7
    var random = SeededNumbers(seed)
    for round in 0..<(isOptimized ? 120 : 30) {
      var text = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      for _ in 0..<Int.random(in: 0...3, using: &random) where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &random)
        text[place] =
          [bytes.randomElement(using: &random) ?? 0, UInt8(random.next() & 0xFF)][
            round % 2]
      }
      let error = failure { () throws(TraceError) in
        _ = try TraceLoader.load(
          bytes: text, name: "t", format: sample.format, columns: .all, limit: 1000)
      }
      #expect(error == nil || error?.kind == .data, "seed \(seed), round \(round)")
      let detected = failure { () throws(TraceError) in
        _ = try TraceLoader.load(bytes: text, name: sample.name, limit: 1000)
      }
      // A .csv file may lack a name for its key.
      #expect(
        detected == nil || detected?.kind == .data || detected?.kind == .usage,
        "seed \(seed), round \(round)")
    }
  }

  @Test func sizesThatCannotBeAddedUpAreRefused() {
    let most = 1 << 50
    let text = "time,key,size\n" + String(repeating: "1,a,\(most)\n", count: 8191)
    #expect(message(text, name: "a.csv", columns: .sizes) == "8191 requests")
    #expect(
      message(text + "1,a,\(most)\n", name: "a.csv", columns: .sizes)
        == "a.csv: 2^63 bytes or more are requested in all; are the sizes really bytes?")
    #expect(
      message("key,size\na,\(most + 1)\n", name: "a.csv", columns: .sizes)
        == "a.csv: line 2: '1125899906842625' is no size; "
        + "correct the line, or say which column is which")
  }

  /// The bundled traces are found beside the sources.
  @Test(arguments: [
    ("build.csv.zst", "csv"), ("history.txt.zst", "plain"), ("orders.txt.zst", "plain"),
    ("search.txt.zst", "plain"), ("zipf.txt.zst", "plain"), ("hotscan.txt.zst", "plain"),
  ])
  func bundledTracesAreOfTheirFormat(_ file: String, _ format: String) throws {
    let traces = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("traces")
    let path = traces.appendingPathComponent(file).path
    #expect(try TraceLoader.load(path: path, limit: 1).format == format)
  }
}
