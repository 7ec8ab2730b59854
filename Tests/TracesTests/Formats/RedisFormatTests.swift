import Testing
import Traces

@Suite struct RedisFormatTests {
  /// The operations and times to live, in milliseconds, of commands of database 0, at second 100 and from `@130` on at
  /// second 130.
  private func requests(_ commands: String...) throws -> [String] {
    var second = "100"
    let text = commands.map { command in
      var words = command.split(separator: " ")
      if words[0].hasPrefix("@") { second = String(words.removeFirst().dropFirst()) }
      return "\(second).0 [0 127.0.0.1:1] " + words.map { "\"\($0)\"" }.joined(separator: " ")
    }
    let trace = try load(text.joined(separator: "\n"), format: "redis", columns: .all)
    return (0..<trace.requests).map { index in
      "\(trace.operations![index]) \(trace.ids[index]) \(trace.ttls![index] / 1_000_000)"
    }
  }

  @Test func databasesKeepTheirKeysApart() throws {
    let trace = try TextSample.redis.trace()
    #expect(trace.keyLengths.map(Array.init) == [7, 9, 9])
    #expect(trace.classNames == ["0", "1"])
    #expect(trace.classes.map(Array.init) == [0, 0, 0, 1, 0])
    #expect(trace.operations.map(Array.init) == [.set, .get, .get, .get, .delete])
    #expect(trace.ttls.map(Array.init) == [60_000_000_000, 55_229_715_000, 0, 0, 0])
    #expect(trace.times?.first == 1_339_518_083_107_412_000)
    #expect(trace.keyHash(of: 0) == (try load("user:17\n").keyHash(of: 0)))
  }

