import TestConditions
import Testing
import Traces

/// Lines as long as they are, and files of one line.
@Suite struct LongLinesTests {
  /// A session of so many prompts, each of a thousand blocks: `i`, `i + 1`, …
  private func session(prompts: Int) -> String {
    let requests = (0..<prompts).map { prompt in
      let blocks = (prompt..<prompt + 1000).map(String.init).joined(separator: ",")
      return #"{"t":\#(prompt),"in":64000,"out":1,"hash_ids":[\#(blocks)]}"#
    }
    return #"{"id":"a","block_size":64,"hash_id_scope":"local","requests":["#
      + requests.joined(separator: ",") + "]}"
  }

  @Test func aDocumentMayBeLongerThanTheBuffer() throws {
    let document = session(prompts: 900)
    #expect(document.utf8.count > 3 << 20)
    for (text, sessions) in [
      (document + "\n", 1), (document + "\n" + document + "\n", 2), ("\n" + document, 1),
    ] {
      let trace = try load(text, name: "weka.json", columns: .groups)
      #expect(trace.format == "weka" && trace.requests == sessions * 900_000)
    }
    // Blocks 0 … 1898 in 900 prompts of a thousand.
    let trace = try load(document, name: "x")
    #expect(trace.requests == 900_000 && trace.distinct == 1899)
  }

  @Test func aKeyMayBeLongerThanTheBuffer() throws {
    let long = String(repeating: "x", count: 3 << 20)
    let trace = try load("a\n\(long)\na\n\(long)\n\(long)y", columns: .keyLengths)
    #expect(ids(trace) == [0, 1, 0, 1, 2])
    #expect(trace.keyLengths.map(Array.init) == [1, 3 << 20, 3 << 20 + 1])
  }

  @Test func whatIsLongerIsRefusedWithItsLine() {
    let long = String(repeating: "x", count: TraceInput.longestLine)
    #expect(
      message("key,size\na,1\n\(long),2\n", name: "a.csv")
        == "a.csv: line 3: the line is longer than 1 MiB; cut it, or name the format if it is another"
    )
  }

  @Test(.enabled(if: isOptimized, "256 MiB need a release build")) func noDocumentIsEndless() {
    /// A document that never ends.
    final class Endless: ByteSource {
      private(set) var consumedBytes = 0
      var totalBytes: Int? { nil }

      func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        _ = target.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "1"))
        if consumedBytes == 0 { target.copyBytes(from: #"{"hash_ids":["#.utf8) }
        consumedBytes += target.count
        return target.count
      }
    }
    let source = Endless()
    let error = failure { () throws(TraceError) in
      _ = try TraceLoader.load(
        source, file: "endless", format: TraceFormats.format("mooncake"), columns: [], limit: nil,
        progress: nil)
    }
    #expect(
      error?.description == "endless: line 1: the line is longer than 256 MiB; "
        + "cut it, or name the format if it is another")
    #expect(source.consumedBytes <= TraceInput.longestDocument + 1 << 20)
  }

  @Test func theMemoryOfALongLineIsToldBefore() {
    let document = session(prompts: 900)
    var most = 0
    let error = failure { () throws(TraceError) in
      _ = try TraceLoader.load(bytes: Array(document.utf8), name: "weka.json", format: "weka") {
        most = max(most, $0.held.requestBytes)
        return most == 0
      }
    }
    #expect(error == .cancelled(file: "weka.json"))
    // The buffer of 2 MiB, told as the part of it that is read: 1 of more than 3 MiB.
    #expect(most > 1 << 18 && most < 2 << 20)
  }

  @Test func aDocumentWithoutAnEndIsReadWhenItIsComplete() throws {
    let document = session(prompts: 3)
    #expect(document.utf8.count > 8 << 10)
    #expect(try load(document, name: "session.json").requests == 3000)
    for length in stride(from: 1, to: document.utf8.count, by: 97) {
      let part = String(decoding: document.utf8.prefix(length), as: UTF8.self)
      #expect(message(part, name: "session.json").hasPrefix("session.json: line 1: "))
    }
  }

  @Test func aDocumentOfSeveralLinesIsRefusedWithTheWayOn() {
    let document = session(prompts: 2).replacing("\"requests\":[", with: "\"requests\":[\n")
    #expect(
      message(document, name: "weka.json")
        == "weka.json: line 1: JSON that does not end on its line; "
        + "if it is whole, write it in one line, for instance by jq -c .")
  }

  @Test func aLogOfOneLineIsReadWithoutItsEnd() throws {
    let line = #"::1 - - [29/Feb/2024:23:59:59 +0000] "GET /a b HTTP/1.1" 200 10"#
    for (text, name, format) in [
      (line, "access.log", "access-log"), (line, "scarab.log", "access-log"),
      (#"1.5 [0 lua] "GET" "k""#, "monitor.log", "redis"), ("5 1 0 0", "x", "lis"),
      ("0,a,1,5,1,get,0", "cluster", "twitter"),
      (#"{"timestamp": 0, "hash_ids": [46, 47]}"#, "t.jsonl", "mooncake"),
    ] {
      let trace = try load(text, name: name)
      #expect(trace.format == format && trace.requests >= 1)
    }
    #expect(
      message("user:17", name: "keys.txt")
        == "keys.txt: line 1: the only line does not end; end it if it is whole, or say "
        + "--trace-format plain; else fetch or record the file again")
    #expect(try load("user:17", format: "plain").requests == 1)
    #expect(try load("a,1", name: "a.csv", format: "csv:key=1").requests == 1)
  }
}
