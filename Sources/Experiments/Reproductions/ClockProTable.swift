extension PublishedTable {
  /// The CLOCK-Pro authors' own program on the LIRS traces, as Caffeine's test quotes it.
  static let clockProAuthors = PublishedTable(
    id: "clock-pro-authors", title: "page faults of the CLOCK-Pro authors' program on five traces",
    source: "S. Jiang's clock-pro.c of 29 September 2005, quoted in Caffeine's simulator: "
      + "ClockProReferenceTest.java.",
    edition: "commit 5283c96dce60552f898af471b00a3cf54b69fa3e, 2026",
    remarks:
      "The program keeps a fixed 5 % of cold pages. The test's other eight traces are not here.",
    cells: rows.flatMap { trace, printed, here in
      PublishedRow(
        "clock-pro:cold=0.05", printed, here: here,
        because: trace == "lirs-loop.trace.gz" ? nil : reason
      ).cells(trace: trace, capacities: ["500", "1000", "2000"], measure: .misses)
    })

  private static let rows: [(trace: String, printed: [String], here: [Int])] = [
    ("lirs-2_pools.trace.gz", ["48078", "45665", "40856"], [48_085, 45_667, 40_829]),
    ("lirs-cpp.trace.gz", ["1269", "1226", "1223"], [1_275, 1_226, 1_223]),
    ("lirs-loop.trace.gz", ["268475", "31450", "1011"], [268_475, 31_450, 1_011]),
    ("lirs-multi1.trace.gz", ["7049", "5151", "2648"], [7_081, 5_177, 2_649]),
    ("lirs-sprite.trace.gz", ["31061", "15534", "10384"], [28_479, 13_276, 9_020]),
  ]

  private static let reason =
    "conjecture: its share of cold pages is fixed, where the paper's and this one adapts, and it "
    + "ignores immediate repeats"
}
