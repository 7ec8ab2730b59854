import Foundation
import Results

/// The state of the machine during one pass, or during all passes of a cell.
package struct MachineRecord: Sendable {
  /// The length of the passes.
  package var seconds = 0.0
  /// The same with the start and the end of threads: the time that the machine was watched.
  package var watchedSeconds = 0.0
  /// The time of all clients, from the first request of each to its last.
  package var clientSeconds = 0.0
  /// Of that, what they were ready and had no processor; nil where the system does not say.
  package var waitedSeconds: Double?
  /// For how long at least all clients ran at once, or waited for each other.
  package var overlapSeconds = 0.0
  /// Nil where a thread that reads the clock would compete with the clients.
  package var hiccups: Hiccups?
  /// Processor time that the hypervisor gave to others; nil where the system does not say.
  package var stolenSeconds: Double?
  /// Involuntary context switches of the process.
  package var preemptions = 0
  /// The largest disagreement of the counter and the monotonic clock.
  package var drift = 0.0
  /// The processors' frequencies, in Hz, where they can be read.
  package var frequencies: [Double] = []
  /// True if each client was pinned to a processor of its own.
  package var isPinned = true

  package init() {}

  /// The clients' time without that in which they had no processor: it says what a pass costs on a machine
  /// that others use as well.
  var activeSeconds: Double { max(0, clientSeconds - (waitedSeconds ?? 0)) }

  /// Adds what the clients of a pass, or of a part of one, say of their time.
  package mutating func add(_ clients: [ClientTime], seconds: Double) {
    self.seconds += seconds
    clientSeconds += clients.reduce(0) { $0 + $1.seconds }
    overlapSeconds += ClientTime.overlap(clients)
    waitedSeconds.merge(ClientTime.waited(clients)) { $0 += $1 }
    isPinned = isPinned && clients.allSatisfy(\.isPinned)
  }

  package mutating func add(_ other: MachineRecord) {
    seconds += other.seconds
    watchedSeconds += other.watchedSeconds
    clientSeconds += other.clientSeconds
    overlapSeconds += other.overlapSeconds
    waitedSeconds.merge(other.waitedSeconds) { $0 += $1 }
    stolenSeconds.merge(other.stolenSeconds) { $0 += $1 }
    hiccups.merge(other.hiccups) { $0.add($1) }
    preemptions += other.preemptions
    drift = max(drift, other.drift)
    if let low = (frequencies + other.frequencies).min(),
      let high = (frequencies + other.frequencies).max()
    {
      frequencies = [low, high]
    }
    isPinned = isPinned && other.isPinned
  }

  /// The same as ratios of the time.
  ///
  /// - Parameter cores: The processors of the machine.
  package func report(
    threads: Int, cores: Int = ProcessInfo.processInfo.activeProcessorCount
  ) -> MachineReport {
    func ratio(_ part: Double?, of whole: Double) -> Double? {
      part.map { whole > 0 ? $0 / whole : 0 }
    }
    var report = MachineReport()
    report.pinned = isPinned
    report.seconds = seconds
    report.preemptions = preemptions
    report.clockDrift = drift
    report.overlap = threads > 1 ? ratio(overlapSeconds, of: seconds) : nil
    report.waiting = ratio(waitedSeconds, of: clientSeconds)
    report.hiccups = hiccups.flatMap { ratio(Double($0.lost), of: Double($0.watched)) }
    report.longestHiccup = hiccups.map { Int($0.longest) }
    report.steal = ratio(stolenSeconds, of: watchedSeconds * Double(cores))
    if let low = frequencies.min(), let high = frequencies.max() {
      report.frequency = low...high
    }
    return report
  }
}
