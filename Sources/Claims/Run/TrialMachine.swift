import CacheReplay
import Foundation

/// The machine during a trial: fractions of the time, each nil where nothing is known.
package struct TrialMachine: Sendable {
  /// The time by which a thread that only reads the clock woke up late.
  package var hiccups: Double?
  /// The processors' time that the hypervisor took.
  package var steal: Double?
  /// The time in which the trial's own thread was ready and had no processor.
  package var waiting: Double?
  /// The processors' time in seconds: that of other processes, what was idle, and all.
  package var others = 0.0
  package var idle = 0.0
  package var all = 0.0

  /// The fraction of the processors' time that other processes take where less than that is idle.
  package static let mostOthers = 0.05

  /// The rule in words, a part of each claim's hash.
  package static let rule =
    "a trial of times does not count with "
    + "hiccups above \(percent(MachineLimits.mostHiccups)), "
    + "steal above \(percent(MachineLimits.mostSteal)) or "
    + "waiting above \(percent(MachineLimits.mostWaiting)); no verdict where as many do not count as do, "
    + "or other processes take more than \(percent(mostOthers)) of processors that are never idle"

  package init() {}

  /// The limits that a trial is beyond, each as `hiccups: 7 % (at most 2 %)`; none for a quiet machine.
  package var disturbances: [String] {
    [
      ("hiccups", hiccups, MachineLimits.mostHiccups), ("steal", steal, MachineLimits.mostSteal),
      ("waiting", waiting, MachineLimits.mostWaiting),
    ].compactMap { name, value, limit in
      guard let value, value > limit else { return nil }
      return "\(name): \(TrialMachine.percent(value)) (at most \(TrialMachine.percent(limit)))"
    }
  }

  /// The fraction of all trials' processor time that other processes took from a machine that was never idle;
  /// nil where they did not.
  package var taken: Double? {
    guard all > 0, others / all > TrialMachine.mostOthers, idle / all < TrialMachine.mostOthers
    else { return nil }
    return others / all
  }

  /// Adds the processors' time of another trial.
  mutating func add(_ other: TrialMachine) {
    others += other.others
    idle += other.idle
    all += other.all
  }

  static func percent(_ fraction: Double) -> String { String(format: "%.0f %%", fraction * 100) }
}

/// A way to watch the machine while a trial runs.
package struct TrialWatch: Sendable {
  /// Starts to watch, and returns what ends it.
  package let start: @Sendable () -> () -> TrialMachine

  package init(start: @escaping @Sendable () -> () -> TrialMachine) { self.start = start }

  /// The machine as the system knows it, and as a thread sees it that only reads the clock.
  package static let real = TrialWatch {
    let watch = MachineWatch()
    let start = Moment()
    return {
      let end = Moment()
      return machine(from: start, to: end, record: watch.finish([]))
    }
  }

  /// The counters of the system at a time.
  private struct Moment {
    let waited = SystemLoad.waitedNanoseconds
    let processors = SystemLoad.processors
    /// The processor time of this process and of its children, in seconds.
    let own: Double = {
      var used = tms()
      _ = times(&used)
      let ticks = used.tms_utime + used.tms_stime + used.tms_cutime + used.tms_cstime
      return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()
    let time = ContinuousClock.now
  }

  private static func machine(
    from start: Moment, to end: Moment, record: MachineRecord
  ) -> TrialMachine {
    let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
    let elapsed = start.time.duration(to: end.time)
    let seconds = max(elapsed / .seconds(1), 1e-9)
    let own = end.own - start.own
    var machine = TrialMachine()
    if let before = start.waited, let after = end.waited {
      machine.waiting = Double(after &- before) / 1e9 / seconds
    }
    machine.steal = record.stolenSeconds.map { $0 / (record.watchedSeconds * cores) }
    // A thread without priority is late because of the trial where that needs all processors.
    if let hiccups = record.hiccups, hiccups.watched > 0,
      hiccups.isFirst || own / seconds < cores - 0.5
    {
      machine.hiccups = Double(hiccups.lost) / Double(hiccups.watched)
    }
    if let before = start.processors, let after = end.processors {
      machine.idle = after.idle - before.idle
      machine.others = max(0, after.busy - before.busy - own)
      machine.all = after.busy - before.busy + machine.idle
    }
    return machine
  }
}
