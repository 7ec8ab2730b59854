extension PublishedTable {
  /// The LIRS authors' own program on their traces.
  static let lirsAuthors = PublishedTable(
    id: "lirs-authors", title: "hits of the LIRS authors' program on four of their traces",
    source:
      "S. Jiang and X. Zhang, “LIRS: an efficient low inter-reference recency set replacement "
      + "policy to improve buffer cache performance”, SIGMETRICS 2002; the authors' program.",
    edition: "lirs.c of 15 November 2002",
    remarks: "",
    cells: [
      (
        "lirs-2_pools.trace.gz", ["99", "500", "1500", "4000"],
        ["44568", "51957", "56838", "68544"]
      ),
      (
        "lirs-cpp.trace.gz", ["20", "61", "180", "490"],
        ["2190", "5745", "7582", "7771"]
      ),
      (
        "lirs-multi1.trace.gz", ["26", "130", "390", "1000"],
        ["2731", "7331", "8387", "10847"]
      ),
      (
        "lirs-sprite.trace.gz", ["70", "350", "1100", "2800"],
        ["22654", "86515", "118209", "123496"]
      ),
    ].flatMap { trace, capacities, hits in
      PublishedRow("lirs", hits).cells(trace: trace, capacities: capacities, measure: .hits)
    })
}
