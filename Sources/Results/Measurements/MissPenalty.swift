/// The wait of a miss, outside the cache's lock, before the set that follows: the fetch of what is missing.
package struct MissPenalty: Documented, Hashable {
  /// The way in which a thread waits.
  package enum Wait: String, Sendable, CaseIterable, JSONValue {
    /// It sleeps, and leaves the core to others, as one that waits for a disk or a network does.
    case sleep
    /// It spins, and keeps the core, as one that computes does.
    case spin
  }

  package var nanoseconds: Int
  package var wait: Wait

  /// A penalty.
  package init(nanoseconds: Int, wait: Wait = .sleep) {
    self.nanoseconds = nanoseconds
    self.wait = wait
  }

  package init() { self.init(nanoseconds: 0) }

  /// The form on the command line: `2ms`, `spin:5us`.
  package var label: String {
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)]
    let unit = units.first { nanoseconds.isMultiple(of: $0.1) } ?? ("ns", 1)
    let time = "\(nanoseconds / unit.1)\(unit.0)"
    return wait == .sleep ? time : "\(wait.rawValue):\(time)"
  }

  package static let fields: [Field<MissPenalty>] = [
    Field("ns", \.nanoseconds, "the least that is waited, in ns", .exact),
    Field("wait", \.wait, "how the thread waits", .exact),
  ]
}
