import Testing
import Traces

/// Files that were read wrongly, here or by other simulators; the right keys were counted by hand.
@Suite struct ReportedFilesTests {
  /// The ids of a text, however it is named where it is told.
  private func ids(
    _ text: String, _ name: String, format: String? = nil
  ) throws(TraceError) -> [UInt32] {
    Array(try load(text, name: name, format: format, columns: .all).ids)
  }

  /// The first key is the third: `a`, `b`, `a`. With the mark as a part of it there are three keys.
  @Test(arguments: [
    ("bom.txt", "a\nb\na\n", "plain"),
    ("bom-blocks.csv", "1,R,4096,4096,100\n1,R,0,4096,101\n1,R,4096,4096,102\n", "alibaba-block"),
    ("Financial1.spc", "0,8,4096,w,0.0\n0,16,4096,r,0.1\n0,8,4096,r,0.2\n", "spc"),
    ("bom.tr", "1 0 68\n2 1 7\n3 0 68\n", "webcachesim"),
    ("t.lis", "5 1 0 0\n6 1 0 1\n5 1 0 2\n", "lis"),
    ("gcc.trace", "l 0x10 1\nl 0x20 1\nl 0x10 1\n", "address"),
    (
      "ycsb.log", "READ t a [ <all fields>]\nREAD t b [ <all fields>]\nREAD t a [ <all fields>]\n",
      "ycsb"
    ),
    (
      "monitor.txt",
      "1.1 [0 lua] \"get\" \"x\"\n1.2 [0 lua] \"get\" \"y\"\n1.3 [0 lua] \"get\" \"x\"\n",
      "redis"
    ),
    (
      "watch.log",
      "ts=1.1 gid=1 type=item_get key=a size=1\nts=1.2 gid=2 type=item_get key=b size=1\n"
        + "ts=1.3 gid=3 type=item_get key=a size=1\n", "memcached"
    ),
    ("cluster001", "0,a,1,5,1,get,0\n0,b,1,5,1,get,0\n0,a,1,5,1,get,0\n", "twitter"),
    (
      "usr_0.csv", "9,usr,0,Read,0,4096,1\n9,usr,0,Read,4096,4096,1\n9,usr,0,Read,0,4096,1\n", "msr"
    ),
  ])
  func aByteOrderMarkIsNoPartOfAKey(_ name: String, _ text: String, _ format: String) throws {
    for content in [text, "\u{FEFF}" + text] {
      let trace = try load(content, name: name)
      #expect(trace.format == format && Array(trace.ids) == [0, 1, 0])
      #expect(try ids(content, name, format: format) == [0, 1, 0])
    }
  }

  /// Blocks 1 and 2 twice: four requests for two keys, two of them hits.
  @Test func aByteOrderMarkBeforeJSON() throws {
    let line = #"{"timestamp":0,"input_length":600,"output_length":1,"hash_ids":[1,2]}"# + "\n"
    let trace = try load("\u{FEFF}" + line + line, name: "bom.jsonl")
    #expect(trace.format == "mooncake" && Array(trace.ids) == [0, 1, 0, 1])
  }