  @Test func timesToLiveAreThoseOfTheirCommands() throws {
    #expect(
      try requests(
        "SET a v", "SET a v PX 5 NX", "set a v xx exat 160", "SETEX a 7 v", "PSETEX a 8 v",
        "EXPIRE a 9", "PEXPIREAT a 100010", "EXPIREAT a 99", "EXPIRE a -1 GT", "PERSIST a",
        "SET a v KEEPTTL", "RESTORE a 0 dump", "RESTORE a 9 dump REPLACE",
        "RESTORE a 100009 dump ABSTTL", "GETEX a", "GETEX a EX 3", "GETEX a PERSIST",
        "GETEX a PXAT 99999")
        == [
          "set 0 0", "add 0 5", "replace 0 60000", "set 0 7000", "set 0 8", "touch 0 9000",
          "touch 0 10", "delete 0 0", "touch 0 0", "touch 0 0", "set 0 0", "set 0 0", "set 0 9",
          "set 0 9", "get 0 9", "get 0 3000", "touch 0 3000", "get 0 0", "touch 0 0", "get 0 0",
          "delete 0 0",
        ])
  }

  @Test func whatChangesInPlaceLivesAsLongAsBefore() throws {
    #expect(
      try requests(
        "SETEX a 60 v", "INCR a", "HSET a f v", "APPEND a v", "SET a v KEEPTTL", "GET a",
        "@130 INCR a", "SET a v NX EX 99", "SETNX a v", "SET a v", "INCR a", "EXPIRE a 9",
        "@139 INCR a", "EXPIRE a 5", "DEL a", "INCR a")
        == [
          "set 0 60000", "increment 0 60000", "set 0 60000", "append 0 60000", "set 0 60000",
          "get 0 60000", "increment 0 30000", "add 0 30000", "add 0 30000", "set 0 0",
          "increment 0 0", "touch 0 9000", "increment 0 0", "touch 0 5000", "delete 0 0",
          "increment 0 0",
        ])
  }

  @Test func conditionsOfAnExpiryAreThoseOfTheKey() throws {
    #expect(
      try requests(
        "EXPIRE a 5 XX", "EXPIRE a 5 NX", "EXPIRE a 9 NX", "EXPIRE a 9 XX", "EXPIRE a 8 GT",
        "EXPIRE a 10 GT", "EXPIRE a 11 LT", "EXPIRE a 7 lt", "PERSIST a", "EXPIRE a 7 GT",
        "EXPIRE a 7 LT", "EXPIRE a -1 NX", "EXPIRE a -1 LT")
        == [
          "touch 0 0", "touch 0 5000", "touch 0 5000", "touch 0 9000", "touch 0 9000",
          "touch 0 10000", "touch 0 10000", "touch 0 7000", "touch 0 0", "touch 0 0",
          "touch 0 7000", "touch 0 7000", "delete 0 0",
        ])
  }

  /// That a key is there, only a write tells that is not refused.
  @Test func locksAreHeldByThoseWhoseWriteIsSeen() throws {
    #expect(
      try requests(
        "EXPIRE a 60", "SET a v NX EX 10", "SET a v NX EX 20", "GETEX b EX 60", "SETNX b v",
        "SET c v XX EX 60", "SET c v NX EX 10", "SETEX d 100 v", "FLUSHALL", "SET d v NX EX 10")
        == [
          "touch 0 60000", "add 0 10000", "add 0 10000", "get 1 60000", "touch 1 60000", "add 1 0",
          "replace 2 60000", "add 2 10000", "set 3 100000", "add 3 10000",
        ])
  }

  @Test func timesThatAreFarOffOrRefused() throws {
    #expect(
      try requests(
        "SET a v EX 99999999999", "EXPIREAT a 253402300799", "EXPIRE a 9999999999",
        "EXPIRE a -9999999999", "SET a v EX 60", "SET a w EX 0", "SETEX a 0 w", "PSETEX a -1 w",
        "GETEX a EX 0", "INCR a", "GETDEL a", "INCR a")
        == [
          "set 0 0", "touch 0 0", "touch 0 0", "delete 0 0", "set 0 60000", "increment 0 60000",
          "get 0 0", "delete 0 0", "increment 0 0",
        ])
  }

  @Test func aNameTakesItsTimeToLiveWithIt() throws {
    #expect(
      try requests("SETEX a 9 v", "RENAME a b", "INCR b", "INCR a", "RENAMENX b a", "INCR a")
        == [
          "set 0 9000", "delete 0 0", "set 1 9000", "increment 1 9000", "increment 0 0",
          "delete 1 0", "add 0 9000", "increment 0 9000",
        ])
    #expect(
      try requests("SETEX a 9 v", "SETEX b 60 w", "RENAMENX a b", "RENAME a a", "INCR b")
        == ["set 0 9000", "set 1 60000", "increment 1 60000"])
    #expect(throws: TraceError.self) { try requests("RENAME a") }
  }

  @Test func sizesAreThoseOfValuesThatAreWrittenWhole() throws {
    let trace = try load(
      #"""
      1.0 [0 lua] "SET" "a" "\x41\"\\b"
      1.0 [0 lua] "GET" "a"
      1.0 [0 lua] "MSET" "b" "12" "c" ""
      1.0 [0 lua] "SETEX" "a" "9" "nx"
      1.0 [0 lua] "HSET" "d" "field" "value"
      1.0 [0 lua] "SETNX" "d" "123456789"
      1.0 [0 lua] "HGETALL" "d"

      """#, format: "redis", columns: .sizes)
    #expect(
      trace.sizes.map(Array.init) == [4, 4, 2, 0, 2, Trace.unknownSize, 9, 9])
  }

  @Test func damagedLinesAreLeftOutWhole() throws {
    let text = """
      1.0 [0 lua] "MGET" "a" "b"
      1.0 [0 lua] "FLUSHALL"
      1.0 [0 lua] "SET" "k" "{\\"a\\"
      1.0 [0 lua] "DEL" "a" "
      1.0 [0 lua] "MGET" "a" "c
      """
    #expect(throws: TraceError.self) { try load(text, format: "redis", columns: .all) }
    let trace = try load(text, format: "redis:damaged=skip", columns: .all)
    #expect(ids(trace) == [0, 1])
    #expect(trace.loss.damagedLines == 3 && trace.loss.otherLines == 1)
  }

  @Test func keysAreTakenFromTheirPlaces() throws {
    #expect(
      try requests(
        "MGET a b", "MSET a 1 c 2", "DEL a b", "hget c field", "INCRBY n 5", "APPEND a tail",
        "EVAL script 1 a", "PING", "SETNX d a", "UNLINK d", "MSETNX e 1")
        == [
          "get 0 0", "get 1 0", "set 0 0", "set 2 0", "delete 0 0", "delete 1 0", "get 2 0",
          "increment 3 0", "append 0 0", "add 4 0", "delete 4 0", "add 5 0",
        ])
  }

  @Test func escapesAreUndone() throws {
    let trace = try load(
      #"1.0 [0 lua] "MGET" "\x41\"\\" "A\"\\" "\n\r\t\a\b" "\q\x4" "" "# + "\n",
      format: "redis", columns: .keyLengths)
    #expect(ids(trace) == [0, 0, 1, 2, 3])
    #expect(trace.keyLengths.map(Array.init) == [3, 5, 3, 0])
  }
}
