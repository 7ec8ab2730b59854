import Parameters

/// The log that Redis sends to those that `MONITOR` it.
///
///     1339518083.107412 [0 127.0.0.1:60866] "set" "user:17" "a \"quoted\" value" "EX" "60"
///
/// A request is made for each key of a command that reads, writes or removes keys
/// (``RedisCommand/all``); other commands are left out, and so is the `OK` of a monitor's start. A key
/// is freed of its escapes. Keys of a database other than 0 are other keys: their text is the
/// database's number, a zero byte and the key; the database is the class. A time to live is that of
/// `SET … EX`, `SETEX`, `EXPIRE` and their kin, which last is a write of a key if it is present. The
/// log doesn't say what a read returned, so there are no sizes. What scripts call is in the log like
/// any other command.
///
/// Source: redis.io/commands/monitor.
struct RedisFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "redis",
    summary: "what Redis's MONITOR prints: time [database client] \"command\" \"key\" …")

  static func recognition(of sample: TraceSample) -> Recognition {
    return sample.recognised(as: .likely) { line in
      line.isWord("OK") ? nil : MonitorLine(line)?.command != nil
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    var details = RequestDetails(
      [.times, .operations, .ttls, .classes], wanted: builder.wanted)
    let commands = RedisCommand.all
    var key = KeyText()
    while !builder.isFull, try lines.next() {
      guard var line = MonitorLine(lines.text) else {
        if lines.text.isWord("OK") { continue }
        throw lines.malformed("not 'time [database client] \"command\" …'")
      }
      guard let name = line.next() else { throw lines.malformed("a quote is not closed") }
      guard let command = commands[name] else { continue }
      guard let time = line.time.duration(unit: .second) else {
        throw lines.wrong(line.time, "time")
      }
      details.time = time
      details.className = line.database
      while let text = line.next() {
        key.clear()
        if !line.isFirstDatabase {
          key.append(line.database)
          key.append(byte: 0)
        }
        key.append(unescaping: text)
        guard let outcome = command.outcome(of: &line, at: time) else {
          throw lines.malformed("the time to live is missing or no number")
        }
        details.operation = outcome.operation
        details.ttl = outcome.ttl
        try builder.append(text: key.bytes, details)
        if command.keys == .first { break }
        if command.keys == .alternating { _ = line.next() }
      }
      if line.isDamaged { throw lines.malformed("a quote is not closed") }
    }
  }
}
