/// Samples of logs.
extension TextSample {
  static let logs = [elb, s3, haproxy, squid, ibmObject, w3c, json]

  static let elb = TextSample(
    format: "elb", name: "123456789012_elasticloadbalancing.log",
    text: #"""
      2015-05-13T23:39:43.945958Z my-elb 192.168.131.39:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://a.com:80/ HTTP/1.1" "curl/7.38.0" - -
      h2 2018-07-02T22:23:00.186641Z app/my-alb/50dc 10.0.1.2:48160 10.0.0.66:9000 0.000 0.002 0.000 304 304 5 257 "GET https://a.com:443/x y?q=1 HTTP/2.0" "curl \"x\"" ECDHE TLSv1.2
      # a remark
      2015-05-13T23:39:43.945958Z my-elb 192.168.131.39:2817 10.0.0.1:80 0.001069 0.000028 0.000041 - - 82 305 "- - - " "-" - -
      2015-05-13T23:39:43.945958Z my-elb 192.168.131.39:2817 10.0.0.1:80 0.001 0.1 0.1 200 200 82 305 "POST http://a.com:80/ HTTP/1.1" "-" - -
      http 2018-07-02T22:23:00.186641Z app/my-alb/50dc 10.0.1.2:48160 - -1 -1 -1 503 - 34 366 "GET http://a.com:80/ HTTP/1.1" "curl/7.46.0" - -

      """#,
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      (
        "GET /",
        "not '[type] time elb client target time time time status status received sent \"request\"'"
      ),
      (
        "2015-05-13T23:39:43Z my-elb 1.2.3.4:2817 1.2.3.4:80 0 0 0 200 200 0 x \"GET / HTTP/1.1\"",
        "'x' is no size"
      ),
      (
        "2015-15-13T23:39:43Z my-elb 1.2.3.4:2817 1.2.3.4:80 0 0 0 200 200 0 1 \"GET / HTTP/1.1\"",
        "'2015-15-13T23:39:43Z' is no time"
      ),
    ])

  static let squid = TextSample(
    format: "squid", name: "access.log",
    text: #"""
      1066036250.603    310 192.168.0.227 TCP_MISS/200 1374 GET http://www.a.com/x?q=1 - DIRECT/203.186.145.1 text/html
      1066036251.021      9 192.168.0.227 TCP_IMS_HIT/304 214 GET http://www.a.com/b - NONE/- -
      1066036252.100   5020 192.168.0.228 TCP_TUNNEL/200 4913 CONNECT www.b.com:443 - HIER_DIRECT/1.2.3.4 -
      1066036253.400      1 192.168.0.227 TCP_MEM_HIT/200 1374 GET http://www.a.com/x?q=1 - HIER_NONE/- text/html

      """#,
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("GET /", "not 'time elapsed client result/status bytes method URL'"),
      ("1.5 3 1.2.3.4 TCP_HIT/200 x GET http://a.com/", "'x' is no size"),
      ("noon 3 1.2.3.4 TCP_HIT/200 5 GET http://a.com/", "'noon' is no time"),
    ])

  static let s3 = TextSample(
    format: "s3", name: "2019-02-06-00-00-38-3E57427F3",
    text: #"""
      79a5 shop [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a5 3E57 REST.GET.OBJECT a/b%20c.jpg "GET /shop/a/b%20c.jpg HTTP/1.1" 206 - 368 2948 70 10 "-" "S3Console/0.4" -
      79a5 shop [06/Feb/2019:00:00:39 +0000] 192.0.2.3 79a5 3E58 REST.GET.VERSIONING - "GET /shop?versioning HTTP/1.1" 200 - 113 - 7 - "-" "S3Console/0.4" -
      79a5 shop [06/Feb/2019:00:00:40 +0000] 192.0.2.3 79a5 3E59 REST.PUT.OBJECT x "PUT /shop/x HTTP/1.1" 200 - - 4406 41 28 "-" "S3Console/0.4" -
      79a5 www.a.com [10/Feb/2012:16:42:07 -0500] 1.2.3.4 arn:aws:iam::1:user/p EB35 WEBSITE.GET.OBJECT x "GET /x HTTP/1.1" 404 NoSuchKey 300 - 10 9 "-" "Mozilla/5.0" -
      79a5 shop [06/Feb/2019:00:00:41 +0000] 192.0.2.3 79a5 3E5A REST.GET.OBJECT a/b%20c.jpg "GET /shop/a/b%20c.jpg HTTP/1.1" 200 - 2948 2948 70 10 "-" "S3Console/0.4" -

      """#,
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      (
        "79a5 shop [06/Feb/2019:00:00:38 +0000] 192.0.2.3",
        "not 'owner bucket [time] client requester id operation key \"request\" status error bytes size'"
      ),
      (
        "79a5 shop [06/Feb/2019:00:00:38] 1.2.3.4 7 3 REST.GET.OBJECT a \"GET /a HTTP/1.1\" 200 - 1 x 1",
        "'x' is no size"
      ),
      (
        "79a5 shop [06/Feb/2019] 1.2.3.4 7 3 REST.GET.OBJECT a \"GET /a HTTP/1.1\" 200 - 1 1 1",
        "'06/Feb/2019' is no time"
      ),
    ])

  static let haproxy = TextSample(
    format: "haproxy", name: "haproxy.log",
    text: #"""
      Feb  6 12:14:13 localhost haproxy[14389]: Proxy http-in started.
      Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"
      10.0.1.2:33318 [06/Feb/2009:12:14:15.000] http-in~ static/srv1 0/0/0/72/72 200 +7456 - - ---- 5/4/0/1/0 0/0 "GET /a?b=c HTTP/1.1"
      10.0.1.2:33319 [06/Feb/2009:12:14:16.000] http-in http-in/<NOSRV> -1/-1/-1/-1/1 400 187 - - PR-- 0/0/0/0/0 0/0 "<BADREQ>"
      10.0.1.2:33319 [06/Feb/2009:12:14:16.000] http-in static/srv1 0/0/0/72/72 200 10 - - ---- 5/4/0/1/0 0/0 "POST /index.html HTTP/1.1"
      10.0.1.2:33320 [06/Feb/2009:12:14:17.000] http-in static/srv1 0/0/0/72/72 304 99 - - ---- 5/4/0/1/0 0/0 "GET /index.html HTTP/1.1"

      """#,
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("GET /", "not 'client [time] frontend backend/server times status bytes … \"request\"'"),
      (
        "10.0.1.2:33313 [06/Feb/2009:12:12:51.443] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0",
        "not 'client [time] frontend backend/server times status bytes … \"request\"'"
      ),
      (
        "1.2.3.4:5 [06/Feb/2009:12:14:17.000] in static/srv1 0/0/0/72/72 304 x - - ---- \"GET /i HTTP/1.1\"",
        "'x' is no size"
      ),
      (
        "1.2.3.4:5 [06/Fab/2009:12:14:17.000] in static/srv1 0/0/0/72/72 304 9 - - ---- \"GET /i HTTP/1.1\"",
        "'06/Fab/2009:12:14:17.000' is no time"
      ),
    ])

  static let ibmObject = TextSample(
    format: "ibm-object", name: "IBMObjectStoreTrace000Part0",
    text: """
      1219008 REST.PUT.OBJECT 8d4fcda3d675bac9 1056
      1221974 REST.HEAD.OBJECT 39d177fb735ac5df 528
      1232488 REST.GET.OBJECT 95d363d3fbdc0b03 1168 0 1167
      1234545 REST.GET.OBJECT 8d4fcda3d675bac9 1056 0 527
      1234546 REST.DELETE.OBJECT 8d4fcda3d675bac9
      1256364 REST.GET.OBJECT 95d363d3fbdc0b03

      """,
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("1256364 REST.GET.OBJECT", "not 'time REST.method.OBJECT object [size]'"),
      ("noon REST.GET.OBJECT a 1", "'noon' is no time"),
      ("1256364 REST.GET.OBJECT a -1", "'-1' is no size"),
    ])

  static let w3c = TextSample(
    format: "w3c", name: "u_ex120401.log",
    text: """
      #Software: Microsoft Internet Information Services 6.0
      #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query cs(Cookie) sc-status sc-bytes
      2012-04-01 00:00:13 5.6.7.8 GET /foo/bar a=1&b=2 "x; y" 200 27028
      2012-04-01 00:00:14.500 5.6.7.8 GET /foo - - 200 -
      2012-04-01 00:00:15 5.6.7.8 POST /foo - - 200 17
      #Date: 2012-04-01 00:00:16
      #Fields: date time cs-method cs-uri sc-bytes
      2012-04-01 00:00:16 GET /foo/bar?a=1&b=2 27028

      """,
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("2012-04-01 00:00:16 GET /foo", "4 columns where 5 are needed"),
      ("2012-04-01 00:00:16 GET /foo x", "'x' is no size"),
      ("2012-04-01 noon GET /foo 1", "'noon' is no time"),
      ("#Fields: date time cs-method sc-bytes", "#Fields names no cs-uri-stem and no cs-uri"),
      ("#Fields: date cs-uri-stem", "#Fields lacks sizes, times"),
    ])

  static let json = TextSample(
    format: "json", name: "access.jsonl",
    text: #"""
      {"level":"info","ts":1703373474.8155608,"logger":"http.log.access","request":{"method":"GET","host":"a.com","uri":"/beta/?q=\u00e9","headers":{"Te":["{"]}},"size":3609,"status":200}
      {"level":"info","ts":1703373475,"msg":"reloaded"}
      {"request":{"uri":"/b","method":"GET"},"ts":"2023-12-23T23:17:56Z","size":null,"status":304}
      {"request":{"uri":"/b","method":"POST"},"ts":1703373477,"size":7}
      {"size":3609,"request":{"method":"GET","uri":"/beta/?q=é"},"ts":1703373478}

      """#,
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      (#"{"ts":1,"request":{"uri":"/a","method":"GET""#, "not one JSON object"),
      ("GET /a", "not one JSON object"),
      (#"{"ts":1,"request":{"uri":"/a","method":"GET"},"size":"x"}"#, "'x' is no size"),
      (#"{"ts":"noon","request":{"uri":"/a","method":"GET"},"size":1}"#, "'noon' is no time"),
      (#"{"request":{"uri":"/a","method":"GET"},"size":1}"#, "the time is missing"),
    ])
}
