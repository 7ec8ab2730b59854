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
    let exit = curl.wait()
    // "curl: (7) Failed to connect …", perhaps with advice on further lines, and the status last.
    let lines = errors.text().split(whereSeparator: \.isNewline)
    switch (exit, lines.last.flatMap { Int($0) } ?? 0) {
    // The rest does not exist.
    case (_, 416): throw try changed("it holds fewer than \(bytes ?? part.size) bytes")
    case (.exited(0), _): return
    case (.exited(22), let status):
      throw FetchError.refused(name: name, url: url, status: status)
    // The whole file comes, whatever the request.
    case (.exited(33), _):
      try part.truncate()
      try run()
    // A terminal's Ctrl-C is for both.
    case (.signaled(SIGINT), _): throw cancelled
    default:
      let reason = lines.first?.split(separator: ") ", maxSplits: 1).last
      throw connectionError(reason.map { String($0) } ?? "curl ended with \(exit)")
    }
  }

  private var arguments: [String] {
    // Each word after --disable, which skips the user's settings: they might change what is printed.
    [
      "curl", "--disable", "--silent", "--show-error", "--no-buffer", "--location", "--fail",
      "--write-out", "%{stderr}\n%{http_code}", "--globoff", "--proto", "=http,https",
      "--connect-timeout", "60", "--speed-limit", "1", "--speed-time", "60",
      // The checksum is that of the stored bytes.
      "--header", "Accept-Encoding: identity",
    ] + (part.size > 0 ? ["--continue-at", "\(part.size)"] : []) + ["--url", url]
  }

  /// Takes the file's bytes, up to their end.
  private func receive(from answer: ChildPipe) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        if !progress(part.size) { throw cancelled }
        var state = pollfd(fd: answer.reading, events: Int16(POLLIN), revents: 0)
        if poll(&state, 1, Download.pause) <= 0 { continue }
        let count = answer.read(into: buffer)
        if count == 0 { return }
        if count < 0 { throw connectionError(String(cString: strerror(errno))) }
        if let bytes, part.size + count > bytes {
          throw try changed("it sends more than \(bytes) bytes")
        }
        try part.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  /// Drops the bytes of a file that cannot be the manifest's.
  private func changed(_ problem: String) throws -> FetchError {
    try part.truncate()
    return .changed(name: name, url: url, problem: problem)
  }

  private var cancelled: FetchError {
    .cancelled(name: name, kept: part.size, of: bytes ?? 0)
  }

  private func connectionError(_ problem: String) -> FetchError {
    .connection(name: name, url: url, problem: problem, kept: part.size, of: bytes ?? 0)
  }
}
