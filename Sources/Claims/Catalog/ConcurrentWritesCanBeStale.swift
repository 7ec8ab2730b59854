extension Claim {
  /// Concurrent atomic writes.
  static let concurrentWritesCanBeStale = Claim(
    "C26", "Concurrent atomic writes can persist stale data.",
    hypothesis: "Threads that set a value and then write the file atomically leave an older "
      + "version in the file.",
    effect: "runs that end with an older version / runs",
    note: "the details hold by how many versions the file was behind at most",
    conditions: [2, 4, 8].map { threads in
      ClaimCondition(["threads": "\(threads)", "writes each": "3"], .happens) { context in
        let stale = try ConcurrentFile.stale(
          runs: 50, threads: threads, folder: context.folder, isQueued: false)
        return Trial(
          claimed: Double(stale.runs), other: 50,
          details: ["mostVersionsBehind": Double(stale.mostBehind)])
      }
    })
}
