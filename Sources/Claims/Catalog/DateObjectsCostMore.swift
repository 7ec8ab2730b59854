import CInline
import Foundation

extension Claim {
  /// Date objects against numbers in a sort.
  static let dateObjectsCostMore = Claim(
    "C6", "Date objects cost more than numbers when a purge sorts.",
    hypothesis: "Sorting entries by a date object takes more time than by a number.",
    effect: "time by object / time by number",
    conditions: [1_000, 10_000, 100_000].map { count in
      ClaimCondition(["entries": "\(count)"], .slower) { context in
        let times = context.indices(count, below: 1 << 30).map(Double.init)
        let objects = times.map { NSDate(timeIntervalSinceReferenceDate: $0) }
        let trial = context.compare {
          nanoseconds {
            keep(
              objects.sorted {
                $0.timeIntervalSinceReferenceDate < $1.timeIntervalSinceReferenceDate
              }.count)
          }
        } with: {
          nanoseconds { keep(times.sorted().count) }
        }
        return Trial(
          claimed: trial.claimed, other: trial.other,
          details: [
            "bytesPerObject": Double(
              evl_allocated_bytes(Unmanaged.passUnretained(objects[0]).toOpaque())
                + MemoryLayout<NSDate>.size),
            "bytesPerNumber": Double(MemoryLayout<Double>.size),
          ])
      }
    })
}
