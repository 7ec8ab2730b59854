import Testing
import Traces

@Suite struct JSONFormatTests {
  private func key(_ text: String) throws -> UInt64 {
    try load(text + "\n", format: "plain").keyHash(of: 0)
  }

  private func read(_ text: String, _ options: String) throws(TraceError) -> Trace {
    try load(text + "\n", name: "a.jsonl", format: "json:" + options, columns: .all)
  }

  @Test func caddysLogIsTold() throws {
    let trace = try TextSample.json.trace()
    #expect(trace.sizes.map(Array.init) == [3609, Trace.unknownSize, 3609])
    #expect(
      trace.times.map(Array.init) == [
        1_703_373_474_815_560_800, 1_703_373_476_000_000_000, 1_703_373_478_000_000_000,
      ])
    #expect(try trace.keyHash(of: 0) == key("/beta/?q=é"))
    #expect(ids(try TextSample.json.trace(":methods=all")) == [0, 1, 1, 0])
  }

  @Test func logsOfTraefikAndNginxAreTold() throws {
    func told(_ text: String) throws -> Trace {
      let trace = try load(text + "\n", name: "access.log", columns: .all)
      #expect(trace.format == "json")
      return trace
    }
    let traefik = try told(
      #"{"DownstreamContentSize":15,"RequestMethod":"GET","RequestPath":"/a?id=1\u0026u=d","#
        + #""StartUTC":"2023-08-11T11:39:21.773360139Z","time":"2023-08-11T11:41:25Z"}"#)
    #expect(try traefik.keyHash(of: 0) == key("/a?id=1&u=d"))
    #expect(traefik.sizes.map(Array.init) == [15])
    #expect(traefik.times.map(Array.init) == [1_691_753_961_773_360_139])

    let nginx = try told(
      #"{"time_local":"10/Oct/2000:13:55:36 -0700","request":"GET /a b HTTP/1.1","status":"200","#
        + #""body_bytes_sent":"2326"}"#)
    #expect(try nginx.keyHash(of: 0) == key("/a b"))
    #expect(nginx.sizes.map(Array.init) == [2326])
    #expect(nginx.times.map(Array.init) == [971_211_336_000_000_000])

    let variables = try told(
      #"{"msec":"1703373474.5","request_method":"GET","request_uri":"/x?y","bytes_sent":9}"#)
    #expect(try variables.keyHash(of: 0) == key("/x?y"))
    #expect(variables.times.map(Array.init) == [1_703_373_474_500_000_000])

    let matomo = try told(
      #"{"idsite":1,"ip": "1.2.3.4","path": "/p?a=1","status": "200","user_agent": "x","length": 192,"#
        + #""date": "2013-10-10T16:52:00+02:00"}"#)
    #expect(matomo.sizes.map(Array.init) == [192])
    #expect(matomo.times.map(Array.init) == [1_381_416_720_000_000_000])
  }

  @Test func pathsLeadThroughObjectsAndNamesWithPoints() throws {
    let text = #"{"a":{"b.c":1,"b":{"c":2}},"a.b":{"d":3},"x":[{"a":4}]}"#
    #expect(try read(text, "key=a.b.d").keyHash(of: 0) == key("3"))
    #expect(try read(#"{"a":{"b.c":1}}"#, "key=a.b.c").keyHash(of: 0) == key("1"))
    #expect(try read(#"{"a.b.c":"x"}"#, "key=a.b.c").keyHash(of: 0) == key("x"))
    #expect(
      try read(#"{"a":{"b":{"c":"y","d":{}},"e":[]}}"#, "key=a.b.c").keyHash(of: 0) == key("y"))
  }

  @Test func operationsSizesAndTimesToLiveHavePathsOfTheirOwn() throws {
    let trace = try read(
      #"""
      {"k":"a","op":"set","n":10,"exp":60,"at":1500,"who":"x"}
      {"k":"b","op":"get","at":2500,"who":"y"}
      {"k":"a","op":"delete","at":3500,"exp":null,"n":"-"}
      """#, "key=k:operation=op:size=n:ttl=exp:time=at:unit=ms:class=who")
    #expect(ids(trace) == [0, 1, 0])
    #expect(trace.operations.map(Array.init) == [.set, .get, .delete])
    #expect(trace.sizes.map(Array.init) == [10, Trace.unknownSize, 10])
    #expect(trace.ttls.map(Array.init) == [60_000_000, 0, 0])
    #expect(trace.times?.first == 1_500_000_000)
    #expect(trace.classNames == ["x", "y", ""])
  }

  @Test func escapesBecomeWhatTheyStandFor() throws {
    for (escaped, text) in [
      (#"a\/b"#, "a/b"), (#"\u0041\u00e9\u20AC"#, "Aé€"), (#"\ud83d\ude00!"#, "😀!"),
      (#"\"q\""#, "\"q\""), (#"\\"#, "\\"), (#"\ud83d"#, "\u{FFFD}"), (#"\u12"#, "\u{FFFD}12"),
      (#"a\tb"#, "a\tb"),
    ] {
      let trace = try read(#"{"k":""# + escaped + #""}"#, "key=k")
      #expect(try trace.keyHash(of: 0) == key(text), "\(escaped)")
    }
  }

  @Test func unknownJSONIsRefusedWithItsMembers() {
    #expect(
      message("{\"id\": 7, \"n\": {\"id\": 8}}\n", name: "a.jsonl", format: "json")
        == "a.jsonl: line 1: nothing says which member is the key, of id, n; "
        + "name its path, for instance --trace-format json:key=request.uri")
    #expect(
      message("{\"id\": 7}\n{\"id\": 8}\n", name: "a.jsonl", format: "json:key=ids")
        == "a.jsonl: line 2: no line has a member 'ids'; "
        + "name the path of the key, for instance json:key=request.uri")
    #expect(
      message("{\"id\": 7}\n{\"id\": 8}\n", name: "a.jsonl").contains("json:key=PATH"))
  }

  @Test func stringsMayEndInBackslashes() throws {
    let trace = try read(#"{"a":"\\","k":"x\\\"y","b":"\\\\"}"#, "key=k")
    #expect(try trace.keyHash(of: 0) == key(#"x\"y"#))
  }
}
