extension PublishedTable {
  /// The LRU of the project dw-cache on two traces.
  static let dwCache = PublishedTable(
    id: "dw-cache", title: "hit ratios of LRU on OLTP and LOOP",
    source: "falsandtru, dw-cache, README.md.",
    edition: "commit 014181f8936b0389d17ce1c5392be6f21be2a78f",
    remarks: "LOOP is the LIRS authors' loop. Its own policy is not in the catalog.",
    cells: PublishedRow(
      "lru", ["16.4", "23.4", "28.2", "32.8", "36.2", "38.6", "40.7", "42.4"],
      here: [150_591, 214_325, 258_527, 300_122, 331_009, 353_738, 372_863, 388_235],
      because: "its decimals are cut off, not rounded"
    ).cells(
      trace: "OLTP.lis.zst",
      capacities: ["250", "500", "750", "1000", "1250", "1500", "1750", "2000"],
      measure: .hitPercent)
      + PublishedRow(
        "lru", ["0.0", "0.0", "0.0", "0.0", "0.0", "99.8"], here: [0, 0, 0, 0, 0, 504_489]
      ).cells(
        trace: "lirs-loop.trace.gz", capacities: ["100", "250", "500", "750", "1000", "1250"],
        measure: .hitPercent))
}
