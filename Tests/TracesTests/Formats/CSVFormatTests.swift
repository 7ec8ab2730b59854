import Testing
import Traces

@Suite struct CSVFormatTests {
  private let sample = "version,time,op,size,lbn\n1,5,2a,512,42\n1,6,28,1024,43\n1,7,2a,512,42\n"

  @Test func aHeaderNamesTheColumns() throws {
    let trace = try load(sample, name: "a.csv", columns: .all)
    #expect(ids(trace) == [0, 1, 0])
    #expect(trace.sizes.map(Array.init) == [512, 1024, 512])
    #expect(trace.times.map(Array.init) == [5_000_000_000, 6_000_000_000, 7_000_000_000])
    #expect(trace.operations.map(Array.init) == [.write, .read, .write])
    #expect(trace.columns == [.sizes, .times, .operations, .keyLengths])
    #expect(try load(sample, name: "a.csv").columns == [])
    #expect(try load(sample, name: "anything").format == "csv")
  }

  @Test func columnsAreFoundAsAskedFor() throws {
    let trace = try load(
      sample, name: "a.csv", format: "csv:key=5:size=TIME:time=none:operation=none",
      columns: .all)
    #expect(trace.sizes.map(Array.init) == [5, 6, 7])
    #expect(trace.columns == [.sizes, .keyLengths])
  }

  @Test func withoutAHeaderNumbersDo() throws {
    let trace = try load(
      "9|1|100\n9|2|200\n", name: "a.csv", format: "csv:key=2:size=3", columns: .sizes)
    #expect(ids(trace) == [0, 1])
    #expect(trace.sizes.map(Array.init) == [100, 200])
    #expect(ids(try load("a\nb\na\n", name: "a.csv")) == [0, 1, 0])
  }

  @Test(arguments: [
    (",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "pipe"), (" ", "space"),
  ])
  func delimitersAreRecognisedOrGiven(_ delimiter: String, _ word: String) throws {
    let text = "key,size\na,1\nb,2\na,1\n".replacing(",", with: delimiter)
    for format in ["csv", "csv:delimiter=\(word)", "csv:header=true", "csv:delimiter=\(delimiter)"]
    {
      let trace = try load(text, name: "a.csv", format: format, columns: .sizes)
      #expect(ids(trace) == [0, 1, 0])
      #expect(trace.sizes.map(Array.init) == [1, 2, 1])
    }
  }

  @Test func severalSpacesDelimitLikeOne() throws {
    let trace = try load(
      "  1   a   5\n 10   b  50\n", name: "a", format: "csv:key=2:size=3:delimiter=space",
      columns: [.sizes, .keyLengths])
    #expect(trace.sizes.map(Array.init) == [5, 50])
    #expect(trace.keyLengths.map(Array.init) == [1, 1])
  }

  @Test func headersMayBeForcedOrDenied() throws {
    #expect(try load("key\nkey\n", name: "a.csv", format: "csv:header=false:key=1").requests == 2)
    #expect(try load("5\n6\n", name: "a.csv", format: "csv:header=true:key=1").requests == 1)
    let marked = try load("\u{FEFF}# time, key\n1,a\n", name: "a.csv")
    #expect(marked.requests == 1)
  }

  @Test func quotesFollowTheStandard() throws {
    let text =
      "\"size\",\"key\"\r\n1,\"a,b\"\r\n2,\"say \"\"hi\"\"\"\r\n3,\"two\nlines\" \r\n4,\"\"\"\"\r\n5,\"a,b\""
    let trace = try load(text, name: "a.csv", columns: [.sizes, .keyLengths])
    #expect(ids(trace) == [0, 1, 2, 3, 0])
    #expect(trace.keyLengths.map(Array.init) == [3, 8, 9, 1])
    #expect(trace.sizes.map(Array.init) == [1, 2, 3, 4, 5])
    #expect(trace.keyHash(of: 0) == (try load("a,b\n", format: "plain").keyHash(of: 0)))
  }

  @Test func aQuoteWithinAFieldIsAByte() throws {
    #expect(
      try load("key,size\n5\"disk,1\n", name: "a.csv", columns: .keyLengths)
        .keyLengths.map(Array.init) == [6])
  }

  @Test func timesHaveUnitsSignsAndFractions() throws {
    func times(_ text: String, _ unit: String) throws -> [Int64]? {
      try load("time,key\n\(text),a\n", name: "a.csv", format: "csv:unit=\(unit)", columns: .times)
        .times.map(Array.init)
    }
    #expect(try times("1.25", "s") == [1_250_000_000])
    #expect(try times("-0.5", "ms") == [-500_000])
    #expect(try times("7", "us") == [7000])
    #expect(try times("7.9", "ns") == [7])
    let named = try load("timestamp_ms,key\n5,a\n", name: "a.csv", columns: .times)
    #expect(named.times.map(Array.init) == [5_000_000])
    let given = try load(
      "time_ms,key\n5,a\n", name: "a.csv", format: "csv:unit=us", columns: .times)
    #expect(given.times.map(Array.init) == [5000])
    #expect(try times("1700000000.123456789123", "s") == [1_700_000_000_123_456_789])
  }

