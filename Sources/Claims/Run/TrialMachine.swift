import CInline
import CacheReplay
import Foundation
import Synchronization

/// The machine during a trial: fractions of the time, each nil where nothing is known.
package struct TrialMachine: Sendable {
  /// The time by which a thread that only reads the clock woke up late.
  package var hiccups: Double?
  /// The processors' time that the hypervisor took.
  package var steal: Double?
  /// The time in which the trial's thread was ready and had no processor; nil where others work for it.
  package var waiting: Double?
  /// The processors' time that other processes took, shortly before the trial and during it; nil where more
  /// than half was idle.
  package var others: Double?

  /// The fraction of the processors' time that other processes take.
  private static let mostOthers = 0.1
  /// The fraction of the processors' time that is idle where no other process disturbs.
  fileprivate static let leastIdle = 0.5

  /// The rule in words, a part of each claim's hash.
  static let rule =
    "a trial of times does not count with "
    + "hiccups above \(percent(MachineLimits.mostHiccups)), "
    + "steal above \(percent(MachineLimits.mostSteal)), "
    + "waiting above \(percent(MachineLimits.mostWaiting)) or other processes above "
    + "\(percent(mostOthers)) of processors of which less than \(percent(leastIdle)) is idle; "
    + "no verdict where as many do not count as do"

  package init() {}

  /// The limits that a trial is beyond, each as `hiccups: 7 % (at most 2 %)`; none for a quiet machine.
  package var disturbances: [String] {
    [
      ("hiccups", hiccups, MachineLimits.mostHiccups), ("steal", steal, MachineLimits.mostSteal),
      ("waiting", waiting, MachineLimits.mostWaiting),
      ("other processes", others, TrialMachine.mostOthers),
    ].compactMap { name, value, limit in
      guard let value, value > limit else { return nil }
      return "\(name): \(TrialMachine.percent(value)) (at most \(TrialMachine.percent(limit)))"
    }
  }

  private static func percent(_ fraction: Double) -> String {
    String(format: "%.0f %%", fraction * 100)
  }
}

/// A way to watch the machine while a trial runs.
package struct TrialWatch: Sendable {
  /// Starts to watch, and returns what ends it.
  package let start: @Sendable () -> () -> TrialMachine

  package init(start: @escaping @Sendable () -> () -> TrialMachine) { self.start = start }

  /// The machine as the system knows it, and as a thread sees it that only reads the clock.
  package static func real() -> TrialWatch {
    let history = LoadHistory()
    return TrialWatch {
      let load = history.note()
      let watch = MachineWatch()
      let start = TrialTimes()
      return {
        let end = TrialTimes()
        var machine = end.machine(since: start, record: watch.finish([]))
        machine.others = ProcessorLoad().others(since: load)
        return machine
      }
    }
  }
}

/// The times of the trial's thread and of its process.
private struct TrialTimes {
  let waited = SystemLoad.waitedNanoseconds
  let thread = Double(evl_thread_nanoseconds()) / 1e9
  let process = Double(nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)) / 1e9
  let time = Double(evl_monotonic_nanoseconds()) / 1e9

  func machine(since start: TrialTimes, record: MachineRecord) -> TrialMachine {
    let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
    let seconds = max(time - start.time, 1e-9)
    let used = process - start.process
    var machine = TrialMachine()
    // Threads that work for the trial compete with its own, which mostly waits for them.
    if let before = start.waited, let after = waited, thread - start.thread >= 0.8 * used {
      machine.waiting = Double(after &- before) / 1e9 / seconds
    }
    machine.steal = record.stolenSeconds.map { $0 / (record.watchedSeconds * cores) }
    // A thread without priority is late because of the trial where that needs all processors.
    if let hiccups = record.hiccups, hiccups.watched > 0,
      hiccups.isFirst || used / seconds < cores - 0.5
    {
      machine.hiccups = Double(hiccups.lost) / Double(hiccups.watched)
    }
    return machine
  }
}

/// The processors' time since the start, and this process's with its children, in seconds.
private struct ProcessorLoad {
  let processors = SystemLoad.processors
  let own: Double = {
    var used = tms()
    _ = times(&used)
    let ticks = used.tms_utime + used.tms_stime + used.tms_cutime + used.tms_cstime
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }()
  let time = evl_monotonic_nanoseconds()

  /// The fraction of the processors' time that other processes took; nil where much is idle, the time is
  /// too short for the system's clock ticks, or the system does not say.
  func others(since start: ProcessorLoad) -> Double? {
    guard let before = start.processors, let after = processors else { return nil }
    let (busy, idle) = (after.busy - before.busy, after.idle - before.idle)
    guard busy + idle >= 0.5, idle / (busy + idle) < TrialMachine.leastIdle else { return nil }
    return max(0, busy - (own - start.own)) / (busy + idle)
  }
}

/// The loads at the starts of the latest trials.
private final class LoadHistory: Sendable {
  /// The time that a trial's load is looked at before its start: ticks of the system's clock are long.
  private static let shortest: UInt64 = 500_000_000

  private let loads = Mutex<[ProcessorLoad]>([])

  /// Notes the load now, and returns the latest that is old enough, or the oldest.
  func note() -> ProcessorLoad {
    let now = ProcessorLoad()
    return loads.withLock { loads in
      loads.append(now)
      let old = loads.lastIndex { now.time - $0.time >= LoadHistory.shortest } ?? 0
      loads.removeFirst(old)
      return loads[0]
    }
  }
}

/// Nanoseconds of a clock.
private func nanoseconds(of clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
