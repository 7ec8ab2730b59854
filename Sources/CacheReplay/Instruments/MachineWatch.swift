import CInline
import Dispatch
import Foundation
import Parameters
import Results
import Synchronization

/// Watches the machine while a pass runs: a thread of its own that only reads the clock, and what the
/// system knows of its processors.
package final class MachineWatch: Sendable {
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)
  private let hiccups = Mutex(Hiccups())
  private let start: Snapshot

  private struct Snapshot {
    let time = Clock.now()
    let clocks = Stopwatch.standard.moment()
    let steal = SystemLoad.stolenSeconds
    let preemptions = evl_preemptions()
  }

  /// Starts to watch.
  package init() {
    start = Snapshot()
    WorkThread.start { [self] in
      watchClock()
      ended.signal()
    }
  }

  private func watchClock() {
    var hiccups = Hiccups()
    hiccups.isFirst = evl_raise_priority() != 0
    var now = Clock.now()
    while !isOver.load(ordering: .relaxed) {
      let before = now
      var time = timespec(tv_sec: 0, tv_nsec: Int(Hiccups.period))
      nanosleep(&time, nil)
      now = Clock.now()
      hiccups.note(nanoseconds: now &- before)
    }
    let result = hiccups
    self.hiccups.withLock { $0 = result }
  }

  /// Ends the watch.
  ///
  /// - Parameter parts: The clients' times in each part of the pass that was watched, and its length.
  package func finish(_ parts: [(clients: [ClientTime], seconds: Double)]) -> MachineRecord {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
    let cores = ProcessInfo.processInfo.activeProcessorCount
    var record = MachineRecord()
    for part in parts { record.add(part.clients, seconds: part.seconds) }
    let threads = parts.map(\.clients.count).max() ?? 0
    let hiccups = hiccups.withLock { $0 }
    // A thread that competes with the clients is late because of them.
    if hiccups.isFirst || threads < cores { record.hiccups = hiccups }
    record.watchedSeconds = Double(Clock.now() - start.time) / 1e9
    if let before = start.steal, let after = SystemLoad.stolenSeconds {
      record.stolenSeconds = max(0, after - before)
    }
    record.preemptions = Int(evl_preemptions() - start.preemptions)
    record.drift = Stopwatch.standard.drift(since: start.clocks)
    record.frequencies = SystemLoad.frequencies(of: min(threads, cores))
    return record
  }
}

/// The delays of a thread that sleeps a millisecond at a time.
package struct Hiccups: Sendable, Equatable {
  /// A sleep, in nanoseconds.
  static let period: UInt64 = 1_000_000
  /// A wake-up that is later than this is a hiccup; others are how the system's timers are.
  private static let usual: UInt64 = 1_000_000

  /// True if the thread runs before all ordinary ones.
  package var isFirst = false
  /// The time that was watched, in nanoseconds.
  package private(set) var watched: UInt64 = 0
  /// The time of all hiccups, in nanoseconds.
  package private(set) var lost: UInt64 = 0
  /// The time of the longest, in nanoseconds.
  package private(set) var longest: UInt64 = 0

  package init() {}

  /// Takes what passed from before a sleep to after it.
  package mutating func note(nanoseconds: UInt64) {
    watched += nanoseconds
    if nanoseconds <= Hiccups.period + Hiccups.usual { return }
    lost += nanoseconds - Hiccups.period
    longest = max(longest, nanoseconds - Hiccups.period)
  }

  mutating func add(_ other: Hiccups) {
    watched += other.watched
    lost += other.lost
    longest = max(longest, other.longest)
  }
}

/// The time of one client's thread.
package struct ClientTime: Sendable {
  /// Its first request and its last, in nanoseconds.
  var start: UInt64
  var end: UInt64
  /// For how long it was ready to run and had no processor, in nanoseconds; nil where the system does not say.
  var waited: UInt64?
  /// True if it was pinned to one processor.
  var isPinned: Bool

  package init(start: UInt64, end: UInt64, waited: UInt64?, isPinned: Bool = false) {
    self.start = start
    self.end = end
    self.waited = waited
    self.isPinned = isPinned
  }

  var seconds: Double { end > start ? Double(end - start) / 1e9 : 0 }

  /// For how long all of them together were ready and had no processor; nil where that is not known.
  static func waited(_ clients: [ClientTime]) -> Double? {
    let waits = clients.compactMap(\.waited)
    return waits.count < clients.count ? nil : Double(waits.reduce(0, +)) / 1e9
  }

  /// For how many seconds at least all of them ran, or waited for each other: from the last start to the
  /// first end, less what any of them waited for a processor.
  package static func overlap(_ clients: [ClientTime]) -> Double {
    guard let start = clients.map(\.start).max(), let end = clients.map(\.end).min(), end > start
    else { return 0 }
    return max(0, Double(end - start) / 1e9 - (waited(clients) ?? 0))
  }
}

/// The system's statistics of its processors.
package enum SystemLoad {
  /// Processor time that the hypervisor gave to others, on all processors since the start; nil where the
  /// system does not say.
  static var stolenSeconds: Double? { seconds.map { $0[7] } }

  /// The time that all processors were busy for this system and idle, since the start, in seconds; nil where
  /// the system does not say.
  package static var processors: (busy: Double, idle: Double)? {
    seconds.map { ($0[0] + $0[1] + $0[2] + $0[5] + $0[6], $0[3] + $0[4]) }
  }

  /// The seconds of all processors: for users, with a nice value, in the system, idle, waiting for disks, in
  /// interrupts of both kinds, and stolen.
  private static var seconds: [Double]? {
    guard let text = SystemLoad.file("/proc/stat", bytes: 256) else { return nil }
    let words = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst()
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    let seconds = words.prefix(8).compactMap { Double($0).map { $0 / ticks } }
    return seconds.count == 8 ? seconds : nil
  }

  /// For how long this thread was ready and had no processor, ever, in nanoseconds; nil where the system does
  /// not say.
  package static var waitedNanoseconds: UInt64? {
    SystemLoad.file("/proc/thread-self/schedstat", bytes: 128).flatMap { text in
      text.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }
    }
  }

  /// The frequencies of the first processors now, in Hz; none where they cannot be read.
  static func frequencies(of processors: Int) -> [Double] {
    (0..<processors).compactMap { processor in
      let path = "/sys/devices/system/cpu/cpu\(processor)/cpufreq/scaling_cur_freq"
      let text = file(path, bytes: 32)?.trimmingCharacters(in: .whitespacesAndNewlines)
      return text.flatMap(Double.init).map { $0 * 1e3 }
    }
  }

  /// The start of a file that the system makes as it is read.
  private static func file(_ path: String, bytes: Int) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: bytes)
    let count = read(file, &buffer, bytes)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
