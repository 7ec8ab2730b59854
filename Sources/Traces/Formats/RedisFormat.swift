import Parameters

/// The log that Redis sends to those that `MONITOR` it.
///
///     1339518083.107412 [0 127.0.0.1:60866] "set" "user:17" "a \"quoted\" value" "EX" "60"
///
/// A request is made for each key of a command that reads, writes or removes keys, or changes their times to live
/// (``RedisCommand/all``); other commands are passed over and counted, and the `OK` of a monitor's start is left out. A
/// key is freed of its escapes. Keys of a database other than 0 are other keys: their text is the database's number, a
/// zero byte and the key; the database is the class.
///
/// A time to live is what the key has left after the command, as far as the log tells: that of `SET … EX`, `SETEX`,
/// `EXPIRE` and their kin, which commands that change a value in place keep. A size is the length of a value that is
/// written as a whole (`SET`, `SETEX`, `SETNX`, `GETSET`, `MSET`); the log doesn't say what a read returned. What scripts
/// call is in the log like any other command.
///
/// Source: redis.io/commands/monitor.
struct RedisFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "redis",
    summary: "what Redis's MONITOR prints: time [database client] \"command\" \"key\" …",
    parameters: [DamageRule.parameter])

  private let damage: DamageRule

  init(_ arguments: Arguments) { damage = DamageRule(arguments) }

  static func recognition(of sample: TraceSample) -> Recognition {
    return sample.recognised(as: .likely) { line in
      line.isWord("OK") ? nil : MonitorLine(line)?.command != nil
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    var requests = MonitoredRequests(wanted: builder.wanted)
    builder.expectUnknownSizes()
    while !builder.isFull, try lines.next() {
      do throws(TraceError) {
        try requests.append(lines, to: &builder)
      } catch {
        try damage.leaveOut(error, to: &builder)
      }
    }
  }
}

/// Turns the commands of a monitor's lines into requests.
private struct MonitoredRequests: ~Copyable {
  private let commands = RedisCommand.all
  /// The commands that empty databases, of which only the times at which keys expire are forgotten.
  private static let flushes = Words<Bool>([(true, "flushall flushdb")])
  private var details: RequestDetails
  private var key = KeyText()
  /// The times at which keys expire; none for those that live for ever.
  private var ends: [KeyHash: RedisCommand.KnownEnd] = [:]

  init(wanted: TraceColumns) {
    details = RequestDetails([.sizes, .times, .operations, .ttls, .classes], wanted: wanted)
  }

  @inline(__always)
  mutating func append(
    _ lines: borrowing TextLines, to builder: inout TraceBuilder
  ) throws(TraceError) {
    guard var line = MonitorLine(lines.text) else {
      if lines.text.isWord("OK") { return }
      throw lines.malformed("not 'time [database client] \"command\" …'")
    }
    // Before anything of the line counts.
    guard !line.isCutOff, let name = line.next() else { throw Self.openQuote(lines) }
    guard let command = commands[name] else {
      if Self.flushes[name] != nil { ends.removeAll() }
      return builder.passOver()
    }
    guard let time = line.time.duration(unit: .second) else { throw lines.wrong(line.time, "time") }
    details.time = time
    details.className = line.database
    if command.keys == .renamed {
      return try appendRenaming(command.operation, &line, lines, to: &builder)
    }
    while let text = line.next() {
      let hash = take(text, of: line)
      let previous = end(of: hash)
      guard let outcome = command.outcome(of: &line, at: time, previous: previous) else {
        throw lines.malformed("the time to live is missing or no number")
      }
      if outcome.isRefused {
        builder.passOver()
        break
      }
      setEnd(of: hash, outcome.end, previous: previous)
      details.size = outcome.size
      details.operation = outcome.operation
      details.ttl = remaining(until: outcome.end)
      try builder.append(text: key.bytes, details)
      if let after = outcome.after {
        details.operation = after
        try builder.append(text: key.bytes, details)
      }
      if command.keys == .first { break }
    }
    if line.isDamaged { throw Self.openQuote(lines) }
  }

  /// A removal of one key and a write of the other, which lives as long as the first would have.
  @inline(never)
  private mutating func appendRenaming(
    _ operation: TraceOperation, _ line: inout MonitorLine, _ lines: borrowing TextLines,
    to builder: inout TraceBuilder
  ) throws(TraceError) {
    guard let old = line.next(), let new = line.next() else {
      throw lines.malformed("a key is missing")
    }
    details.size = Trace.unknownSize
    var hash = take(new, of: line)
    let isTaken = operation == .add && self.end(of: hash)?.isCertain == true
    let other = hash
    hash = take(old, of: line)
    if isTaken || hash == other { return builder.passOver() }
    let end = end(of: hash)
    setEnd(of: hash, nil, previous: end)
    (details.operation, details.ttl) = (.delete, 0)
    try builder.append(text: key.bytes, details)
    hash = take(new, of: line)
    ends[hash] = end
    (details.operation, details.ttl) = (operation, remaining(until: end))
    try builder.append(text: key.bytes, details)
  }

  private static func openQuote(_ lines: borrowing TextLines) -> TraceError {
    lines.malformed("a quote is not closed")
  }

  /// Makes ``key`` the one that an argument names.
  @inline(__always)
  private mutating func take(_ text: UnsafeRawBufferPointer, of line: MonitorLine) -> KeyHash {
    key.clear()
    if !line.isFirstDatabase {
      key.append(line.database)
      key.append(byte: 0)
    }
    key.append(unescaping: text)
    return KeyHash(key.bytes)
  }

  /// The time at which a key expires; nil where it is over.
  @inline(__always)
  private mutating func end(of key: KeyHash) -> RedisCommand.KnownEnd? {
    if ends.isEmpty { return nil }
    guard let end = ends[key] else { return nil }
    if end.time > details.time { return end }
    ends[key] = nil
    return nil
  }

  @inline(__always)
  private mutating func setEnd(
    of key: KeyHash, _ end: RedisCommand.KnownEnd?, previous: RedisCommand.KnownEnd?
  ) {
    if end != previous { ends[key] = end }
  }

  /// The time to live of a key that expires at `end`; 0 for ever.
  private func remaining(until end: RedisCommand.KnownEnd?) -> Int64 {
    guard let end else { return 0 }
    let (ttl, isBeyond) = end.time.subtractingReportingOverflow(details.time)
    return isBeyond ? 0 : ttl
  }
}
