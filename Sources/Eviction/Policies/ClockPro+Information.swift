import Parameters

extension ClockPro {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "clock-pro", summary: "LIRS by clock hands, with a share of cold pages that adapts",
    paper: "S. Jiang, F. Chen and X. Zhang, “CLOCK-Pro: an effective improvement of the CLOCK "
      + "replacement”, USENIX ATC 2005; adapt=utility: C. Li, “CLOCK-Pro+: improving CLOCK-Pro "
      + "cache replacement with utility-driven adaptation”, SYSTOR 2019.",
    idea: "As LIRS, it tells pages by how long they stayed away, but a hit only sets a bit. All "
      + "pages are in one list, hot or cold; a cold page has a test period, in which a request "
      + "makes it hot, resident or not. Three hands sweep the list from its old end: HANDhot "
      + "demotes hot pages, HANDcold evicts cold ones, HANDtest ends test periods. CLOCK-Pro+ "
      + "(adapt=utility) moves the target of the cold pages by what more room would have kept: "
      + "ghosts against pages that were hot.",
    hit: "The page's reference bit is set.",
    miss: "While the pages take less than the capacity without the least share of cold ones, the "
      + "page enters as hot. Otherwise room is made. A page still in its test period raises the "
      + "target of the cold pages, HANDhot demotes pages until the hot ones leave the target free, "
      + "and the page becomes hot; any other, and one that HANDhot passes first, enters as cold, in "
      + "its test period. All enter at the head of the list. adapt=utility: only a ghost raises "
      + "the target, by max(1, ⌊demoted/ghosts⌋), demoted being the cold pages that HANDhot "
      + "demoted and that no hand has seen requested since.",
    eviction: "HANDcold looks at the oldest resident cold page. Without its bit, it leaves. With "
      + "it, it becomes hot as above if it is in its test period, else it goes to the head as cold "
      + "with a new test period. HANDhot takes the oldest hot page to the head: hot if its bit was "
      + "set, else cold; then it moves on to the next hot page, and ends the test periods it "
      + "passes. The end of a test period lowers the target, or raises it if the bit is set. "
      + "adapt=utility: that changes no target, but a demoted page with its bit set lowers it by "
      + "max(1, ⌊ghosts/demoted⌋) and is demoted no longer: when HANDcold comes to it, or when "
      + "HANDhot has just spared a page for another one and passes it on the way to the next hot "
      + "page or to that other one.",
    ghosts: "A page evicted in its test period stays in the list until that ends; HANDtest ends "
      + "the oldest while there are more than C.",
    complexity: "O(1) per request, the hands amortised; a hit reads and writes one byte.",
    differences:
      "The paper has no pseudo-code. As in the authors' program (clock-pro.c, 2005), the pages "
      + "that a hand spares go to the head, and a page is not promoted if no hot page older than "
      + "it can be demoted. But that program keeps a fixed 5 % of cold pages, at least 2, unless "
      + "it is built to adapt, ignores immediate repeats, clears the bit of a page whose test "
      + "period ends, and evicts a cold page in no test period even with its bit, which in the "
      + "paper and here goes to the head. libCacheSim (commit 0379a0199) promotes every cold page"
      + " that was referenced, and begins without hot ones. If no cold page is left, HANDhot "
      + "demotes one. adapt=utility is as in Caffeine's simulator (commit 0499355), whose settings "
      + "say how many cold pages there are at least and how many ghosts at most; it notes that "
      + "the author's code bounds the target by half of the capacity, as here. With sizes, the "
      + "ratios are of bytes, their divisor at least the page's size, and steps are multiplied by "
      + "it.",
    parameters: [
      Parameter(
        "cold", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 100)),
        help: "the least share of the capacity for cold pages, and for hot ones; at least 1"),
      Parameter(
        "adapt", .choice(["tests", "utility"]), default: .text("tests"),
        help: "utility: the target of the cold pages moves as in CLOCK-Pro+"),
      Parameter(
        "most", .fraction(in: Fraction(0)...Fraction(1)), default: nil,
        help: "the largest target of the cold pages, as a share of the capacity; 0.5 with "
          + "adapt=utility, else all but the least share of the hot ones"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(1)),
        help: "non-resident pages in the list, as a multiple of the capacity"),
    ],
    bytesPerSlot: 13, hitsReorder: false, miniatureError: 0,
    // The intervals of curves were not measured with the other adaptation.
    holdsInMiniature: { $0.text("adapt") == "tests" })
}
