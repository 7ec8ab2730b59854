import Dispatch
import Foundation

extension Claim {
  /// A set whose file is rewritten on a queue.
  static let c28 = Claim(
    "C28", "A set is cheap for the caller, though the file is rewritten whole.",
    hypothesis: "The caller of a set waits for less time when a queue rewrites the file than "
      + "when it does "
      + "so itself.",
    effect: "caller's time with a queue / without",
    note: "the details hold the bytes that one set writes",
    conditions: [100, 2_000].map { entries in
      ClaimCondition(["entries": "\(entries)"], .faster) { context in
        let file = "\(context.folder)/list.plist"
        var values = [String: String](
          uniqueKeysWithValues: (0..<entries).map { ("key \($0)", "value \($0)") })
        let queue = DispatchQueue(label: "EvictionLab.C28")
        let sets = 10
        @Sendable func write(_ values: [String: String]) {
          let list = try? PropertyListSerialization.data(
            fromPropertyList: values, format: .binary, options: 0)
          try? list?.write(to: URL(fileURLWithPath: file), options: .atomic)
        }
        let trial = context.compare {
          let time = nanoseconds {
            for number in 0..<sets {
              values["key \(number)"] = "queued"
              queue.async { [values] in write(values) }
            }
          }
          queue.sync {}
          return time / Double(sets)
        } with: {
          nanoseconds {
            for number in 0..<sets {
              values["key \(number)"] = "at once"
              write(values)
            }
          } / Double(sets)
        }
        return Trial(
          claimed: trial.claimed, other: trial.other,
          details: ["bytesPerSet": Double(try PlainFile.read(file).count)])
      }
    })
}
