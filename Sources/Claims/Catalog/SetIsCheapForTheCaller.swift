import CInline
import Dispatch
import Foundation
import Synchronization

extension Claim {
  /// A set whose file is rewritten on a queue.
  static let setIsCheapForTheCaller = Claim(
    "C28", "A set is cheap for the caller, though the file is rewritten whole.",
    hypothesis: "The caller of a set waits for less time when a queue rewrites the file than when "
      + "it does so itself.",
    effect: "caller's time with a queue / without",
    note: "the details hold the time from a set to its version in the file, by rename, and the "
      + "same with syncs of file and folder; and the bytes written for each byte that is set",
    conditions: [100, 2_000].map { entries in
      ClaimCondition(["entries": "\(entries)"], .faster) { context in
        let list = FileList("\(context.folder)/list.plist", entries: entries)
        let trial = try context.compare {
          try list.sample(isQueued: true)
        } with: {
          try list.sample(isQueued: false)
        }
        return trial
      }
    })
}

/// A dictionary in a file that is rewritten whole at each set.
private struct FileList {
  private static let sets = 10

  private let file: String
  private let initial: [String: String]

  init(_ file: String, entries: Int) {
    self.file = file
    initial = [String: String](
      uniqueKeysWithValues: (0..<entries).map { ("key \($0)", "value \($0)") })
  }

  /// Returns the caller's time of a set, and what happens to it then.
  func sample(isQueued: Bool) throws -> ClaimSample {
    let plain = try rewrite(isQueued: isQueued, syncs: false)
    let synced = try rewrite(isQueued: isQueued, syncs: true)
    let bytes = Double(try PlainFile.read(file).count)
    return ClaimSample(
      plain.caller,
      [
        "timeToFileP50": plain.written.quantile(0.5), "timeToFileMost": plain.written.max() ?? 0,
        "timeToDurableP50": synced.written.quantile(0.5),
        "timeToDurableMost": synced.written.max() ?? 0, "bytesPerSet": bytes,
        "bytesWrittenPerByteSet": bytes / Double("key 0".utf8.count + "set 0".utf8.count),
      ])
  }

  /// Returns the caller's mean time of a set, and the times from each set to the end of its write.
  private func rewrite(
    isQueued: Bool, syncs: Bool
  ) throws -> (caller: Double, written: [Double]) {
    var values = initial
    let queue = DispatchQueue(label: "EvictionLab.C28")
    let outcome = Mutex((times: [Double](), failure: (any Error)?.none))
    @Sendable func write(_ values: [String: String], setAt start: UInt64) {
      do {
        let list = try PropertyListSerialization.data(
          fromPropertyList: values, format: .binary, options: 0)
        try PlainFile.writeAtomically([UInt8](list), to: file, syncs: syncs)
        let time = Double(evl_monotonic_nanoseconds() - start)
        outcome.withLock { $0.times.append(time) }
      } catch {
        outcome.withLock { $0.failure = error }
      }
    }
    let time = nanoseconds {
      for number in 0..<FileList.sets {
        let start = evl_monotonic_nanoseconds()
        values["key \(number)"] = "set \(number)"
        if isQueued {
          queue.async { [values] in write(values, setAt: start) }
        } else {
          write(values, setAt: start)
        }
      }
    }
    queue.sync {}
    let (times, failure) = outcome.withLock { ($0.times, $0.failure) }
    if let failure { throw failure }
    return (time / Double(FileList.sets), times)
  }
}
