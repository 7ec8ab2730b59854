import Parameters

/// Adaptive replacement cache: balances recency against frequency by what its ghosts teach it.
public typealias ARC = ListedPolicy<AdaptiveReplacement, SlotLists<UInt8>>

/// The rules of ``ARC``.
public struct AdaptiveReplacement: AdaptiveRules, BitwiseCopyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "arc", summary: "adaptive replacement cache: recency against frequency, taught by ghosts",
    paper: "N. Megiddo and D. S. Modha, “ARC: a self-tuning, low overhead replacement "
      + "cache”, FAST 2003, Figure 4.",
    idea: "T1 holds objects requested once lately, T2 those requested at least twice; B1 "
      + "and B2 remember what left each of them. A request for a ghost says which of the "
      + "two should have been larger, and moves p, the target of T1's size, towards it.",
    hit: "The object moves to the most recent end of T2.",
    miss: "A ghost of B1 raises p by max(1, |B2|/|B1|), one of B2 lowers it by max(1, "
      + "|B1|/|B2|), both before the ghost leaves its list; it enters T2. Anything else "
      + "enters T1.",
    eviction: "The least recent of T1 if |T1| > p, or |T1| = p and the request is in B2; "
      + "else of T2; from the other one if the chosen one is empty. The victim "
      + "becomes a ghost, except for an object that T1 evicts while it alone fills the "
      + "cache.",
    ghosts: "|T1| + |B1| ≤ C, and all four lists together at most 2C.",
    complexity: "O(1) per request.",
    differences:
      "Some implementations divide whole numbers (arithmetic=integer; Caffeine's simulator at "
      + "commit 00ff445bf, among others); p here is an IEEE double, as the paper's figures need. "
      + "The paper's pages have one size: where objects have sizes, a step of p is the paper's "
      + "ratio times the size of the requested object: none for an empty one, and to the end of its "
      + "range where the ghosts that divide are all empty.",
    parameters: AdaptiveTarget.parameters,
    bytesPerSlot: 9, miniatureError: 0)

  /// p, and what bounds it and the ghosts.
  public var target: AdaptiveTarget

  /// Begins with p = 0.
  public init(_ configuration: PolicyConfiguration) { target = AdaptiveTarget(configuration) }

  /// Case I: the object becomes the most recent of T2.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if lists.owner(of: request.slot) == .t2 {
      lists.moveToFront(request.slot, of: .t2)
    } else {
      lists.move(request.slot, from: .t1, toFrontOf: .t2, size: host.size(of: request.slot))
    }
  }

  /// Cases II, III (a ghost) and IV (an unknown object).
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    admit(request, lists: &lists, host: &host)
  }

  /// REPLACE: T1 or T2 gives up its least recent object, which becomes a ghost.
  @inlinable @inline(__always)
  public mutating func replace<Lists: RecencyLists & ~Copyable>(
    forGhostOfB2 isOfB2: Bool, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if target.takesFromT1(lists, forGhostOfB2: isOfB2, host: host) {
      lists.evictBack(of: .t1, to: .b1, host: &host)
    } else {
      lists.evictBack(of: .t2, to: .b2, host: &host)
    }
  }
}

extension CachePolicy {
  /// `ARC`, adaptive replacement cache: recency against frequency, taught by ghosts.
  ///
  /// - Parameters:
  ///   - arithmetic: With `.integer`, p moves by whole numbers.
  ///   - ghosts: Ghosts that a full cache remembers, as a multiple of the capacity.
  public static func arc(
    arithmetic: ARC.Arithmetic? = nil, ghosts: Fraction? = nil
  ) -> CachePolicy {
    CachePolicy(
      ARC.self,
      parameters: [
        "arithmetic": arithmetic?.rawValue, "ghosts": ghosts,
      ])
  }
}
