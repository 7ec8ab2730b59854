extension Claim {
  /// Concurrent atomic writes.
  static let c26 = Claim(
    "C26", "Concurrent atomic writes can persist stale data.",
    hypothesis: "Two threads that set a value and then write the file atomically leave an older "
      + "version "
      + "in the file.",
    effect: "runs that end with an older version / runs",
    conditions: [
      ClaimCondition(["threads": "2", "writes each": "3"], .happens) { context in
        let stale = try ConcurrentFile.stale(runs: 50, folder: context.folder, isQueued: false)
        return Trial(claimed: Double(stale), other: 50)
      }
    ])
}
