import EvictionCore
import Foundation
import Parameters
import Synchronization

/// A cache that is not ours, in a program of its own, which reads accesses from its standard input and answers on its
/// standard output.
///
///     let driver = try Driver("python3 driver.py cachetools:lru", capacity: 1_000, isSized: false, seed: 42)
///     let hits = try driver.access([.get(key: 7, size: 8), .get(key: 7, size: 8)])    // [false, true]
///     let report = try driver.finish()
///
/// The protocol is of lines of text, a batch of accesses a line:
///
///     > evictionlab-driver 1 capacity=1000 unit=objects seed=42
///     < ready
///     > access 7:8 7:8 =9:8 -7
///     < 01..
///     > end
///     < done residents=1 bytes=8 histogram=250:1,1000:1
///
/// `key:size` is a get and, on a miss, the set that follows: 1 for a hit, 0 for a miss. `=key:size` is a set, `-key` a removal,
/// both answered by a point. The histogram holds times of gets in nanoseconds, sets on a miss included, and how many took them.
package final class Driver {
  /// One line of the batch.
  package enum Access: Sendable, Equatable {
    case get(key: UInt32, size: Int)
    case set(key: UInt32, size: Int)
    case remove(key: UInt32)

    fileprivate var text: String {
      switch self {
      case .get(let key, let size): " \(key):\(size)"
      case .set(let key, let size): " =\(key):\(size)"
      case .remove(let key): " -\(key)"
      }
    }
  }

  /// The end of a driver's run.
  package struct Report: Sendable, Equatable {
    /// The entries that the cache held on average; nil for a driver that does not say.
    package var residents: Int?
    /// The memory that it held them in, in bytes; nil for a driver that does not say.
    package var bytes: Int?
    /// Times of gets in nanoseconds, and how many took them.
    package var times: [(nanoseconds: UInt64, count: Int)]

    /// A report.
    package init(
      residents: Int? = nil, bytes: Int? = nil, times: [(nanoseconds: UInt64, count: Int)] = []
    ) {
      self.residents = residents
      self.bytes = bytes
      self.times = times
    }

    package static func == (left: Report, right: Report) -> Bool {
      left.residents == right.residents && left.bytes == right.bytes
        && left.times.elementsEqual(right.times) { $0 == $1 }
    }
  }

  /// Accesses in a batch.
  package static let batch = 1_024

  /// Threads that make the accesses of a batch.
  package private(set) var threads = 1

  private let command: String
  private let timeout: Duration
  private let isStopped: () -> Bool
  private let process = Process()
  private let socket: Int32
  private let complaints: Complaints
  private var input: [UInt8] = []
  private var gets = 0
  private var keys = SetKeys()
  private let start = ContinuousClock.now
  private var isOver = true

  /// Starts a program, by way of the shell.
  ///
  /// - Parameters:
  ///   - command: The command line.
  ///   - capacity: The capacity, in objects or bytes.
  ///   - isSized: True for bytes.
  ///   - seed: The seed of everything random.
  ///   - timeout: The longest wait for an answer.
  ///   - isStopped: Asked while the program is waited for; true ends it, and every call throws.
  package init(
    _ command: String, capacity: Int, isSized: Bool, seed: UInt64,
    timeout: Duration = .seconds(60), isStopped: @escaping () -> Bool = { false }
  ) throws(DriverError) {
    self.command = command
    self.timeout = timeout
    self.isStopped = isStopped
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Driver.streams, 0, &ends) == 0 else {
      throw DriverError(command, "cannot be started: \(String(cString: strerror(errno)))")
    }
    socket = ends[0]
    let errors = Pipe()
    complaints = Complaints(errors.fileHandleForReading)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    let other = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = other
    process.standardOutput = other
    process.standardError = errors
    do { try process.run() } catch {
      throw DriverError(command, "cannot be started: \(error.localizedDescription)")
    }
    isOver = false
    StartedPrograms.add()
    try? other.close()
    try? errors.fileHandleForWriting.close()
    do throws(DriverError) {
      try send(
        "evictionlab-driver 1 capacity=\(capacity) unit=\(isSized ? "bytes" : "objects") seed=\(seed)"
      )
      let answer = try receive(atMost: 1_024)
      let words = answer.split(separator: " ")
      guard words.first == "ready" else {
        throw error("answered “\(answer.prefix(60))” to the greeting, not “ready”")
      }
      for word in words where word.hasPrefix("threads=") {
        threads = try count(word.dropFirst(8), of: "threads")
        if threads == 0 { throw error("declared no threads; give 1 or more") }
      }
    } catch {
      end()
      throw error
    }
  }

  deinit {
    end()
    close(socket)
  }

  #if canImport(Glibc)
    private static let streams = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let streams = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #endif

  /// Makes accesses. Returns for each get whether it hit, for others nil. A hit on a key that was not set fails.
  package func access(_ batch: [Access]) throws(DriverError) -> [Bool?] {
    try send("access" + batch.map(\.text).joined())
    let answer = try receive(atMost: batch.count)
    if answer.utf8.count != batch.count {
      throw error("answered \(answer.utf8.count) characters to \(batch.count) accesses")
    }
    var hits: [Bool?] = []
    for (access, character) in zip(batch, answer) {
      switch (access, character) {
      case (.get, "1"): hits.append(true)
      case (.get, "0"): hits.append(false)
      case (.set, "."), (.remove, "."): hits.append(nil)
      default:
        throw error("answered “\(character)” to “\(access.text.dropFirst())”; give 1, 0 or .")
      }
    }
    gets += hits.count(where: { $0 != nil })
    if let place = keys.take(batch, hits, inOrder: threads == 1) {
      throw error(
        "answered “1” to “\(batch[place].text.dropFirst())”, a hit on a key that was not set, or removed since"
      )
    }
    return hits
  }

  /// Ends the program, which reports what it holds and how long gets took.
  package func finish() throws(DriverError) -> Report {
    try send("end")
    let answer = try receive(atMost: 1 << 20)
    var words = answer.split(separator: " ")[...]
    guard words.popFirst() == "done" else {
      throw error("answered “\(answer.prefix(60))” to the end, not “done …”")
    }
    var report = Report()
    let longest = (ContinuousClock.now - start) / Duration.nanoseconds(1)
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw error("reported “\(word)”; give name=value") }
      switch parts[0] {
      case "residents":
        let residents = try count(parts[1], of: "residents")
        if residents > keys.most {
          throw error("reported residents=\(residents), of \(keys.most) keys that were set")
        }
        report.residents = residents
      case "bytes": report.bytes = try count(parts[1], of: "bytes")
      case "histogram":
        for pair in parts[1].split(separator: ",") {
          let numbers = pair.split(separator: ":").map { Int($0) }
          guard numbers.count == 2, let time = numbers[0], let count = numbers[1], time >= 0,
            count > 0
          else { throw error("reported the time “\(pair.prefix(60))”; give nanoseconds:count") }
          if Double(time) > longest {
            throw error("reported a get of \(time) ns, longer than the run")
          }
          if count > gets { throw error("reported the times of more gets than it was given") }
          gets -= count
          report.times.append((UInt64(time), count))
        }
      default: break
      }
    }
    end()
    return report
  }

  private func count(_ text: Substring, of name: String) throws(DriverError) -> Int {
    guard let count = Int(text), count >= 0 else {
      throw error("reported \(name)=\(text.prefix(60)), which is no count")
    }
    return count
  }

  // MARK: Lines

  private func send(_ line: String) throws(DriverError) {
    let bytes = Array((line + "\n").utf8)
    let deadline = ContinuousClock.now + timeout
    var sent = 0
    while sent < bytes.count {
      try wait(for: POLLOUT, until: deadline)
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Driver.noSignal | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
      } else if errno != EINTR && errno != EAGAIN {
        throw failure()
      }
    }
  }

  /// The milliseconds between two looks at whether the work goes on.
  private static let pause: Int32 = 100

  /// Waits until the socket can be read or written.
  private func wait(
    for event: some BinaryInteger, until deadline: ContinuousClock.Instant
  ) throws(DriverError) {
    var state = pollfd(fd: socket, events: Int16(event), revents: 0)
    repeat {
      if isStopped() {
        end()
        throw DriverError(command, "was stopped")
      }
      if ContinuousClock.now > deadline { throw error("did not answer within \(timeout)") }
    } while poll(&state, 1, Driver.pause) <= 0
  }

  /// Returns the next line, which has at most that number of bytes.
  private func receive(atMost limit: Int) throws(DriverError) -> String {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    let deadline = ContinuousClock.now + timeout
    while true {
      if let place = input.firstIndex(of: 10) {
        let line = String(decoding: input[..<place], as: UTF8.self)
        input.removeSubrange(...place)
        return line
      }
      if input.count > limit { throw error("answered more than \(limit) bytes in a line") }
      try wait(for: POLLIN, until: deadline)
      let count = recv(socket, &chunk, chunk.count, 0)
      if count > 0 {
        input += chunk[..<count]
      } else if count == 0 || errno != EINTR {
        throw failure()
      }
    }
  }

  private func failure() -> DriverError {
    end()
    // Foundation takes a program for running while a child of it lives, in whatever process group.
    if process.isRunning { return error("ended too early, and a program that it started runs on") }
    let cause = process.terminationReason == .uncaughtSignal ? "by signal" : "with code"
    return error("ended too early, \(cause) \(process.terminationStatus)")
  }

  /// An error with the last lines of the program's complaints.
  private func error(_ problem: String) -> DriverError {
    end()
    return DriverError(command, problem, complaints: complaints.last)
  }

  /// Ends the program and all that it started: by its input's end, a signal, and at last a signal that none resists;
  /// where the work is stopped, within a second.
  private func end() {
    if isOver { return }
    isOver = true
    shutdown(socket, Int32(SHUT_RDWR))
    // Foundation starts a program in a process group of its own.
    let group = -process.processIdentifier
    for (signal, wait) in [(0, 1.0), (SIGTERM, 2.0), (SIGKILL, 2.0)]
    where process.isRunning {
      if signal > 0 { kill(group, signal) }
      let start = ContinuousClock.now
      while process.isRunning, ContinuousClock.now - start < .seconds(isStopped() ? 0.2 : wait) {
        usleep(2_000)
      }
    }
    kill(group, SIGKILL)
    StartedPrograms.remove()
  }
}

