extension PublishedTable {
  /// Caffeine's simulator on the recommendation trace of Scarab Research.
  static let scarab = PublishedTable(
    id: "caffeine-scarab", title: "hit ratios on scarab-recs at 100 000 objects",
    source: "B. Manes, the simulator of Caffeine: comment on issue 106 of ben-manes/caffeine.",
    edition: "7 August 2016",
    remarks: "ARC divides whole numbers there; the adaptive window of that year is left out.",
    cells: [
      PublishedRow("lru", ["75.91"], here: [945_202]),
      PublishedRow("lfu", ["73.95"], here: [920_778]),
      PublishedRow("arc:arithmetic=integer", ["76.09"], here: [947_457]),
      PublishedRow(
        "lirs", ["74.30"], here: [925_356],
        because: "its LIRS enters its first HIR blocks into Q only, counts immediate repeats, and "
          + "leaves a HIR block on top of S cold (LirsPolicy.java at 00ff445bf)"),
      PublishedRow(
        "lru:admission=tinylfu", ["67.02"], here: [830_935],
        because:
          "conjecture: the sketch of 2016 hashes keys otherwise: other frequencies are overestimated"
      ),
      PublishedRow(
        "wtinylfu", ["71.57"], here: [896_942],
        because:
          "conjecture: the sketch of 2016 hashes keys otherwise: other frequencies are overestimated"
      ),
      PublishedRow("opt", ["79.25"], here: [986_816]),
      PublishedRow("infinite", ["79.25"], here: [986_816]),
    ].flatMap {
      $0.cells(
        trace: "scarab-recs.trace.xz", traceFormat: "binary", capacities: ["100000"],
        measure: .hitPercent)
    })

  /// Caffeine's simulator on OLTP at small sizes, as another project quotes it.
  static let caffeineOLTP = PublishedTable(
    id: "caffeine-oltp", title: "hit ratios on OLTP at 250 to 2000 pages",
    source: "falsandtru, true-lru, README.md; all but SLRU quoted there from the simulator of "
      + "Caffeine, whose version it does not name.",
    edition: "commit 365d5635794cc6c27bc83c5eabe3213184f1562f",
    remarks: "ARC divides whole numbers there, and the optimum may refuse a newcomer.",
    cells: [
      PublishedRow(
        "opt:bypass=true",
        ["38.47", "46.43", "50.67", "53.62", "55.84", "57.62", "59.13", "60.40"],
        here: [351_662, 424_457, 463_228, 490_155, 510_447, 526_747, 540_530, 552_177]),
      PublishedRow(
        "lru",
        ["16.47", "23.45", "28.28", "32.83", "36.21", "38.70", "40.79", "42.47"],
        here: [150_591, 214_325, 258_527, 300_122, 331_009, 353_738, 372_863, 388_235]),
      PublishedRow(
        "slru",
        ["15.67", "28.51", "33.89", "37.52", "39.88", "41.77", "43.22", "44.45"],
        here: [143_250, 260_665, 309_823, 342_990, 364_577, 381_857, 395_120, 406_338]),
      PublishedRow(
        "arc:arithmetic=integer",
        ["21.46", "30.61", "36.04", "39.06", "41.34", "43.15", "44.77", "46.17"],
        here: [196_189, 279_843, 329_470, 357_049, 377_930, 394_432, 409_237, 422_026]),
      PublishedRow(
        "lirs:ghosts=2",
        ["18.27", "26.87", "31.71", "34.82", "37.24", "39.20", "40.79", "42.52"],
        here: [167_263, 245_642, 289_166, 318_287, 339_575, 358_342, 373_430, 388_662],
        because: "its LIRS enters its first HIR blocks into Q only, counts immediate repeats, and "
          + "leaves a HIR block on top of S cold (LirsPolicy.java at 00ff445bf)"),
      PublishedRow(
        "wtinylfu",
        ["22.76", "29.21", "32.97", "35.30", "37.52", "38.99", "40.37", "41.67"],
        here: [206_122, 263_724, 301_770, 324_112, 346_428, 360_214, 373_158, 382_651],
        because: "conjecture: its sketch hashes keys otherwise: other frequencies are overestimated"
      ),
    ].flatMap {
      $0.cells(
        trace: "OLTP.lis.zst",
        capacities: ["250", "500", "750", "1000", "1250", "1500", "1750", "2000"],
        measure: .hitPercent)
    })
}
