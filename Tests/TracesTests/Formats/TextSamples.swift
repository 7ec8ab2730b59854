import Testing
import Traces

/// A few lines of each text format, as its documentation has them, and what they are.
struct TextSample: Sendable, CustomTestStringConvertible {
  let format: String
  /// A file's name by which, with the content, the format is told.
  let name: String
  let text: String
  let ids: [UInt32]
  let columns: TraceColumns
  /// Lines that are no trace of this format, each put after the sample, and what the error says.
  let damage: [(line: String, problem: String)]

  var testDescription: String { format }

  /// The advice that an error about a damaged line ends with; a line that names columns is not left out.
  func remedy(for problem: String) -> String {
    if problem == "'' is no timestamp" { return "give the line one, or lines to wait_for" }
    return (Self.logs + [Self.accessLog, Self.redis]).contains { $0.format == format }
      && !problem.hasPrefix("#Fields")
      ? "correct the line, name another format, or leave such lines out: "
        + "--trace-format \(format):damaged=skip"
      : "correct the line or name another format"
  }

  /// The trace of the text.
  func trace(
    _ options: String = "", columns: TraceColumns = .all, limit: Int? = nil
  ) throws(TraceError) -> Trace {
    try load(text, name: name, format: format + options, columns: columns, limit: limit)
  }

  static let all =
    [
      twitter, cacheLib, cacheLibBlock, msr, systor, alibaba, tencent, spc, webCacheSim, wikipedia,
      wikibench, ycsb, redis, memcached, accessLog, mooncake, bailian, weka,
    ] + logs + storage + serving

  static let twitter = TextSample(
    format: "twitter", name: "cluster001",
    text: """
      0,q:q:1:8WTfjZU14ee,17,213,4,get,0
      0,yDqF:3q:1AJrrJ1nnCJKKrnGx1A,27,27,5,get,0
      1,key,with,commas,15,100,9,set,3600
      2,q:q:1:8WTfjZU14ee,17,0,4,gets,0

      """,
    ids: [0, 1, 2, 0], columns: [.sizes, .times, .operations, .ttls, .keyLengths],
    damage: [
      ("3,k,1,2,4,get", "6 columns where 7 are needed"),
      ("3,k,1,2,4,dance,0", "'dance' is no operation"),
      ("3,,1,2,4,get,0", "the key is empty"),
      ("3,k,-1,2,4,get,0", "'-1' is no size"),
      ("3,k,1,9223372036854775807,4,get,0", "'9223372036854775807' is no size"),
      ("noon,k,1,2,4,get,0", "'noon' is no time"),
      ("3,k,1,2,4,get,-5", "'-5' is no time to live"),
    ])

  static let cacheLib = TextSample(
    format: "cachelib", name: "kvcache_traces_1.csv",
    text: """
      op_time,key,key_size,op,op_count,size,cache_hits,ttl,usecase,sub_usecase
      5,3007,8,GET,2,100,2,0,7,1
      6,3008,9,GET_LEASE,1,0,0,0,8,1
      7,3008,9,SET,1,60,0,30,8,1
      8,3009,9,DELETE,1,-1,0,0,7,1

      """,
    ids: [0, 0, 1, 1, 2], columns: [.sizes, .times, .operations, .ttls, .classes, .keyLengths],
    damage: [
      ("9,3007,8,GET,2,100,2,0,7", "9 columns where 10 are needed"),
      ("9,3007,8,GET,1048577,100,2,0,7,1", "1048577 operations in one line"),
      ("9,3007,8,GET,many,100,2,0,7,1", "'many' is no number of operations"),
      ("9,3007,8,SCAN,1,100,2,0,7,1", "'SCAN' is no operation"),
      ("9,3007,8,GET,1,x,2,0,7,1", "'x' is no size"),
    ])

