import Parameters

extension ClockPro {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "clock-pro", summary: "LIRS by clock hands, with a share of cold pages that adapts",
    paper: "S. Jiang, F. Chen and X. Zhang, “CLOCK-Pro: an effective improvement of the CLOCK "
      + "replacement”, USENIX ATC 2005.",
    idea: "As LIRS, it tells pages by how long they stayed away, but a hit only sets a bit. All "
      + "pages are in one list, hot or cold; a cold page has a test period, in which a request "
      + "makes it hot, resident or not. Three hands sweep the list from its old end: HANDhot "
      + "demotes hot pages, HANDcold evicts cold ones, HANDtest ends test periods.",
    hit: "The page's reference bit is set.",
    miss: "While the pages take less than the capacity without the least share of cold ones, the "
      + "page enters as hot. Otherwise room is made. A page still in its test period raises the "
      + "target of the cold pages, HANDhot demotes pages until the hot ones leave the target free, "
      + "and the page becomes hot; any other, and one that HANDhot passes first, enters as cold, in "
      + "its test period. All enter at the head of the list.",
    eviction: "HANDcold looks at the oldest resident cold page. Without its bit, it leaves. With "
      + "it, it becomes hot as above if it is in its test period, else it goes to the head as cold "
      + "with a new test period. HANDhot takes the oldest hot page to the head: hot if its bit was "
      + "set, else cold; then it moves on to the next hot page, and ends the test periods it "
      + "passes. The end of a test period lowers the target, or raises it if the bit is set.",
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
      + "demotes one.",
    parameters: [
      Parameter(
        "cold", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 100)),
        help: "the least share of the capacity for cold pages, and for hot ones; at least 1"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(1)),
        help: "non-resident pages in the list, as a multiple of the capacity"),
    ],
    bytesPerSlot: 13, hitsReorder: false, miniatureError: 0)
}
