/// The settings of a replay that tell those of one policy at one capacity apart, in comparisons, charts and the
/// names of files.
package struct ReplaySetup: Hashable, Sendable {
  /// The system that was driven in place of a cache; nil for none.
  package let system: String?
  /// Threads that made requests.
  package let threads: Int
  /// The cache's lock, by name.
  package let lock: String
  /// The moment at which the policy learned of hits, by name.
  package let reads: String
  /// The pace as it was requested: `closed`, `100000`, `120%`, `trace:10`.
  package let pace: String
  /// The distribution of an open loop's arrivals in time; nil for a closed loop.
  package let arrivals: ArrivalModel?
  /// The division of the trace among threads.
  package let division: ReplayDivision
  /// The wait of a miss; nil for none.
  package let missPenalty: MissPenalty?

  /// The setup of a replay.
  package init(_ replay: Replay) {
    system = replay.system
    threads = replay.threads
    lock = replay.lock
    reads = replay.reads
    pace = replay.pace?.label ?? ReplayPace.closed.label
    arrivals = replay.pace?.arrivals
    division = replay.division
    missPenalty = replay.missPenalty
  }

  /// The setup of a replay, of this project's own cache or of a system.
  package init(
    system: String? = nil, threads: Int, lock: String, reads: String, pace: ReplayPace,
    arrivals: ArrivalModel,
    division: ReplayDivision, missPenalty: MissPenalty?
  ) {
    self.system = system
    self.threads = threads
    self.lock = lock
    self.reads = reads
    self.pace = pace.label
    self.arrivals = pace == .closed ? nil : arrivals
    self.division = division
    self.missPenalty = missPenalty
  }

  /// Everything but the threads, without what is usual: `mutex`, `spin, buffered reads, pace 80%`.
  package var driver: String { driver(withPace: true) }

  private func driver(withPace: Bool) -> String {
    var parts = [lock]
    if reads != "strict" { parts.append("\(reads) reads") }
    if withPace && pace != ReplayPace.closed.label { parts.append("pace \(pace)") }
    if let arrivals, arrivals != .poisson { parts.append("\(arrivals.rawValue) arrivals") }
    if division != .interleaved { parts.append("share \(division.rawValue)") }
    if let missPenalty { parts.append("miss penalty \(missPenalty.label)") }
    return parts.joined(separator: ", ")
  }

  /// In words, without what is usual: `2 threads, mutex`, `1 thread, spin, buffered reads, pace 80%`.
  package var label: String { label(withPace: true) }

  /// The same without the pace: what runs at several paces have in common.
  package var labelWithoutPace: String { label(withPace: false) }

  private func label(withPace: Bool) -> String {
    "\(threads) thread\(threads == 1 ? "" : "s"), \(driver(withPace: withPace))"
  }
}

extension ReplaySetup {
  /// True where several threads bring the requests of this project's cache into another order.
  package var isReordered: Bool { threads > 1 && system == nil && division == .interleaved }
}

extension Replay {
  /// The settings of the replay.
  package var setup: ReplaySetup { ReplaySetup(self) }
}

/// The requests that each client of a replay takes of the trace.
package enum ReplayDivision: String, Sendable, CaseIterable, JSONValue {
  /// The next few requests when it is done with its last: the trace runs once, nearly in its order.
  case interleaved
  /// All requests of its keys, which no other thread asks for: the trace runs once, each key's requests
  /// in their order.
  case keys
  /// The whole trace: it runs as often as there are threads, all of them in one cache.
  case copies
}
