import Parameters

/// Clock2Q+: S3-FIFO whose small queue counts no hits soon after an object's entry.
public struct Clock2QPlus: ProbationPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "clock2q-plus",
    summary: "S3-FIFO of one bit, which ignores hits soon after an object's entry",
    paper: "“Clock2Q+: a simple and efficient replacement algorithm for metadata cache in VMware "
      + "vSAN”, arXiv, November 2025; the code in libCacheSim, commit 17626f7.",
    idea: "In caches of metadata a burst of requests follows each first one: they are correlated. "
      + "S3-FIFO takes them for reuse. Here an object in the newest half of the small queue, its "
      + "correlation window, counts no hits.",
    hit: "In M the bit is set. In S it is set (a counter goes up to the threshold) once the "
      + "window's size has entered S after the object; before that, nothing.",
    miss: "A ghost leaves G, room is made, and it enters M. Anything else enters S; until the "
      + "first eviction it enters M while S is full.",
    eviction: "From M if |M| > Mc or S is empty: its oldest becomes its newest if its bit is set, "
      + "which is cleared; the first whose bit is clear leaves. Else from S: its oldest moves to "
      + "M, with the bit clear, if it was hit often enough; the first other leaves for G. Sc = "
      + "max(1, ⌊C/10⌋), Mc = C − Sc.",
    ghosts: "What left S: at most ⌊0.9 C⌋, the oldest forgotten first.",
    complexity: "O(1) per hit, which touches one byte and the time of entry; a miss moves at most "
      + "as many objects as there were hits. Memory: 13 bytes per slot and rings of at most 12.",
    differences: "As libCacheSim (commit 17626f7, and the wheel 0.3.5), which refuses objects of "
      + "Sc or more, and so everything below a capacity of 20: here any object that fits the "
      + "cache enters. With sizes it counts the window in objects and compares it with bytes; "
      + "here both are bytes. A window that is no whole number is rounded up.",
    parameters: Probation.parameters(threshold: 1) + [
      Parameter(
        "window", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(5, 10)),
        help: "the correlation window, as a share of Sc")
    ],
    bytesPerSlot: 18, hitsReorder: false, miniatureError: 0)

  /// S, the small queue, M, the main one, and G, the ghosts.
  public var queues: SlotQueues
  /// The limits, and the order of entries into S.
  public var probation: Probation

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    queues = SlotQueues(count: 3, slots: configuration.slots)
    probation = Probation(configuration, skip: "window", bits: 1, roundsUp: true)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
    probation.visitState(&state)
  }

  /// Makes room, and enters M if the newcomer is a ghost, S otherwise.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let wasGhost = recall(request.slot, host: &host)
    return admit(request, isProven: wasGhost, host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    queues.reserve(slots: slots)
    probation.entries.reserve(slots: slots)
  }
}
