extension Claim {
  /// Writes in the order of the sets.
  static let twoQueuesCureStaleData = Claim(
    "C27", "Two queues cure stale data.",
    hypothesis: "Where a serial queue writes in the order of the sets, the file ends with the "
      + "latest version.",
    effect: "runs that end with an older version / runs",
    conditions: [2, 4, 8].map { threads in
      ClaimCondition(["threads": "\(threads)", "writes each": "3"], .neverHappens) { context in
        let stale = try ConcurrentFile.stale(
          runs: 150, threads: threads, folder: context.folder, isQueued: true)
        return Trial(claimed: Double(stale.runs), other: 150)
      }
    })
}
