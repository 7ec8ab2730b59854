import Experiments
import Foundation
import Parameters
import Runner
import Synchronization
import Traces

/// One line on a terminal that says how far long work has come; nothing anywhere else.
final class ProgressLine: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)
  private let warned = Atomic<Bool>(false)
  private let start = ContinuousClock.now

  private var seconds: Double { (ContinuousClock.now - start).seconds }

  /// Shows a text in place of the one before, at most ten times a second.
  func show(_ text: @autoclosure () -> String) {
    guard StandardError.isTerminal else { return }
    last.withLock { last in
      let now = ContinuousClock.now
      if let last, now - last < .milliseconds(100) { return }
      last = now
      StandardError.write("\r\(text().prefix(Terminal.width(of: 2) - 1))\u{1B}[K")
    }
  }

  /// Takes the line away, so that what is written next stands alone.
  func clear() {
    last.withLock { last in
      if last != nil { StandardError.write("\r\u{1B}[K") }
      last = nil
    }
  }
}

extension ProgressLine {
  /// Work at its rate since the line began, the fraction that is done, and the time left where it is known.
  func show(_ work: String, requests: Int, fraction: Double?) {
    let seconds = seconds
    if let fraction, seconds > ProgressLine.patience {
      announce(seconds / fraction, "\(work) takes about")
    }
    guard StandardError.isTerminal else { return }
    let percent = fraction.map { String(format: "%.0f %%, ", min($0, 1) * 100) } ?? ""
    let left = fraction.flatMap { fraction in
      fraction > 0
        ? ", \(ProgressLine.duration(seconds * (1 - min(fraction, 1)) / fraction)) left" : nil
    }
    show(
      String(
        format: "%@: %@%.1f M requests/s%@", work, percent, Double(requests) / seconds / 1e6,
        left ?? ""))
  }

  /// A download: the bytes that are there, those that this attempt fetches in a second, and the time left.
  func show(download name: String, bytes: Int, of all: Int, fetched: Int) {
    let rate = Double(fetched) / seconds
    show(
      String(
        format: "fetching %@: %.0f %%, %.1f MB/s, %@ left", name, Double(bytes) / Double(all) * 100,
        rate / 1e6, ProgressLine.duration(Double(all - bytes) / max(rate, 1))))
  }

  /// The progress of a plan's cells.
  func show(_ progress: ExperimentProgress) {
    let seconds = seconds
    if let stream = progress.stream {
      return show(
        "simulating \(stream)", requests: progress.requests,
        fraction: progress.totalRequests > 0 ? progress.fraction(after: seconds) : nil)
    }
    let fraction = progress.fraction(after: seconds)
    warn(
      ofSeconds: seconds > ProgressLine.patience ? seconds / fraction : progress.scheduledSeconds,
      "cells: \(progress.totalCells)",
      remedy: "fewer policies, capacities or requests (--limit) take less")
    show(
      "\(progress.cells) of \(progress.totalCells) cells", requests: progress.requests,
      fraction: fraction)
  }

  /// The seconds of work that tell how long the rest takes.
  private static let patience = 3.0
  /// The seconds of work that is announced: people wait, and what reads a pipe takes a line for a warning.
  private static let announced = StandardError.isTerminal ? 10.0 : 600

  /// Says once how long work takes, with a remedy where it takes over ten minutes: at once
  /// where it follows a schedule, else when some of it is done.
  func warn(ofSeconds seconds: Double, _ work: String, remedy: String, isLimit: Bool = false) {
    announce(
      seconds, "this takes \(isLimit ? "at most" : "about")",
      " (\(work))" + (seconds > 600 ? "; \(remedy)" : ""))
  }

  private func announce(_ seconds: Double, _ before: String, _ after: String = "") {
    guard seconds.isFinite, seconds > ProgressLine.announced,
      !warned.exchange(true, ordering: .relaxed)
    else {
      return
    }
    clear()
    StandardError.say("\(before) \(ProgressLine.duration(seconds))\(after)")
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e15).rounded())
    return switch whole {
    case ..<60: "\(whole) s"
    case ..<3600: "\(whole / 60) min \(whole % 60) s"
    case ..<86_400: "\(whole / 3600) h \(whole % 3600 / 60) min"
    default: "\(whole / 86_400) d \(whole % 86_400 / 3600) h"
    }
  }
}

/// Standard error: everything that is not a result.
enum StandardError {
  /// True where standard error is a terminal.
  static let isTerminal = isatty(2) == 1

  /// Says something in one line, whatever names it holds, with the tool's name in front.
  static func say(_ message: String) { write("evict: \(message.printable)\n") }

  /// Writes text as it is, as far as standard error takes it: a full disk, a reader that has ended or a terminal
  /// that went away ends no work.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      withoutPipeSignals {
        var written = 0
        try? UnsafeRawBufferPointer(bytes).write(to: 2, file: "standard error", place: &written)
      }
    }
  }

  /// Runs `body` without the signal of a pipe whose reader has ended, which ends the tool for standard output.
  private static func withoutPipeSignals(_ body: () -> Void) {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    body()
    var pending = sigset_t()
    if sigpending(&pending) == 0, sigismember(&pending, SIGPIPE) == 1 {
      var number: Int32 = 0
      sigwait(&signals, &number)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

/// The three streams that a program is started with.
enum StandardStreams {
  /// Occupies the numbers of streams that the tool was started without, so that no file that it opens gets one and
  /// is read or written as that stream.
  static func occupy() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // It gets the lowest free number. As before, input cannot be read, nor output be written.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}

extension ForkedChild {
  /// A child of a command: what it prints goes to standard error.
  ///
  /// - Parameters:
  ///   - patience: The seconds for a workload, or for some thousand requests.
  ///   - memoryLimit: The bytes that it may take; nil for no limit.
  static func ofThisCommand(patience: Double = 60, memoryLimit: Int? = nil) -> ForkedChild {
    ForkedChild(patience: patience, memoryLimit: memoryLimit) {
      StandardError.write(String(decoding: $0, as: UTF8.self))
    }
  }
}