  @Test func aByteOrderMarkBeforeColumnsWithoutAHeader() throws {
    #expect(
      try ids("\u{FEFF}a,1\nb,2\na,3\n", "bom-noheader.csv", format: "csv:key=1") == [0, 1, 0])
    #expect(
      try ids("\u{FEFF}0,a,1\n1,b,2\n2,a,3\n", "x.csv", format: "csv:key=2:time=1") == [0, 1, 0])
  }

  /// Three columns that no format claims: each line was a key of its own, so that nothing was ever a hit.
  @Test func columnsAreNoKeys() throws {
    do throws(TraceError) {
      let trace = try load("1 0 68\n2 1 7\n3 0 68\n", name: "columns-unrecognised.txt")
      // A format that knows them reads objects 0, 1, 0.
      #expect(trace.format != "plain" && Array(trace.ids) == [0, 1, 0])
    } catch {
      #expect(error.description.contains("3 columns with blanks between them"))
    }
  }

  @Test func aLineOfMoreFieldsThanTheHeaderIsRefused() throws {
    let text = "url,size\n/x?ids=1,2,500\n/x?ids=1,3,500\n"
    #expect(
      message(text, name: "commas.csv", columns: .sizes)
        == "commas.csv: line 2: 3 columns where the header names 2; "
        + "quote what holds a delimiter, or correct the line")
    #expect(message("url\n/a\n/x?ids=1,2\n", name: "one.csv").contains("line 3: 2 columns where"))
    #expect(
      message("url,size\n/a,1\n\"/x?ids=1,2\",5,7\n", name: "q.csv").contains("line 3: 3 columns"))
    #expect(
      message("key size\na 1\na 1\na 1\na 1\nb 2 3\n", name: "s.csv").contains(
        "line 6: 3 columns where"))
    // Quoted as they should be, they are two keys.
    let quoted = "url,size\n\"/x?ids=1,2\",500\n\"/x?ids=1,3\",500\n"
    #expect(try ids(quoted, "commas.csv") == [0, 1])
    #expect(try ids("key size\na 1 \r\nb  2 \r\n", "s.csv") == [0, 1], "blanks at the end")
    let wide = "a,b,key,d,e,f,g,h,i\n" + String(repeating: "1,2,k,4,5,6,7,8,9\n", count: 3)
    #expect(try ids(wide, "wide.csv") == [0, 0, 0])
    #expect(message(wide + "1,2,k,4,5,6,7,8,9,10\n", name: "w.csv").contains("line 5: 10 columns"))
  }

  /// The same in formats whose columns are fixed.
  @Test func otherFormatsRefuseFurtherColumns() {
    for sample in TextSample.all
    where ["cachelib", "cachelib-block", "msr", "systor", "alibaba-block"].contains(sample.format) {
      let last = sample.text.split(separator: "\n").last ?? ""
      let line = sample.text.count { $0 == "\n" } + 1
      let columns = last.count { $0 == "," } + 1
      #expect(
        message(sample.text + last + ",7\n", name: sample.name).contains(
          "line \(line): \(columns + 1) columns where there are \(columns); "),
        "\(sample.format)")
    }
  }

  /// `a`, `b`, `a`, and a first line that is none of them.
  @Test(arguments: [
    "when,what\n1,a\n2,b\n3,a\n", "time,key,404\n1,a,5\n2,b,5\n3,a,5\n",
    "time,key,nan\n1,a,5\n2,b,5\n3,a,5\n", "time,key,inf\n1,a,5\n2,b,5\n3,a,5\n",
    "# when, what\n1,a\n2,b\n3,a\n", "# a comment\n# another, with commas, in it\n1,a\n2,b\n3,a\n",
    "#time,key\n1,a\n2,b\n3,a\n", "\n# x\n\ntime,key\n1,a\n2,b\n3,a\n",
    "# \"a quote\nwhen,what\n1,a\n2,b\n3,a\n",
  ])
  func aHeaderIsNoRequest(_ text: String) throws {
    for ends in ["\n", "\r\n"] {
      #expect(
        try ids(text.replacing("\n", with: ends), "header.csv", format: "csv:key=2") == [0, 1, 0])
    }
  }

  /// IBM's object store: the header is a comment of other columns than the lines.
  @Test func ibmsHeaderIsAComment() throws {
    let text =
      "# timestamp (ms), op type [PUT, GET], object id, size (bytes)\n"
      + "0 REST.PUT.OBJECT 8d4f 1056\n5 REST.GET.OBJECT 00ff 7\n9 REST.GET.OBJECT 8d4f 1056\n"
    let trace = try load(
      text, name: "ibm.csv", format: "csv:key=3:size=4:delimiter=space", columns: .sizes)
    #expect(Array(trace.ids) == [0, 1, 0] && trace.sizes.map(Array.init) == [1056, 7, 1056])
    #expect(try ids(text, "ibm.csv", format: "csv:key=3") == [0, 1, 0])
  }

  @Test func namesInACommentAreAHeader() throws {
    let trace = try load("# key, size\na,5\nb,6\n", name: "x", columns: .sizes)
    #expect(trace.format == "csv" && trace.sizes.map(Array.init) == [5, 6])
    #expect(message("# key, size\na,5\nb,6,7\n", name: "x.csv").contains("line 3: 3 columns"))
  }

  /// Numbers and keys that come again are no names.
  @Test(arguments: [
    "1,a\n2,b\n3,a\n", "0.5,a\n1,b\n2,a\n", "-1,a\n1,b\n2,a\n", "1,a\nnan,b\n2,a\n",
  ])
  func aRequestIsNoHeader(_ text: String) throws {
    #expect(try ids(text, "data.csv", format: "csv:key=2") == [0, 1, 0])
  }

  /// `key` may be the name of a column or a key: nothing in the other lines tells.
  @Test(arguments: [
    "a,key\nb,x\na,key\n", "key\nkey\n", "key,client\nalice,x\nbob,y\n", "alice,x\nbob,y\n",
    "home\nuser:1\nuser:2\n",
  ])
  func aHeaderThatNothingTellsIsRefused(_ text: String) throws {
    let refusal = message(text, name: "a.csv", format: "csv:key=1")
    #expect(
      refusal
        == "a.csv: line 1: nothing tells if the first line names the columns or is a request; "
        + "say csv:header=yes or csv:header=no")
    let lines = text.count { $0 == "\n" }
    #expect(try ids(text, "a.csv", format: "csv:key=1:header=no").count == lines)
    #expect(try ids(text, "a.csv", format: "csv:key=1:header=yes").count == lines - 1)
  }

  @Test func keysThatBeginLikeCommentsNeedAWord() throws {
    let text = "#tag,5\nb,6\n#tag,7\n"
    #expect(message(text, name: "a.csv", format: "csv:key=1").contains("csv:header=no"))
    #expect(try ids(text, "a.csv", format: "csv:key=1:header=no") == [0, 1, 0])
    #expect(try ids("#a,5\n#b,6\n#a,7\n", "a.csv", format: "csv:key=1:header=no") == [0, 1, 0])
  }

  /// Two documents, of which the log says `doc one.pdf` and `doc two.pdf`; the target ends at the last blank
  /// before the protocol.
  @Test func aTargetMayHoldBlanks() throws {
    func keys(_ requests: String...) throws -> [String] {
      let text = requests.map {
        #"192.0.2.1 - - [10/Oct/2026:13:55:30 +0000] "\#($0)" 200 5"# + "\n"
      }.joined()
      let trace = try load(text, name: "url-space.log", columns: .keyTexts)
      #expect(trace.format == "access-log")
      return trace.ids.map { trace.keyTexts?[$0] ?? "?" }
    }
    #expect(
      try keys("GET /doc one.pdf HTTP/1.1", "GET /doc two.pdf HTTP/1.1")
        == ["/doc one.pdf", "/doc two.pdf"])
    #expect(try keys("GET /a HTTP/ b HTTP/2.0") == ["/a HTTP/ b"])
    #expect(try keys("GET  /a  HTTP/1.1", "GET /a", " GET /a b") == ["/a", "/a", "/a b"])
    #expect(try keys("GET /a", "GET HTTP/1.1", "GET") == ["/a"])
  }

  /// Hash 12 with query 3, and hash 1 with query 23, are two keys.
  @Test func aHashAndAQueryAreSetApart() throws {
    let text =
      "hashed_host_path\turi_query\tcontent_type\tresponse_size\ttime_firstbyte\tx_cache\n"
      + "12\t3\tjpeg\t5\t0.1\thit\n1\t23\tjpeg\t5\t0.1\thit\n"
    #expect(try ids(text, "wiki2016.tsv") == [0, 1])
  }
}
