extension PublishedTable {
  /// CAR and CLOCK in libCacheSim, where CAR entered it.
  static let libCacheSimCAR = PublishedTable(
    id: "libcachesim-car",
    title: "miss ratios of CAR and CLOCK on cloudPhysicsIO.vscsi at 128 MiB to 2 GiB",
    source: "R. Hanggaraksa, libCacheSim: description of pull request 131.",
    edition: "26 February 2025",
    remarks: "Objects have sizes.",
    cells: [
      PublishedRow(
        "car", ["0.8002", "0.7470", "0.6486", "0.5683", "0.4301"],
        here: [91_064, 81_211, 75_596, 64_376, 48_974],
        because: "its target moves by a byte, or by the whole-number ratio of the ghosts' bytes, "
          + "here by that times the object's size; and only requests of ghosts discard ghosts "
          + "(CAR.c at 10ee9e92)"),
      PublishedRow(
        "clock", ["0.8174", "0.7715", "0.7135", "0.5660", "0.4301"],
        here: [93_079, 87_855, 81_249, 64_456, 48_974]),
    ].flatMap {
      $0.cells(
        trace: "cloudPhysicsIO.vscsi", capacities: ["128MiB", "256MiB", "512MiB", "1GiB", "2GiB"],
        measure: .missRatio)
    })
}
