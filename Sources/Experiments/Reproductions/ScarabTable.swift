extension PublishedTable {
  /// Caffeine's simulator on the recommendation trace of Scarab Research.
  static let scarab = PublishedTable(
    id: "caffeine-scarab", title: "hit ratios on scarab-recs at 100 000 objects",
    source: "B. Manes, the simulator of Caffeine.",
    remarks: "Caffeine's ARC divides whole numbers, and its LIRS bounds the history at 2 C.",
    cells: [
      PublishedRow("lru", ["75.91"]),
      PublishedRow("lfu", ["73.95"]),
      PublishedRow("arc", ["76.08"]),
      PublishedRow("arc:arithmetic=integer", ["76.09"]),
      PublishedRow("lirs", ["74.31"]),
      PublishedRow("opt", ["79.25"]),
      PublishedRow("infinite", ["79.25"]),
    ].flatMap {
      $0.cells(
        trace: "scarab-recs.trace.xz", traceFormat: "binary", capacities: ["100000"],
        measure: .hitPercent)
    })
}
