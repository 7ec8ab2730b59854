import Parameters
import Synchronization
import Testing
import Traces

/// The values that logs of requests have.
@Suite struct LogFormatsTests {
  private func key(_ text: String) throws -> UInt64 {
    try load(text + "\n", format: "plain").keyHash(of: 0)
  }

  @Test func loadBalancersOfBothKindsAreRead() throws {
    let trace = try TextSample.elb.trace()
    #expect(trace.sizes.map(Array.init) == [29, Trace.unknownSize, 366])
    #expect(
      trace.times.map(Array.init) == [
        1_431_560_383_945_958_000, 1_530_570_180_186_641_000, 1_530_570_180_186_641_000,
      ])
    #expect(try trace.keyHash(of: 0) == key("http://a.com:80/"))
    #expect(try trace.keyHash(of: 1) == key("https://a.com:443/x y?q=1"))
    let all = try TextSample.elb.trace(":methods=all")
    #expect(ids(all) == [0, 1, 0, 0])
    #expect(all.operations.map(Array.init) == [.get, .get, .set, .get])
  }

  @Test func objectsOfS3HaveTheirWholeSize() throws {
    let trace = try TextSample.s3.trace()
    #expect(trace.sizes.map(Array.init) == [2948, Trace.unknownSize, 2948])
    #expect(
      trace.times.map(Array.init) == [
        1_549_411_238_000_000_000, 1_328_910_127_000_000_000, 1_549_411_241_000_000_000,
      ])
    #expect(try trace.keyHash(of: 0) == key("shop/a/b%20c.jpg"))
    #expect(try trace.keyHash(of: 1) == key("www.a.com/x"))
    let all = try TextSample.s3.trace(":methods=all")
    #expect(ids(all) == [0, 1, 2, 0])
    #expect(all.operations.map(Array.init) == [.get, .set, .get, .get])
    #expect(all.sizes.map(Array.init) == [2948, 4406, Trace.unknownSize, 2948])
  }

  @Test func haproxysLinesMayBeBareOrSyslogs() throws {
    let trace = try TextSample.haproxy.trace()
    #expect(trace.sizes.map(Array.init) == [2750, 7456, 2750])
    #expect(trace.times?.first == 1_233_922_454_655_000_000)
    #expect(try trace.keyHash(of: 1) == key("/a?b=c"))
  }

  @Test func squidsLogsAreRead() throws {
    let trace = try TextSample.squid.trace()
    #expect(trace.sizes.map(Array.init) == [1374, Trace.unknownSize, 1374])
    #expect(trace.times?.first == 1_066_036_250_603_000_000)
    #expect(try trace.keyHash(of: 0) == key("http://www.a.com/x?q=1"))
    #expect(ids(try TextSample.squid.trace(":statuses=200")) == [0, 0])
  }

  @Test func ibmsOperationsAreMethods() throws {
    let trace = try TextSample.ibmObject.trace()
    #expect(trace.sizes.map(Array.init) == [1168, 1056, 1168])
    #expect(trace.times?.first == 1_232_488_000_000)
    let all = try TextSample.ibmObject.trace(":methods=all")
    #expect(ids(all) == [0, 1, 2, 0, 0, 2])
    #expect(all.operations.map(Array.init) == [.set, .get, .get, .get, .delete, .get])
    #expect(all.sizes.map(Array.init) == [1056, 528, 1168, 1056, 1056, 1168])
  }

  @Test func fieldsOfW3CLogsAreFoundByName() throws {
    let trace = try TextSample.w3c.trace()
    #expect(trace.sizes.map(Array.init) == [27028, Trace.unknownSize, 27028])
    #expect(
      trace.times.map(Array.init) == [
        1_333_238_413_000_000_000, 1_333_238_414_500_000_000, 1_333_238_416_000_000_000,
      ])
    #expect(try trace.keyHash(of: 0) == key("/foo/bar?a=1&b=2"))
    #expect(try trace.keyHash(of: 1) == key("/foo"))
  }

  @Test func w3cLogsOfManyServersAreRead() throws {
    func read(_ text: String) throws -> Trace {
      let trace = try load(text, name: "log", columns: .all)
      #expect(trace.format == "w3c")
      return trace
    }
    let cloudFront = try read(
      "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem "
        + "sc-status cs(Referer) cs(User-Agent) cs-uri-query\n"
        + "2014-05-23\t01:13:11\tFRA2\t182\t192.0.2.10\tGET\td1.cloudfront.net\t/view/my file.html\t200\t"
        + "https://example.com/\tMozilla/5.0%2520(Windows)\ta=b\n")
    #expect(cloudFront.sizes.map(Array.init) == [182])
    #expect(cloudFront.times.map(Array.init) == [1_400_807_591_000_000_000])
    #expect(try cloudFront.keyHash(of: 0) == key("/view/my file.html?a=b"))

    let shoutcast = try read(
      "#Fields: c-ip c-dns date cs-uri-stem c-status cs(User-Agent) sc-bytes x-duration avgbandwidth time\n"
        + "1.2.3.4 5.6.7.8 2015-12-07 /stream?title=UKR%20Nights 200 NSPlayer 65580 1 524640 10:37:05\n"
    )
    #expect(shoutcast.times.map(Array.init) == [1_449_484_625_000_000_000])
    #expect(shoutcast.sizes.map(Array.init) == [65580])
    #expect(shoutcast.operations.map(Array.init) == [.get])

    let incapsula = try read(
      "#Software: Incapsula LOGS API\n#Date: 28/Jun/2017 07:28:59\n"
        + "#Fields: date time cs(User-Agent) cs-uri cs-method cs-uri-query sc-status\n"
        + #""2017-06-28" "07:26:35" "a ""b"" c" "www.a.com/p.php" "GET" "v=1" "200""# + "\n")
    #expect(incapsula.sizes == nil)
    #expect(incapsula.times.map(Array.init) == [1_498_634_795_000_000_000])
    #expect(try incapsula.keyHash(of: 0) == key("www.a.com/p.php?v=1"))
  }

  @Test func aW3CLogNeedsTheNamesOfItsFields() {
    #expect(
      message("2012-04-01 00:00:13 GET /\n", format: "w3c")
        == "keys.txt: line 1: no #Fields: before the first entry; "
        + "correct the line or name another format")
    #expect(
      message("#Version: 1.0\n#Fields: date-time,client-ip\n2012,1\n", name: "smtp.log")
        == "smtp.log: line 2: #Fields names no cs-uri-stem and no cs-uri; "
        + "correct the line or name another format")
  }

  private let served = """
    1.1.1.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a?utm=1 HTTP/1.1" 200 10
    1.1.1.1 - - [10/Oct/2000:13:55:37 +0000] "GET /a?utm=2 HTTP/1.1" 200 10
    1.1.1.1 - - [10/Oct/2000:13:55:38 +0000] "GET /b HTTP/1.1" 404 7
    1.1.1.1 - - [10/Oct/2000:13:55:39 +0000] "GET /b HTTP/1.1" 503 7
    1.1.1.1 - - [10/Oct/2000:13:55:40 +0000] "GET /c HTTP/1.1" 304 -

    """

  @Test(
    arguments: [
      ("", [0, 1, 2, 2, 3]), (":query=drop", [0, 0, 1, 1, 2]), (":statuses=200,304", [0, 1, 2]),
      (":statuses=2xx:query=drop", [0, 0]), (":statuses=503", [0]),
      (":ignore=utm", [0, 0, 1, 1, 2]), (":ignore=ut*", [0, 0, 1, 1, 2]),
      (":ignore=u", [0, 1, 2, 2, 3]),
    ] as [(String, [UInt32])])
  func anAccessLogsLinesAreChosen(_ parameters: String, _ expected: [UInt32]) throws {
    #expect(ids(try load(served, format: "access-log" + parameters)) == expected)
  }

  @Test(
    arguments: [
      ("/a?x=1&utm_source=s&y=2&fbclid", "/a?x=1&y=2"), ("/a?utm_a=1&x=1", "/a?x=1"),
      ("/a?utm_a=1&fbclid=2", "/a"), ("/a?fbclid2=1", "/a?fbclid2=1"), ("/a?", "/a?"),
      ("/a?x&&y", "/a?x&&y"), ("/utm_a&fbclid", "/utm_a&fbclid"),
      ("/a?x=utm_a?fbclid", "/a?x=utm_a?fbclid"),
    ])
  func parametersOfAQueryAreIgnored(_ target: String, _ expected: String) throws {
    let rule = "ignore=utm_*,fbclid"
    let line = "1.1.1.1 - - [10/Oct/2000:13:55:36 +0000] \"GET \(target) HTTP/1.1\" 200 10\n"
    #expect(try load(line, format: "access-log:\(rule)").keyHash(of: 0) == key(expected))
    let object = #"{"u":"\#(target.replacing("&", with: #"\u0026"#))"}"# + "\n"
    #expect(try load(object, format: "json:key=u:\(rule)").keyHash(of: 0) == key(expected))
  }

  @Test func parametersThatAW3CLogHasApartAreIgnored() throws {
    #expect(try TextSample.w3c.trace(":ignore=a").keyHash(of: 0) == key("/foo/bar?b=2"))
    #expect(try TextSample.w3c.trace(":ignore=a,b").keyHash(of: 0) == key("/foo/bar"))
    #expect(try TextSample.w3c.trace(":ignore=a:query=drop").keyHash(of: 0) == key("/foo/bar"))
  }

  @Test func aParameterWithoutANameIsRefused() {
    #expect(
      message(served, format: "access-log:ignore=utm_*,")
        == "ignore=utm_*,: “” is no name of a parameter; "
        + "give names or their starts, such as ignore=utm_*,fbclid")
  }

  /// Lines of other methods and statuses are counted, and the trace lacks nothing by them.
  @Test func linesThatAreNoRequestsAreCounted() throws {
    let loss = try load(served, format: "access-log:statuses=200,304").loss
    #expect(loss.otherLines == 2 && loss.isNone)
    let lines = #"{"u":"/a","s":200}"# + "\n" + #"{"u":"/b","s":404}"# + "\n"
    #expect(try load(lines, format: "json:key=u:status=s:statuses=2xx").loss.otherLines == 1)
  }

  /// Each log keeps all that has a status, and nothing that has another one.
  @Test func everyLogOfHTTPIsChosenByStatus() throws {
    for sample in TextSample.logs + [TextSample.accessLog]
    where !["ibm-object", "json", "w3c"].contains(sample.format) {
      let all = try sample.trace()
      #expect(ids(try sample.trace(":statuses=1xx,2xx,3xx,4xx,5xx")) == ids(all))
      #expect(throws: TraceError.self) { try sample.trace(":statuses=599") }
    }
  }

  /// A line that tells no status has none of those that are kept.
  @Test func linesOfJSONAreChosenByStatus() throws {
    let text = ["200", "404", "304"].map { #"{"u":"/\#($0)?q","s":\#($0)}"# + "\n" }.joined()
    let lines = text + #"{"u":"/none"}"# + "\n"
    let trace = try load(lines, format: "json:key=u:status=s:statuses=2xx,304:query=drop")
    #expect(ids(trace) == [0, 1])
    #expect(try trace.keyHash(of: 1) == key("/304"))
  }

  @Test func aQueryThatAW3CLogHasApartIsDropped() throws {
    let trace = try TextSample.w3c.trace(":query=drop")
    let whole = try TextSample.w3c.trace()
    #expect(try whole.keyHash(of: 0) == key("/foo/bar?a=1&b=2"))
    #expect(try trace.keyHash(of: 0) == key("/foo/bar"))
  }

  @Test func aStatusThatIsNoneIsRefused() {
    #expect(
      message(served, format: "access-log:statuses=2x")
        == "statuses=2x: “2x” is no status; "
        + "give numbers of three digits or classes, such as statuses=200,404 or 2xx")
    #expect(
      message("#Fields: cs-uri\n/a\n", format: "w3c:statuses=200").contains("no sc-status"))
    #expect(
      message(#"{"u":"/a"}"# + "\n", format: "json:key=u:statuses=200")
        .contains("json:status=status"))
  }

  @Test func damagedLinesAreLeftOutAndCounted() throws {
    let torn = served.replacing("\"GET /b", with: "GET /b")
    #expect(
      message(torn, name: "access.log", format: "access-log")
        == "access.log: line 3: not 'host ident user [time] \"request\" status bytes'; "
        + "correct the line, name another format, or leave such lines out: "
        + "--trace-format access-log:damaged=skip")
    let trace = try load(torn, name: "access.log", format: "access-log:damaged=skip")
    #expect(ids(trace) == [0, 1, 2])
    #expect(
      "\(trace.loss)" == "2 damaged lines are left out, the first at access.log, line 3: "
        + "not 'host ident user [time] \"request\" status bytes'")
    let nothing = message("torn\n", format: "access-log:damaged=skip")
    #expect(nothing.contains("line 1: not 'host ident"))
  }

  @Test func damagedTimesSizesAndObjectsAreLeftOut() throws {
    let sizes = served.replacing("503 7", with: "503 seven")
      .replacing("10/Oct/2000:13:55:36", with: "today")
    let trace = try load(sizes, format: "access-log:damaged=skip", columns: .all)
    #expect(ids(trace) == [0, 1, 2] && trace.sizes?.count == 3 && trace.loss.damagedLines == 2)
    let lines = #"{"u":"/a","n":1}"# + "\n{\n" + #"{"u":"/a","n":"x"}"# + "\n"
    let objects = try load(
      lines, format: "json:key=u:size=n:damaged=skip", columns: .sizes)
    #expect(ids(objects) == [0] && objects.loss.damagedLines == 2)
    let columns = "#Fields: cs-uri sc-bytes\n/a 1\n/b\n/a 1\n"
    let fields = try load(columns, format: "w3c:damaged=skip", columns: .sizes)
    #expect(ids(fields) == [0, 0] && fields.loss.damagedLines == 1)
  }

  @Test func aStreamTellsAtItsEndWhatItLacks() throws {
    let torn = served.replacing("\"GET /b", with: "GET /b")
    let told = Mutex<[RecordingLoss]>([])
    let folder = TemporaryFolder()
    let path = folder.file("access.log", Array(torn.utf8))
    let blocks = try TraceLoader.blocks(
      path: path, name: "access.log", format: "access-log:damaged=skip", columns: [],
      hasHashes: false, cancellation: Cancellation(),
      lost: { loss in told.withLock { $0.append(loss) } })
    while try blocks.next() != nil {}
    #expect(told.withLock { $0.map(\.damagedLines) } == [2])
  }

  /// A log of S3 has brackets and quotes at the places of an access log.
  @Test func noLogIsTakenForAnother() throws {
    for sample in TextSample.logs + [TextSample.accessLog] {
      for other in TextSample.logs + [TextSample.accessLog] where other.format != sample.format {
        #expect(try load(sample.text, name: other.name).format == sample.format)
      }
    }
  }
}
