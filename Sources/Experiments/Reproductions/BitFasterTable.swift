extension PublishedTable {
  /// BitFaster.Caching's caches on OLTP.
  static let bitFasterOLTP = PublishedTable(
    id: "bitfaster-oltp", title: "hits on OLTP at 250 to 2000 pages",
    source: "A. Peck, BitFaster.Caching: description of pull request 191.",
    edition: "21 August 2022",
    remarks: "It prints ratios with 15 digits: times 914 145 requests they are the hits.",
    cells: [
      PublishedRow(
        "lru",
        ["150591", "214325", "258527", "300122", "331009", "353738", "372863", "388235"]),
      PublishedRow(
        "wtinylfu:climb=true",
        ["226044", "308045", "339283", "365204", "386968", "399586", "411492", "421178"],
        here: [218_663, 304_268, 339_545, 361_214, 384_331, 398_890, 409_643, 414_690],
        because:
          "conjecture: its ConcurrentLfu applies hits and insertions late, in batches, and its sketch "
          + "hashes keys otherwise"),
    ].flatMap {
      $0.cells(
        trace: "OLTP.lis.zst",
        capacities: ["250", "500", "750", "1000", "1250", "1500", "1750", "2000"],
        measure: .hits)
    })
}
