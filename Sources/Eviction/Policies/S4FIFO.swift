import Parameters

/// S4-FIFO: S3-FIFO with the constants as parameters, and two more.
public struct S4FIFO: ProbationPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "s4fifo",
    summary: "S3-FIFO whose newest objects count no hits, and whose ghosts may need two",
    paper: "H. Xia et al., “Learning-augmented heuristics: simple, yet smart, robust and "
      + "interpretable cache eviction”, OSDI 2026; the code in libCacheSim, commit 06961b4.",
    idea: "S3-FIFO's constants fit most workloads and not all. A part of S that counts no hits "
      + "(skip) withstands bursts; a ghost that must be requested more than once (reghosts) "
      + "withstands loops. The paper chooses the values for each workload by learned trees, which "
      + "are not part of this.",
    hit: "In M the counter goes up by 1, to 3 at most. In S it goes up to the threshold once the "
      + "skipped part's size has entered S after the object; before that, nothing.",
    miss: "A ghost leaves G with one ghost hit more, then room is made. With more ghost hits than "
      + "reghosts it enters M. Anything else enters S, with its ghost hits; until the first "
      + "eviction it enters M while S is full.",
    eviction: "From M if |M| > Mc or S is empty: its oldest with counter > 0 becomes its newest "
      + "with counter − 1, the first with 0 leaves. Else from S: its oldest moves to M, with "
      + "counter 0, if it was hit often enough; the first other leaves for G. Sc = max(1, "
      + "⌊C/10⌋), Mc = C − Sc.",
    ghosts: "What left S, with its ghost hits: at most ⌊0.9 C⌋, the oldest forgotten first.",
    complexity: "O(1) per hit, which touches one byte and the time of entry; a miss moves at most "
      + "as many objects as there were hits. Memory: 14 bytes per slot and rings of at most 12.",
    differences: "As the authors' code in libCacheSim (commit 06961b4), but that refuses objects "
      + "of Sc or more: here any object that fits the cache enters. With its default parameters "
      + "it is s3fifo:form=libcachesim:fill=main, as there. In bytes that code leaves a victim "
      + "out of G that is larger than Gc, where here the limit is restored. The code that "
      + "libCacheSim merged (commit 3415e3d) counts skip in objects of what S holds, an object "
      + "itself included, and where reghosts is not 0 a ghost never enters M. The paper's figures are "
      + "means over 1 035 traces, each with the values that the trees chose after a fifth of "
      + "it: none can be compared with one trace and one form here.",
    parameters: Probation.parameters(threshold: 2) + [
      Parameter(
        "skip", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(0)),
        help: "the newest part of S that counts no hits, as a share of Sc"),
      Parameter(
        "reghosts", .integer(in: 0...254), default: .integer(0),
        help: "an object enters M if it was requested more often than this as a ghost"),
    ],
    bytesPerSlot: 19, hitsReorder: false, miniatureError: 0,
    variants: ["s4fifo:skip=0.25", "s4fifo:reghosts=1", "s4fifo:small=0.05:skip=0.25"])

  /// S, the small queue, M, the main one, and G, the ghosts.
  public var queues: SlotQueues
  /// The limits, and the order of entries into S.
  public var probation: Probation
  /// Indexed by slot: the requests of a ghost, since it was last in M.
  @usableFromInline var ghostHits: SlotArray<UInt8>
  @usableFromInline var ghostThreshold: UInt8

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    queues = SlotQueues(count: 3, slots: configuration.slots)
    probation = Probation(configuration, skip: "skip", bits: 2)
    ghostHits = SlotArray(repeating: 0, slots: configuration.slots)
    ghostThreshold = UInt8(configuration.arguments.integer("reghosts"))
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
    probation.visitState(&state)
    ghostHits.visitState(&state)
  }

  /// Makes room, and enters M if the newcomer was a ghost often enough, S otherwise.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let wasGhost = recall(request.slot, host: &host)
    let hits = wasGhost ? ghostHits[request.slot] &+ 1 : 0
    let isProven = hits > ghostThreshold
    ghostHits[request.slot] = hits
    return admit(request, isProven: isProven, host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    queues.reserve(slots: slots)
    probation.entries.reserve(slots: slots)
    ghostHits.reserve(slots: slots)
  }
}
