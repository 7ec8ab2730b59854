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

  /// A log of S3 has brackets and quotes at the places of an access log.
  @Test func noLogIsTakenForAnother() throws {
    for sample in TextSample.logs + [TextSample.accessLog] {
      for other in TextSample.logs + [TextSample.accessLog] where other.format != sample.format {
        #expect(try load(sample.text, name: other.name).format == sample.format)
      }
    }
  }
}
