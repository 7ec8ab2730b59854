/// The times of lines of prompts, some of which only say which lines they wait for, and how long then.
///
/// A prompt and its answer take no time here. So a line without a time comes when the last of those that it waits for
/// does, and its waits later: `wait_for` names the `request_id` of others; without it, it waits for the line before it
/// of its session.
struct PromptTimes {
  /// The nanoseconds of the unit of times.
  private let unit: Int64
  /// The times of the lines so far that have an id.
  private var requests: [String: Int64] = [:]
  /// The time of the last line of each session.
  private var sessions: [String: Int64] = [:]
  // The current line.
  private var own: UnsafeRawBufferPointer?
  private var request: String?
  private var session: String?
  private var awaited: [String] = []
  private var delay: Int64 = 0
  private var toolWait: Int64 = 0

  init(unit: Int64) { self.unit = unit }

  /// True if the line has a time of its own.
  var isTold: Bool { own != nil }

  /// Begins a line.
  mutating func begin() {
    own = nil
    request = nil
    session = nil
    awaited.removeAll(keepingCapacity: true)
    delay = 0
    toolWait = 0
  }

  /// Takes the time of the line.
  mutating func take(_ time: UnsafeRawBufferPointer?) {
    own = time.flatMap { $0.isWord("null") ? nil : $0 }
  }

  /// Takes a request that the line waits for.
  mutating func wait(for request: UnsafeRawBufferPointer) {
    awaited.append(String(decoding: request, as: UTF8.self))
  }

  /// Takes the value of a member.
  mutating func take(
    _ value: UnsafeRawBufferPointer?, of name: UnsafeRawBufferPointer, in lines: borrowing TextLines
  ) throws(TraceError) {
    guard let value, !value.isWord("null") else { return }
    if name.isWord("request_id") {
      request = String(decoding: value, as: UTF8.self)
    } else if name.isWord("session_id") {
      session = String(decoding: value, as: UTF8.self)
    } else if name.isWord("delay") || name.isWord("delay_ms") {
      delay = try wait(value, "delay", in: lines)
    } else if name.isWord("tool_wait_ms") {
      toolWait = try wait(value, "tool_wait_ms", in: lines)
    }
  }

  /// A wait, which is in milliseconds.
  private func wait(
    _ value: UnsafeRawBufferPointer, _ name: StaticString, in lines: borrowing TextLines
  ) throws(TraceError) -> Int64 {
    guard let wait = value.duration(unit: .millisecond), wait >= 0 else {
      throw lines.wrong(value, name)
    }
    return wait
  }

  /// The time of the line, which later ones may wait for.
  mutating func time(in lines: borrowing TextLines) throws(TraceError) -> Int64 {
    let time = try ownTime(in: lines)
    if let request { requests[request] = time }
    if let session { sessions[session] = time }
    return time
  }

  private func ownTime(in lines: borrowing TextLines) throws(TraceError) -> Int64 {
    if let own {
      guard let time = own.duration(unit: unit) else { throw lines.wrong(own, "timestamp") }
      return time
    }
    var last = awaited.isEmpty ? session.flatMap { sessions[$0] } : nil
    for request in awaited {
      guard let time = requests[request] else {
        throw lines.malformed(
          "waits for request \(request), which is on no line before",
          "put it behind those that it waits for, or give it a timestamp")
      }
      last = max(last ?? time, time)
    }
    guard let last else {
      throw lines.malformed("'' is no timestamp", "give the line one, or lines to wait_for")
    }
    let (wait, isOver) = delay.addingReportingOverflow(toolWait)
    let (time, isLate) = last.addingReportingOverflow(wait)
    if isOver || isLate { throw lines.malformed("its waits are too long") }
    return time
  }
}