/// The keys that may be resident, as their sets say.
private struct SetKeys {
  private var areSet: [Bool] = []
  /// The most keys at once.
  private(set) var most = 0
  private var count = 0

  /// Takes the accesses of a batch and their hits. Returns the place of a get that hit though its key was not set.
  ///
  /// - Parameter inOrder: False where threads make the accesses, each in the order that it happens to have.
  mutating func take(_ batch: [Driver.Access], _ hits: [Bool?], inOrder: Bool) -> Int? {
    if !inOrder {
      for (access, isHit) in zip(batch, hits) where access.sets(isHit: isHit) { add(access.key) }
    }
    for (place, (access, isHit)) in zip(batch, hits).enumerated() {
      if access.sets(isHit: isHit) { add(access.key) }
      if isHit == true, !contains(access.key) { return place }
      if inOrder, case .remove(let key) = access { remove(key) }
    }
    return nil
  }

  private func contains(_ key: UInt32) -> Bool { key < areSet.count && areSet[Int(key)] }

  private mutating func add(_ key: UInt32) {
    if contains(key) { return }
    let missing = Int(key) + 1 - areSet.count
    if missing > 0 { areSet += repeatElement(false, count: missing + areSet.count / 2) }
    areSet[Int(key)] = true
    count += 1
    most = max(most, count)
  }

  private mutating func remove(_ key: UInt32) {
    if !contains(key) { return }
    areSet[Int(key)] = false
    count -= 1
  }
}

extension Driver.Access {
  fileprivate var key: UInt32 {
    switch self {
    case .get(let key, _), .set(let key, _), .remove(let key): key
    }
  }

  /// True for a set, and for a get that missed, which a set follows.
  fileprivate func sets(isHit: Bool?) -> Bool {
    switch self {
    case .get: isHit == false
    case .set: true
    case .remove: false
    }
  }
}

/// The failure of a driver, in one line.
package struct DriverError: Error, Equatable, CustomStringConvertible {
  /// The command, the problem and the driver's last complaints.
  package let description: String

  init(_ command: String, _ problem: String, complaints: String = "") {
    description =
      "exec:\(command): it \(problem)" + (complaints.isEmpty ? "" : "; it said: \(complaints)")
  }
}
