import Traces

extension Claim {
  /// LRU against FIFO, on several workloads.
  static let lruRaisesTheHitRatio = Claim(
    "C17", "LRU raises the hit ratio; the right choice depends on the workload.",
    hypothesis: "LRU hits more often than FIFO, on every trace and at every size.",
    effect: "hit ratio of LRU less that of FIFO",
    note: "the details hold LFU, ARC, S3-FIFO and the optimum on the same trace; a verdict that "
      + "depends on the trace is the second half of the claim",
    conditions: Trace.bundled.flatMap { name in
      [0.01, 0.1].map { fraction in
        ClaimCondition(["trace": name, "capacity": "\(fraction)"], .hitsMore) { context in
          let trace = try context.trace(name)
          func ratio(_ policy: String) throws -> Double {
            try trace.hitRatio(of: policy, fraction: fraction)
          }
          return Trial(
            claimed: try ratio("lru"), other: try ratio("fifo"),
            details: [
              "lfu": try ratio("lfu"), "arc": try ratio("arc"), "s3fifo": try ratio("s3fifo"),
              "opt": try ratio("opt"),
            ])
        }
      }
    })
}
