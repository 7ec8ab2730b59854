import Parameters

/// The log that memcached sends to those that `watch fetchers mutations evictions deletions`.
///
///     ts=1638218263.118394 gid=3 type=item_get key=foo status=found clsid=1 cfd=28 size=3
///     ts=1638218263.118401 gid=4 type=item_store key=foo status=stored cmd=set ttl=0 clsid=1 … size=3
///
/// `item_get` is a get, `item_store` what its `cmd` says (a set where that is no known command),
/// `deleted` a delete; a key is freed of its URL encoding. A size is that of the value; a get of 0 bytes missed and tells none. A time to live is that of
/// stores, in seconds. What follows the point of a time is a number of microseconds, without leading
/// zeros. Evictions, connections and raw commands are no requests and are left out, as are the `OK`
/// that begins a watch and the lines that say how many were skipped.
///
/// Source: memcached's doc/protocol.txt, “Watchers”, and logger.c.
struct MemcachedFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "memcached", summary: "memcached's watch log of fetchers and mutations: ts=… type=… key=…"
  )

  private enum Field { case time, type, key, command, ttl, size }
  private enum Event { case get, store, delete }

  private static let fields = Words<Field>([
    (.time, "ts"), (.type, "type"), (.key, "key"), (.command, "cmd"), (.ttl, "ttl"),
    (.size, "size"),
  ])
  private static let events = Words<Event>([
    (.get, "item_get"), (.store, "item_store"), (.delete, "deleted"),
  ])

  static func recognition(of sample: TraceSample) -> Recognition {
    return sample.recognised(as: .likely) { line in
      if isRemark(line) { return nil }
      return line.starts(with: "ts=".utf8) && line.word(from: 3, before: line.count).count > 0
        && (line.place(of: UInt8(ascii: " "), from: 0).map {
          line.word(from: $0, before: line.count).starts(with: "gid=".utf8)
        } ?? false)
    }
  }

  /// True when a line is no entry of the log.
  private static func isRemark(_ line: UnsafeRawBufferPointer) -> Bool {
    line.isWord("OK") || line.starts(with: "skipped".utf8)
      || line.starts(with: "[skipped".utf8)
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    var details = RequestDetails([.sizes, .times, .operations, .ttls], wanted: builder.wanted)
    var unescaped = KeyText()
    let (names, events, commands) = (Self.fields, Self.events, TraceOperation.words)
    builder.expectUnknownSizes()
    while !builder.isFull, try lines.next() {
      let line = lines.text
      if line[0] != UInt8(ascii: "t") {
        if Self.isRemark(line) { continue }
        throw lines.malformed("not 'ts=… gid=… type=…'")
      }
      var event: Event?
      var key: UnsafeRawBufferPointer?
      var command: UnsafeRawBufferPointer?
      (details.size, details.ttl) = (0, 0)
      var at = 0
      while at < line.count {
        let word = line.word(from: at, before: line.count)
        guard let equals = word.place(of: UInt8(ascii: "="), from: 0) else {
          // A raw command, or spaces at the end.
          break
        }
        at = line.end(of: word) + 1
        let value = UnsafeRawBufferPointer(rebasing: word[(equals + 1)...])
        switch names[UnsafeRawBufferPointer(rebasing: word[..<equals])] {
        case .time:
          guard let time = value.secondsAndMicroseconds else {
            throw lines.wrong(value, "time")
          }
          details.time = time
        case .type: event = events[value]
        case .key: key = value
        case .command: command = value
        case .ttl where event == .store:
          guard let ttl = value.duration(unit: .second) else {
            throw lines.wrong(value, "time to live")
          }
          details.ttl = ttl
        case .size where event != nil:
          guard let size = value.objectSize else { throw lines.wrong(value, "size") }
          details.size = size
        default: break
        }
      }
      guard let event else { continue }
      guard let key, !key.isEmpty else { throw lines.malformed("the key is missing") }
      switch event {
      case .get:
        details.operation = .get
        if details.size == 0 { details.size = Trace.unknownSize }
      case .delete: details.operation = .delete
      case .store: details.operation = command.flatMap { commands[$0] } ?? .set
      }
      try builder.append(text: unescaped.decodePercents(key), details)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The end of a word of these bytes.
  fileprivate func end(of word: UnsafeRawBufferPointer) -> Int {
    guard let base = baseAddress, let start = word.baseAddress else { return count }
    return start - base + word.count
  }

  /// The nanoseconds of seconds, a point and microseconds, a whole number of each.
  fileprivate var secondsAndMicroseconds: Int64? {
    guard let point = place(of: UInt8(ascii: "."), from: 0) else { return duration(unit: .second) }
    let seconds = UnsafeRawBufferPointer(rebasing: self[..<point])
    let microseconds = UnsafeRawBufferPointer(rebasing: self[(point + 1)...])
    guard let whole = seconds.duration(unit: .second), let rest = microseconds.wholeNumber,
      rest < 1_000_000
    else { return nil }
    let (sum, isOver) = whole.addingReportingOverflow(Int64(rest) * .microsecond)
    return isOver ? nil : sum
  }
}