  static let cacheLibBlock = TextSample(
    format: "cachelib-block", name: "block_traces_1.csv",
    text: """
      op_time,block_id,block_id_size,io_size,io_offset,user_name,user_namespace,op_name,op_count,\
      host_name,rs_shard_id
      1697000001,40231,40,8192,4096,1,1,getChunkData.Permanent,2,host1,3
      1697000002,40232,40,4096,0,1,1,putChunk.NotInitialized,1,host1,3

      """,
    ids: [0, 1, 0, 1, 2], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("1,2,40,8192,4096,1,1,dropChunk.Permanent,1,h,3", "'dropChunk.Permanent' is no operation"),
      (
        "1,2,40,8192,4096,1,1,putChunk.Permanent,524289,h,3",
        "a request of 8192 bytes from 4096, 524289 times"
      ),
      ("1,2,40,8192,4096,1,1,putChunk.Permanent,?,h,3", "'?' is no number of requests"),
    ])

  static let msr = TextSample(
    format: "msr", name: "usr_0.csv",
    text: """
      128166372003061629,usr,0,Read,10995531776,8192,30123
      128166372016382155,usr,0,Write,10995535872,4097,500
      128166372026382245,usr,1,Read,10995531776,1,20

      """,
    ids: [0, 1, 1, 2, 3], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("128166372003061629,usr,0,Read,10995531776,8192", "6 columns where 7 are needed"),
      ("128166372003061629,usr,0,Seek,0,8192,1", "'Seek' is no operation"),
      ("128166372003061629,usr,0,Read,-4096,8192,1", "'-4096' is no offset"),
      ("99999999999999999999,usr,0,Read,0,8192,1", "'99999999999999999999' is no time"),
      (
        "128166372003061629,usr,0,Read,0,9223372036854775807,1",
        "a request of 9223372036854775807 bytes from 0"
      ),
      (
        "128166372003061629,usr,0,Read,18446744073709551615,2,1",
        "a request of 2 bytes from 18446744073709551615"
      ),
    ])

  static let systor = TextSample(
    format: "systor", name: "2016022219-lun4.csv",
    text: """
      Timestamp,Response,IOType,LUN,Offset,Size
      1456095145.133076000,0.000806000,R,4,8192,8192
      1456095145.133076001,0.000806000,W,4,12288,4096
      1456095145.133076002,,,4,8192,8192

      """,
    ids: [0, 1, 1], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [("now,0.1,R,4,0,1", "'now' is no time"), ("1,0.1,R,4,0,", "'' is no length")])

  static let alibaba = TextSample(
    format: "alibaba-block", name: "io_traces.csv",
    text: """
      419,W,8192,16384,1577808144360767
      725,R,8192,4096,1577808144360775
      419,R,12288,512,1577808144360800

      """,
    ids: [0, 1, 2, 3, 4, 1], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [("419,W,8192,16384", "4 columns where 5 are needed")])

  static let tencent = TextSample(
    format: "tencent-block", name: "tencentblock-2018-10-01",
    text: "1538323200,16,16,0,1283\n1538323201,24,8,1,1283\n1538323201,24,8,1,1284\n",
    ids: [0, 1, 1, 2], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("1538323201,24,8,2,1", "'2' is no operation"),
      ("1538323201,36028797018963968,8,1,1", "'36028797018963968' is no offset"),
    ])

  static let spc = TextSample(
    format: "spc", name: "Financial1.spc",
    text: "0,16,4096,w,0.000000\n1, 16 ,3072,R,0.026214\n0,16,4096,r,0.078643\n",
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [("0,16,3584,w,x", "'x' is no time")])

  static let webCacheSim = TextSample(
    format: "webcachesim", name: "wiki2018.tr",
    text: "1 0 68 7 7\n2 1 7454 7 7\n3  0 40773 7 7\n",
    ids: [0, 1, 0], columns: [.sizes, .times, .keyLengths],
    damage: [
      ("4 1", "2 columns where 3 are needed"), ("4 1 big", "'big' is no size"),
      ("x 1 1", "'x' is no time"),
    ])

  static let wikipedia = TextSample(
    format: "wikipedia", name: "cache-u-00",
    text: """
      relative_unix\thashed_path_query\timage_type\tresponse_size\ttime_firstbyte
      0\t-5178239430911474190\tjpeg\t67925\t0.000216
      0\t833946378\tpng\t1024\t0.1
      3\t-5178239430911474190\tjpeg\t67925\t0.000216

      """,
    ids: [0, 1, 0], columns: [.sizes, .times, .keyLengths],
    damage: [
      ("3\t1\tpng", "3 columns where 4 are needed"), ("3\t1\tpng\t?\t0", "'?' is no size"),
      ("3\t\tpng\t1\t0", "the key is empty"),
    ])

  static let wikibench = TextSample(
    format: "wikibench", name: "wiki.1190153705",
    text: """
      929840891 1190146243.303 http://en.wikipedia.org/wiki/Main_Page -
      929840892 1190146243.309 http://en.wikipedia.org/w/index.php?title=A&action=edit save
      929840917 1190146243.325 http://en.wikipedia.org/wiki/Main_Page -

      """,
    ids: [0, 1, 0], columns: [.times, .operations, .keyLengths],
    damage: [
      ("1 2.5 http://en.wikipedia.org/", "3 columns where 4 are needed"),
      ("1 2.5 http://en.wikipedia.org/ maybe", "'maybe' is no operation"),
    ])

  static let ycsb = TextSample(
    format: "ycsb", name: "workload.log",
    text: """
      ***************** properties *****************
      "recordcount"="1000"
      **********************************************
      INSERT usertable user6284 [ field0=READ a b field1=]] ]
      READ usertable user8517 [ <all fields>]
      UPDATE usertable user6284 [ field1=x ]
      SCAN usertable user8517 42 [ <all fields>]
      READMODIFYWRITE usertable user1 [ <all fields>] [ field0=y ]
      DELETE other user6284
      [OVERALL], RunTime(ms), 1234

      """,
    ids: [0, 1, 0, 1, 2, 2, 0], columns: [.operations, .classes, .keyLengths],
    damage: [("READ usertable", "2 columns where 3 are needed")])

  static let redis = TextSample(
    format: "redis", name: "monitor.log",
    text: #"""
      OK
      1339518083.107412 [0 127.0.0.1:60866] "set" "user:17" "a \"quoted\" value" "EX" "60"
      1339518087.877697 [0 127.0.0.1:60866] "MGET" "user:17" "tab\there\x00"
      1339518090.420270 [1 [::1]:5000] "GET" "user:17"
      1339518096.506257 [0 lua] "DEL" "user:17"
      1339518099.363765 [0 127.0.0.1:60866] "ping"

      """#,
    ids: [0, 0, 1, 2, 0], columns: [.sizes, .times, .operations, .ttls, .classes, .keyLengths],
    damage: [
      (#"1.5 [0 lua] "GET" "open"#, "a quote is not closed"),
      (#"1.5 [0 lua] "SETEX" "k""#, "the time to live is missing or no number"),
      (#"1.5 [0 lua] "SET" "k" "v" "EX" "soon""#, "the time to live is missing or no number"),
      ("1.5 0 lua GET k", #"not 'time [database client] "command" …'"#),
      (#"1.5.5 [0 lua] "GET" "k""#, "'1.5.5' is no time"),
    ])

  static let memcached = TextSample(
    format: "memcached", name: "watch.log",
    text: """
      OK
      ts=1638218263.118394 gid=3 type=item_get key=foo status=not_found clsid=0 cfd=28 size=0
      ts=1638218263.5 gid=4 type=item_store key=foo status=stored cmd=set ttl=60 clsid=1 cfd=28 size=3
      ts=1638218264.118401 gid=5 type=item_get key=a%20b%2F status=found clsid=1 cfd=28 size=7
      ts=1638218264.118402 gid=6 type=eviction key=foo fetch=yes ttl=-1 la=5 clsid=1 size=3
      ts=1638218264.118403 gid=7 type=conn_new rip=127.0.0.1 rport=4 transport=tcp cfd=9
      ts=1638218264.118404 gid=8 <28 get foo
      skipped=12
      ts=1638218264.118405 gid=9 type=deleted key=foo cmd=delete clsid=1 cfd=28 size=3

      """,
    ids: [0, 0, 1, 0], columns: [.sizes, .times, .operations, .ttls, .keyLengths],
    damage: [
      ("ts=x gid=1 type=item_get key=a size=1", "'x' is no time"),
      ("ts=1.1000000 gid=1 type=item_get key=a size=1", "'1.1000000' is no time"),
      ("ts=1.1 gid=1 type=item_get key=a size=?", "'?' is no size"),
      ("ts=1.1 gid=1 type=item_get size=1", "the key is missing"),
      ("ts=1.1 gid=1 type=item_store key=a cmd=set ttl=? size=1", "'?' is no time to live"),
      ("END", "not 'ts=… gid=… type=…'"),
    ])

  static let accessLog = TextSample(
    format: "access-log", name: "access.log",
    text: #"""
      127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326
      ::1 - - [29/Feb/2024:23:59:59 +0000] "GET /?q=\"a\" HTTP/1.1" 304 - "-" "curl/8 \"x\""
      ::1 - - [29/Feb/2024:23:59:59 +0000] "POST /apache_pb.gif HTTP/1.1" 200 10 "-" "-"
      ::1 - - [29/Feb/2024:23:59:59 +0000] "-" 408 0 "-" "-"
      ::1 - - [01/Mar/2024:00:00:00 +0530] "GET /apache_pb.gif HTTP/2.0" 200 2326 "-" "-"

      """#,
    ids: [0, 1, 0], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("GET /", "not 'host ident user [time] \"request\" status bytes'"),
      (
        "::1 - - [01/Mar/2024:00:00:00 +0530] \"GET / HTTP/1.1",
        "not 'host ident user [time] \"request\" status bytes'"
      ),
      (
        "::1 - - [01/Mar/2024 00:00:00 +0530] \"GET / HTTP/1.1\" 200 1",
        "'01/Mar/2024 00:00:00 +0530' is no time"
      ),
      ("::1 - - [01/Mar/2024:00:00:00 +0530] \"GET / HTTP/1.1\" 200 x", "'x' is no size"),
    ])

  static let mooncake = TextSample(
    format: "mooncake", name: "trace.jsonl",
    text: #"""
      {"timestamp": 0, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47]}
      {"hash_ids":[46,48],"chat":{"id":[1,{"}":"]\""}]},"timestamp":3052.5,"new":null}
      {"timestamp": 4000, "hash_ids": []}
      {"timestamp": 5000, "type": "a \\\" }", "hash_ids": [ 9 ] }

      """#,
    ids: [0, 1, 0, 2, 3], columns: [.times, .groups],
    damage: [
      (#"{"timestamp": 1, "hash_ids": [1, 2"#, "not one JSON object"),
      (#"{"timestamp": 1, "hash_ids": [1 2]}"#, "not one JSON object"),
      (#"{"timestamp": 1, "hash_ids": [1, "a"]}"#, "'a' is no block's number"),
      (#"{"timestamp": 1, "hash_ids": 5}"#, "no array hash_ids"),
      (#"{"timestamp": 1}"#, "no array hash_ids"),
      (#"{"timestamp": "?", "hash_ids": [1]}"#, "'?' is no timestamp"),
      (#"{"hash_ids": [1]}"#, "'' is no timestamp"),
      (#"{"hash_ids": [1], "timestamp": 1} {}"#, "not one JSON object"),
      (#"{"timestamp": 1, "x": {"hash_ids": [1]"#, "not one JSON object"),
      ("[1]", "not one JSON object"),
    ])

  static let bailian = TextSample(
    format: "bailian", name: "trace.jsonl",
    text: #"""
      {"chat_id": 1, "parent_chat_id": -1, "timestamp": 0.5, "type": "text", "turn": 1, "hash_ids": [46, 47]}
      {"chat_id": 2, "parent_chat_id": 1, "timestamp": 3, "type": "text", "turn": 2, "hash_ids": [46, 48, 47]}

      """#,
    ids: [0, 1, 0, 2, 1], columns: [.times, .groups],
    damage: [
      (#"{"chat_id": 3, "timestamp": 4, "hash_ids": [1, "a"]}"#, "'a' is no block's number"),
      (#"{"chat_id": 3, "timestamp": "?", "hash_ids": [1]}"#, "'?' is no timestamp"),
      (#"{"chat_id": 3, "timestamp": 4}"#, "no array hash_ids"),
    ])

  static let weka = TextSample(
    format: "weka", name: "trace.jsonl",
    text: #"""
      {"id": "a", "block_size": 64, "hash_id_scope": "local", "requests": [{"t": 0, "type": "n", "in": 100, "out": 5, "hash_ids": [1, 2]}, {"t": 70, "type": "n", "in": 70, "out": 5, "hash_ids": [1, 3]}]}
      {"id": "b", "block_size": 64, "hash_id_scope": "local", "requests": [{"t": 0, "type": "n", "in": 64, "out": 5, "hash_ids": [1]}]}

      """#,
    ids: [0, 1, 2, 0, 3], columns: [.times, .groups],
    damage: [
      (
        #"{"id": "c", "requests": [{"t": 0, "in": 3, "hash_ids": ["a"]}]}"#,
        "'a' is no block's number"
      ),
      (
        #"{"id": "c", "requests": [{"in": 3, "hash_ids": [1]}]}"#,
        "an element of requests without time t"
      ),
      (#"{"id": "c"}"#, "no array requests"),
    ])
}
