import Parameters

extension LIRS {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lirs", summary: "low inter-reference recency set: protects what came back soon",
    paper: "S. Jiang and X. Zhang, “LIRS: an efficient low inter-reference recency set "
      + "replacement policy to improve buffer cache performance”, SIGMETRICS 2002; their program "
      + "of November 2002.",
    idea: "How long ago an object was requested says less than how long it stayed away before "
      + "that. LIR blocks, those with short absences, take nearly all of the cache; HIR blocks "
      + "pass through the small queue Q. Stack S holds what was requested since the LIR block "
      + "that waits longest: a HIR block that comes back while S knows it was away for less time "
      + "than that block, and takes its place.",
    hit: "The block moves to the top of S. A LIR block: S is pruned. A HIR block in S: it becomes "
      + "LIR, the bottom LIR block becomes the end of Q, S is pruned. A HIR block not in S: it "
      + "also becomes the end of Q. An immediate repeat of the same block changes nothing.",
    miss: "While fewer than Llirs LIR blocks exist, the block enters as LIR. Otherwise room is "
      + "made; what S knows becomes LIR as on a hit; anything else enters as HIR at the top of S "
      + "and the end of Q. Lhirs = max(2, ⌊C/100⌋), Llirs = C − Lhirs.",
    eviction: "The front of Q; if Q is empty, the bottom LIR block. Pruning removes HIR blocks "
      + "from the bottom of S until a LIR block is there.",
    ghosts:
      "A victim stays in S as long as S does not prune it: unbounded, unless ghosts is given; "
      + "then the oldest-evicted is forgotten first, after the newcomer has left the ghosts.",
    complexity: "O(1) per request, pruning amortised.",
    differences:
      "Caffeine's simulator (commit 00ff445bf) has no filter of repeats (repeats=count, but it "
      + "does not promote a HIR block that is on top of S), bounds the ghosts (ghosts=n), rounds "
      + "Lhirs = C/100 up, and enters its first HIR blocks into Q only; at commit ccef95542 they "
      + "enter S, too. libCacheSim (commit 214804cff) has no filter either, and Lhirs = max(1, "
      + "⌊C/100⌋), as here with hirs=1. Where objects have sizes, Lhirs has no minimum of 2 here:"
      + " Lhirs is then ⌊C/100⌋ bytes, a newcomer enters as LIR if it fits Llirs with the others,"
      + " and demotions are repeated until the LIR blocks fit. Removing the last requested block "
      + "ends its repeats, and so does a refused newcomer.",
    parameters: [
      Parameter(
        "repeats", .choice(["ignore", "count"]), default: .text("ignore"),
        help: "count: an immediate repeat of a block is a request like any other"),
      Parameter(
        "hirs", .integer(in: 1...2), default: .integer(2),
        help: "the least number of resident HIR blocks, where every object counts one"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
        help: "non-resident blocks remembered, as a multiple of the capacity; unbounded in "
          + "simulation, 2 in a cache"),
    ],
    minimumCapacity: 4, bytesPerSlot: 17, miniatureError: 0)
}

extension LIRS {
  /// The values of `repeats`.
  public enum Repeats: String, CaseIterable, Sendable {
    /// An immediate repeat of a block is no request.
    case ignore
    /// An immediate repeat of a block is a request like any other.
    case count
  }
}

extension CachePolicy {
  /// `LIRS`, low inter-reference recency set: protects what came back soon.
  ///
  /// - Parameters:
  ///   - repeats: With `.count`, an immediate repeat of a block is a request like any other.
  ///   - hirs: The least number of resident HIR blocks, where every object counts one.
  ///   - ghosts: Non-resident blocks remembered, as a multiple of the capacity; unbounded in simulation, 2 in
  ///     a cache.
  public static func lirs(
    repeats: LIRS.Repeats? = nil, hirs: Int? = nil, ghosts: Fraction? = nil
  ) -> CachePolicy {
    CachePolicy(
      LIRS.self,
      parameters: [
        "repeats": repeats?.rawValue, "hirs": hirs, "ghosts": ghosts,
      ])
  }
}
