import Foundation
import Traces

/// One attempt to bring the rest of a file: asks for the bytes from where it ends, and writes them as they
/// come.
///
/// The program curl speaks with the server. It is ended as soon as the attempt is cancelled, fails or has more
/// bytes than it should.
final class Download {
  private let name: String
  private let url: String
  /// The bytes of the whole file; nil where they are not known.
  private let bytes: Int?
  private let part: any DownloadTarget
  private let progress: (Int) -> Bool
  private var head = AnswerHead()

  /// The bytes of the whole file as the server says; nil before it answers.
  private(set) var total: Int?

  /// The milliseconds between two looks at whether the work is to go on.
  private static let pause: Int32 = 100

  init(
    _ name: String, url: String, bytes: Int?, into part: any DownloadTarget,
    progress: @escaping (Int) -> Bool
  ) {
    self.name = name
    self.url = url
    self.bytes = bytes
    self.part = part
    self.progress = progress
  }

  /// Returns at the end of what the server sends.
  func run() throws {
    guard ChildProcess.isInstalled("curl") else {
      throw TraceError.usage(
        problem: "curl, which downloads, is not installed",
        remedy: "install it (apt-get install curl)")
    }
    let answer = try ChildPipe()
    let errors = try ChildPipe()
    let curl = try ChildProcess(
      arguments, passing: [(answer.writing, STDOUT_FILENO), (errors.writing, STDERR_FILENO)])
    answer.closeWriting()
    errors.closeWriting()
    do {
      try receive(from: answer)
    } catch {
      curl.kill()
      _ = curl.wait()
      throw error
    }
    switch curl.wait() {
    case .exited(0): return
    // A terminal's Ctrl-C is for both.
    case .signaled(SIGINT): throw cancelled
    case let exit:
      // "curl: (7) Failed to connect …", perhaps with advice on further lines.
      let message = errors.text().split(whereSeparator: \.isNewline).first
      let reason = message?.split(separator: ") ", maxSplits: 1).last
      throw connectionError(reason.map { String($0) } ?? "curl ended with \(exit)")
    }
  }

  private var arguments: [String] {
    // Each word after --disable, which skips the user's settings: they might change what is printed.
    [
      "curl", "--disable", "--silent", "--show-error", "--no-buffer", "--location", "--include",
      "--suppress-connect-headers", "--globoff", "--proto", "=http,https",
      "--connect-timeout", "60", "--speed-limit", "1", "--speed-time", "60",
      // The checksum is that of the stored bytes.
      "--header", "Accept-Encoding: identity",
    ] + (part.size > 0 ? ["--range", "\(part.size)-"] : []) + ["--url", url]
  }

  /// Takes the answer, its head and then the file's bytes, up to its end.
  private func receive(from answer: ChildPipe) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        if !progress(part.size) { throw cancelled }
        var state = pollfd(fd: answer.reading, events: Int16(POLLIN), revents: 0)
        if poll(&state, 1, Download.pause) <= 0 { continue }
        let count = answer.read(into: buffer)
        if count == 0 { return }
        if count < 0 { throw connectionError(String(cString: strerror(errno))) }
        try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  private func take(_ received: UnsafeRawBufferPointer) throws {
    var body = received
    if !head.isComplete {
      body = UnsafeRawBufferPointer(rebasing: received[head.take(received)...])
      if !head.isComplete { return }
      try checkHead()
    }
    if let bytes, part.size + body.count > bytes { throw try tooMuch(bytes) }
    if !body.isEmpty { try part.append(body) }
  }

  private func checkHead() throws {
    switch head.status {
    case 206: break
    // The whole file, whatever the request.
    case 200: try part.truncate()
    // The rest does not exist.
    case 416: throw try changed("it holds fewer than \(bytes ?? part.size) bytes")
    default: throw FetchError.refused(name: name, url: url, status: head.status)
    }
    guard let length = head.length else { return }
    total = part.size + length
    if let bytes, length > bytes - part.size { throw try tooMuch(bytes) }
  }

  private func tooMuch(_ bytes: Int) throws -> FetchError {
    try changed("it sends more than \(bytes) bytes")
  }

  /// Drops the bytes of a file that cannot be the manifest's.
  private func changed(_ problem: String) throws -> FetchError {
    try part.truncate()
    return .changed(name: name, url: url, problem: problem)
  }

  private var cancelled: FetchError {
    .cancelled(name: name, kept: part.size, of: bytes ?? total ?? 0)
  }

  private func connectionError(_ problem: String) -> FetchError {
    .connection(name: name, url: url, problem: problem, kept: part.size, of: bytes ?? total ?? 0)
  }
}

/// The head of an answer, its status and fields, with those of the answers before it that only point elsewhere.
private struct AnswerHead {
  private(set) var status = 0
  /// The bytes that follow; nil where the server does not say.
  private(set) var length: Int?
  private(set) var isComplete = false
  private var pointsElsewhere = false
  private var line: [UInt8] = []

  /// Takes bytes up to the end of the head.
  ///
  /// - Returns: The number of bytes that it took.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    for (index, byte) in bytes.enumerated() {
      if byte != UInt8(ascii: "\n") {
        line.append(byte)
        continue
      }
      endLine()
      if isComplete { return index + 1 }
    }
    return bytes.count
  }

  private mutating func endLine() {
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    line.removeAll(keepingCapacity: true)
    if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ")
      self = AnswerHead()
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    } else if text.isEmpty {
      let isMoved = [301, 302, 303, 307, 308].contains(status)
      isComplete = status >= 200 && !(isMoved && pointsElsewhere)
    } else {
      let field = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      switch field[0].lowercased() {
      case "content-length":
        length = field.last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
      case "location": pointsElsewhere = true
      default: break
      }
    }
  }
}
