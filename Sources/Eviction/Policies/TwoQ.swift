import Parameters

/// 2Q: a FIFO queue takes newcomers, and only what is requested again after it left enters the LRU.
public typealias TwoQ = ListedPolicy<TwoQueueRules, SlotLists<UInt8>>

/// The rules of ``TwoQ``: A1in, Am, A1out; of the first and last, the front is the newest.
public struct TwoQueueRules: BitwiseCopyable, ListRules {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "2q", summary: "a FIFO queue on probation before an LRU, joined by ghosts",
    paper: "T. Johnson and D. Shasha, “2Q: a low overhead high performance buffer management "
      + "replacement algorithm”, VLDB 1994.",
    idea: "Requests in quick succession are one: they are correlated. So a hit in the queue "
      + "A1in says nothing; but what is requested after it has left A1in, while A1out "
      + "still knows it, is worth a place in the LRU Am.",
    hit: "In Am: the object moves to its most recent end. In A1in: nothing. version=simple: in "
      + "A1 it moves to the most recent end of Am.",
    miss: "A ghost of A1out leaves it first, then room is made, and it enters the most recent "
      + "end of Am. Anything else enters A1in when there is room.",
    eviction: "If |A1in| > Kin, or Am is empty: the oldest of A1in, which A1out remembers. Else "
      + "the least recent of Am, which is not remembered. Kin = ⌊C/4⌋, Kout = ⌊C/2⌋.",
    ghosts: "A1out: what left A1in, at most Kout, the oldest forgotten first. version=simple has "
      + "none.",
    complexity: "O(1) per request.",
    differences:
      "The paper leaves open what happens if |A1in| ≤ Kin while Am is empty: A1in gives up its "
      + "oldest. It forgets the oldest of A1out after the victim has entered, so with kout=0 "
      + "nothing is remembered. The simplified version has a threshold for A1 without a value: "
      + "kin here, with the same default.",
    parameters: [
      Parameter(
        "version", .choice(["full", "simple"]), default: .text("full"),
        help: "simple: no ghosts; the second request in A1 moves an object to Am"),
      Parameter(
        "kin", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(25, 100)),
        help: "Kin: A1in gives up the victim when it is larger, as a share of the capacity"),
      Parameter(
        "kout", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
        help: "Kout, the ghosts remembered, as a multiple of the capacity; 0.5"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
        help: "the same as kout, by the name that it has in every policy"),
    ],
    bytesPerSlot: 9, miniatureError: 0)

  @usableFromInline let isSimple: Bool
  @usableFromInline let inShare: Fraction
  @usableFromInline let outShare: Fraction
  @usableFromInline var kin: Int
  @usableFromInline var kout: Int

  /// A1in, Am, A1out.
  public var listCount: Int { 3 }

  /// Creates an empty cache's policy.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` for `kout` beside `ghosts`, and for
  ///   either in the simplified version.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    let arguments = configuration.arguments
    let simple = arguments.text("version") == "simple"
    var out = simple ? Fraction(0) : Fraction(5, 10)
    if case .fraction(let given) = arguments.value("kout") ?? arguments.value("ghosts") {
      if arguments.value("kout") != nil && arguments.value("ghosts") != nil {
        throw .conflict(policy: "2q", explanation: "give kout or ghosts, not both")
      }
      if simple {
        throw .conflict(policy: "2q", explanation: "version=simple has no ghosts; leave them out")
      }
      out = given
    }
    isSimple = simple
    inShare = arguments.fraction("kin")
    outShare = out
    kin = inShare.floor(of: configuration.capacity)
    kout = outShare.floor(of: configuration.capacity)
  }

  /// A1in and Am are resident, A1out is not.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool { list == .a1in || list == .am }

  /// Renews an object of Am; the simplified version promotes one of A1.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if isSimple && lists.owner(of: request.slot) == .a1in {
      lists.move(request.slot, from: .a1in, toFrontOf: .am, size: host.size(of: request.slot))
    } else {
      lists.moveToFront(request.slot, ifIn: .am)
    }
  }

  /// Takes the newcomer out of A1out, makes room, and enters Am or A1in.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let wasGhost = lists.owner(of: request.slot) == .a1out
    if wasGhost {
      lists.remove(request.slot, from: .a1out, size: host.size(of: request.slot))
    }
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    lists.prepend(request.slot, to: wasGhost ? .am : .a1in, size: request.size)
    return true
  }

  /// Reclaims from A1in if it is over Kin or alone, else from Am.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let takesA1in = lists.size(of: .a1in) > kin || lists.lacksVictim(.am, host: host)
    if !takesA1in || lists.lacksVictim(.a1in, host: host) {
      lists.evictBack(of: .am, host: &host)
    } else if isSimple {
      lists.evictBack(of: .a1in, host: &host)
    } else {
      lists.evictBack(of: .a1in, to: .a1out, host: &host)
      boundGhosts(lists: &lists, host: &host)
    }
  }

  /// Recomputes Kin and Kout, and forgets what is beyond Kout.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    kin = inShare.floor(of: capacity)
    kout = outShare.floor(of: capacity)
    boundGhosts(lists: &lists, host: &host)
  }

  @inlinable @inline(__always)
  func boundGhosts<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: .a1out) > kout { lists.forgetBack(of: .a1out, host: &host) }
  }
}

extension ListID {
  /// 2Q's queue of newcomers.
  @inlinable @inline(__always)
  static var a1in: ListID { ListID(1) }
  /// 2Q's LRU.
  @inlinable @inline(__always)
  static var am: ListID { ListID(2) }
  /// 2Q's ghosts.
  @inlinable @inline(__always)
  static var a1out: ListID { ListID(3) }
}
