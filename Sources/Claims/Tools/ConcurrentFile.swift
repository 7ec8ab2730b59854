import Dispatch
import EvictionCore
import Synchronization

/// A value in memory and in a file, set by several threads.
enum ConcurrentFile {
  /// The runs after which the file holds another version than the memory, and by how many versions at most
  /// it is behind.
  ///
  /// - Parameters:
  ///   - threads: Those that set a value, three times each.
  ///   - isQueued: Writes go through one serial queue, in the order of the sets.
  static func stale(
    runs: Int, threads: Int, folder: String, isQueued: Bool
  ) throws -> (runs: Int, mostBehind: Int) {
    var stale = (runs: 0, mostBehind: 0)
    for run in 0..<runs {
      let path = "\(folder)/\(run)"
      let version = Mutex(0)
      let queue = DispatchQueue(label: "EvictionLab.ConcurrentFile")
      _ = ThreadGang.run(threads) { thread, start in
        @Sendable func write(_ number: Int) {
          try? PlainFile.writeAtomically(
            [UInt8(number)], to: "\(path)", temporary: "\(path).\(thread)", syncs: false)
        }
        _ = start()
        for _ in 0..<3 {
          let number = version.withLock { version in
            version += 1
            let number = version
            if isQueued { queue.async { write(number) } }
            return number
          }
          if !isQueued { write(number) }
        }
      }
      queue.sync {}
      let found = try Int(PlainFile.read(path).first ?? 0)
      let behind = version.withLock { $0 } - found
      if behind != 0 { stale.runs += 1 }
      stale.mostBehind = max(stale.mostBehind, behind)
    }
    return stale
  }
}
