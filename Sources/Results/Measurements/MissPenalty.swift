/// The wait of a miss, outside the cache's lock, before the set that follows: the fetch of what is missing.
package struct MissPenalty: Sendable, Hashable {
  /// The way in which a thread waits.
  package enum Wait: String, Sendable, CaseIterable {
    /// It sleeps, and leaves the core to others, as one that waits for a disk or a network does.
    case sleep
    /// It spins, and keeps the core, as one that computes does.
    case spin
  }

  /// The least that is waited, in nanoseconds; a sleep lasts some 60 µs longer.
  package var nanoseconds: Int
  /// The way of waiting.
  package var wait: Wait

  /// A penalty.
  package init(nanoseconds: Int, wait: Wait = .sleep) {
    self.nanoseconds = nanoseconds
    self.wait = wait
  }

  /// The form on the command line: `2ms`, `spin:5us`.
  package var label: String {
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)]
    let unit = units.first { nanoseconds.isMultiple(of: $0.1) } ?? ("ns", 1)
    let time = "\(nanoseconds / unit.1)\(unit.0)"
    return wait == .sleep ? time : "\(wait.rawValue):\(time)"
  }
}