  @Test func costsTimesToLiveAndClassesAreKept() throws {
    let trace = try load(
      "key,cost,ttl,tenant\na,0.5,60,x\nb,2,,y\nc,1e3,0,x\n", name: "a.csv", columns: .all)
    #expect(trace.costs.map(Array.init) == [0.5, 2, 1000])
    #expect(trace.ttls.map(Array.init) == [60_000_000_000, 0, 0])
    #expect(trace.classes.map(Array.init) == [0, 1, 0])
    #expect(trace.classNames == ["x", "y"])
  }

  @Test func aLimitCutsEveryColumn() throws {
    let trace = try load(sample, name: "a.csv", columns: .all, limit: 2)
    #expect(trace.requests == 2 && trace.sizes?.count == 2 && trace.operations?.count == 2)
  }

  @Test func messagesNameTheLineAndTheField() {
    let remedy = "correct the line, or say which column is which"
    func of(_ line: String, _ columns: TraceColumns = .all) -> String {
      message("key,size,time,op\na,1,1,get\n\(line)\n", name: "a.csv", columns: columns)
    }
    #expect(of("a,1.5,1,get") == "a.csv: line 3: '1.5' is no size; \(remedy)")
    #expect(of("a,-1,1,get") == "a.csv: line 3: '-1' is no size; \(remedy)")
    #expect(of("a,,1,get") == "a.csv: line 3: '' is no size; \(remedy)")
    let unit = "correct the line, or give the unit, for instance csv:unit=ns"
    #expect(of("a,1,noon,get") == "a.csv: line 3: 'noon' is no time; \(unit)")
    #expect(
      of("a,1,99999999999999999999,get")
        == "a.csv: line 3: '99999999999999999999' is no time; \(unit)")
    #expect(of("a,1,1,dance") == "a.csv: line 3: 'dance' is no operation; \(remedy)")
    #expect(of(" ,1,1,get") == "a.csv: line 3: the key is empty; \(remedy)")
    #expect(
      of("a,1,1")
        == "a.csv: line 3: 3 columns where 4 are needed; correct the line or the delimiter")
    #expect(of("a", []) == "2 requests")
    #expect(
      of("\"a\"b,1,1,get")
        == "a.csv: line 3: text follows a closing quote; double the quotes within quotes")
    #expect(
      of("\"a,1,1,get\n\n")
        == "a.csv: line 3: a quote is not closed; close it or name another format")
  }

  @Test func linesAreCountedAcrossQuotes() {
    #expect(
      message("key,size\n\"a\nb\nc\",1\n\nx,?\n", name: "a.csv", columns: .sizes)
        == "a.csv: line 6: '?' is no size; correct the line, or say which column is which")
  }

  @Test func messagesSayWhichColumnsThereAre() {
    #expect(
      message(sample, name: "a.csv", format: "csv:key=block")
        == "a.csv: there is no column 'block' for csv:key; "
        + "the file has version, time, op, size, lbn")
    #expect(
      message(sample, name: "a.csv", format: "csv:time=9", columns: .times)
        == "a.csv: line 2: 5 columns where 9 are needed; correct the line or the delimiter")
    #expect(
      message("1,2\n3,4\n", name: "a.csv")
        == "a.csv: nothing says which of 2 columns is the key; name it, for instance "
        + "--trace-format csv:key=1")
    #expect(
      message("1,2\n3,4\n", name: "a.csv", format: "csv:key=lbn")
        == "a.csv: there is no column 'lbn' for csv:key; the file has no names, "
        + "only numbers from 1")
    #expect(
      message("1,2\n", name: "a.csv", format: "csv:delimiter=ab")
        == "'ab' is no delimiter of csv; "
        + "give one character, or comma, semicolon, tab, pipe, space")
    #expect(
      message("1,2\n", name: "a.csv", format: "csv:unit=days")
        == "csv: unit=days is out of range; give s | ms | us | ns")
  }

  @Test func columnsOfOneNameAreRefusedUnlessNumbered() throws {
    let text = "\nkey,size,key,Size\na,1,b,2\n"
    func of(_ format: String, _ columns: TraceColumns = []) -> String {
      message(text, name: "a.csv", format: format, columns: columns)
    }
    #expect(
      of("csv")
        == "a.csv: line 2: 2 columns are called 'key'; say which by its number, for instance csv:key=1"
    )
    #expect(of("csv:key=KEY").hasPrefix("a.csv: line 2: 2 columns are called 'KEY'"))
    #expect(
      of("csv:key=3:size=SIZE", .sizes).hasPrefix("a.csv: line 2: 2 columns are called 'SIZE'"))
    let trace = try load(text, name: "a.csv", format: "csv:key=3:size=Size", columns: .all)
    #expect(trace.keyHash(of: 0) == (try load("b\n")).keyHash(of: 0) && trace.sizes?.first == 2)
  }

  @Test func anyBytesWhateverAreReadOrRefused() {
    let seed: UInt64 = 11
    var random = SeededNumbers(seed)
    let alphabet = Array("ab1\",;\n\r \t.-".utf8)
    for round in 0..<3000 {
      let count = Int.random(in: 0..<40, using: &random)
      let bytes = (0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
      for format in ["csv:key=1", "csv:key=2:size=1:delimiter=,", "lis", "plain"] {
        let error = failure { () throws(TraceError) in
          _ = try TraceLoader.load(bytes: bytes, name: "x", format: format, columns: .all)
        }
        #expect(
          error == nil || error?.kind == .data || error?.kind == .usage,
          "seed \(seed), round \(round), \(format)")
      }
    }
  }
}
