import Testing
import Traces

@Suite struct RedisFormatTests {
  /// The operations and times to live, in milliseconds, of commands at second 100 of database 0.
  private func requests(_ commands: String...) throws -> [String] {
    let text = commands.map { command in
      "100.0 [0 127.0.0.1:1] "
        + command.split(separator: " ").map { "\"\($0)\"" }.joined(separator: " ")
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
    #expect(trace.ttls.map(Array.init) == [60_000_000_000, 0, 0, 0, 0])
    #expect(trace.times?.first == 1_339_518_083_107_412_000)
    #expect(trace.keyHash(of: 0) == (try load("user:17\n").keyHash(of: 0)))
  }

  @Test func timesToLiveAreThoseOfTheirCommands() throws {
    #expect(
      try requests(
        "SET a v", "SET a v PX 5 NX", "set a v xx exat 160", "SETEX a 7 v", "PSETEX a 8 v",
        "EXPIRE a 9", "PEXPIREAT a 100010", "EXPIREAT a 99", "EXPIRE a -1 GT", "PERSIST a",
        "SET a v KEEPTTL")
        == [
          "set 0 0", "add 0 5", "replace 0 60000", "set 0 7000", "set 0 8", "replace 0 9000",
          "replace 0 10", "delete 0 0", "delete 0 0", "replace 0 0", "set 0 0",
        ])
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
