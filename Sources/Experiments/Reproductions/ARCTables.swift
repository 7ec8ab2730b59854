import EvictionCore

extension PublishedTable {
  /// The ARC paper's comparison of policies on OLTP.
  static let arcOLTP = PublishedTable(
    id: "arc-oltp", title: "hit ratios on OLTP at 1000 to 15 000 pages",
    source: "N. Megiddo and D. S. Modha, “ARC: a self-tuning, low overhead replacement cache”, "
      + "FAST 2003.",
    remarks: "2Q was tuned per size. No known definition of LFU gives the printed column.",
    cells: [
      PublishedRow("lru", ["32.83", "42.47", "53.65", "60.70", "64.63"]),
      PublishedRow(
        "lfu", ["27.98", "35.21", "44.76", "52.15", "56.22"],
        .differs("no known definition of LFU gives it")),
      PublishedRow("2q", ["40.48", "46.53", "55.70", "62.58", "65.82"], .tunedOffline),
      PublishedRow(
        "lirs", ["34.80", "42.51", "47.14", "60.35", "63.99"],
        exceptions: [2: .differs("a misprint: the authors' program gives 52.80")]),
      PublishedRow(
        "arc", ["38.93", "46.08", "55.25", "61.87", "65.40"],
        exceptions: [0: .differs("its neighbours come out; figure 4 gives 38.95")]),
      PublishedRow(
        "opt", ["53.61", "60.40", "68.27", "73.02", "75.13"],
        exceptions: [4: .differs("its neighbours come out")]),
    ].flatMap {
      $0.cells(
        trace: "OLTP.lis.zst", capacities: ["1000", "2000", "5000", "10000", "15000"],
        measure: .hitPercent)
    })

  /// The ARC paper's comparison with LRU at one size, for the traces that are still public.
  static let arc32768 = PublishedTable(
    id: "arc-32768", title: "hit ratios of LRU and ARC at 32 768 pages on P2 and P3",
    source: "N. Megiddo and D. S. Modha, “ARC: a self-tuning, low overhead replacement cache”, "
      + "FAST 2003.",
    remarks: "",
    cells: PublishedRow("lru", ["18.47"]).cells(
      trace: "P2.lis.zst", capacities: ["32768"], measure: .hitPercent)
      + PublishedRow("arc", ["27.38"]).cells(
        trace: "P2.lis.zst", capacities: ["32768"], measure: .hitPercent)
      + PublishedRow("lru", ["3.57"]).cells(
        trace: "P3.lis.zst", capacities: ["32768"], measure: .hitPercent)
      + PublishedRow("arc", ["17.12"], .differs("figure 4 gives 17.11")).cells(
        trace: "P3.lis.zst", capacities: ["32768"], measure: .hitPercent))
}
