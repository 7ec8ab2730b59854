import Parameters

extension FilteringClockRules {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "cart", summary: "CAR with temporal filtering: a burst of requests does not protect",
    paper:
      "S. Bansal and D. S. Modha, “CAR: clock with adaptive replacement”, FAST 2004, Figure 3.",
    idea: "Objects are often requested a few times in a row and then never again. CART makes an "
      + "object wait: it is of short-term use (S) until it is hit again after a while in T1, or "
      + "comes back as a ghost; only long-term objects (L) reach T2.",
    hit: "The object's reference bit is set.",
    miss: "Room is made. A ghost of B1 raises p by max(1, nS/|B1|), one of B2 lowers it by max(1, "
      + "nL/|B2|), before it leaves its list; it enters T1 as L, and one of B2 may raise q. "
      + "Anything else enters T1 as S. Reference bits begin unset.",
    eviction: "Referenced objects at the head of T2 go to the tail of T1. At the head of T1, "
      + "referenced ones go to its tail, and become L if |T1| ≥ min(p + 1, |B1|); unreferenced L "
      + "ones go to the tail of T2. Then the head of T1 leaves for B1 if |T1| ≥ max(1, p), else "
      + "that of T2 for B2; the other one if the chosen one is empty.",
    ghosts: "|B1| + |B2| ≤ C: the oldest of B1 is forgotten if |B1| > max(0, q) or B2 is empty, "
      + "else that of B2.",
    complexity: "O(1) per request, the hands amortised; a hit reads and writes two bytes.",
    differences:
      "p is an IEEE double (arithmetic=integer divides whole numbers). The paper bounds the "
      + "ghosts only when an unknown object enters a full cache; here also after removals and "
      + "trims. Where objects have sizes, q moves by the size of the object that moves it. A "
      + "smaller capacity bounds q by 2C.",
    parameters: AdaptiveTarget.parameters,
    bytesPerSlot: 10, hitsReorder: false, miniatureError: 0)
}
