import Dispatch
import EvictionCore
import Synchronization

/// A value in memory and in a file, set by several threads.
enum ConcurrentFile {
  /// The number of runs after which the file holds another version than the memory.
  ///
  /// - Parameter isQueued: Writes go through one serial queue, in the order of the sets.
  static func stale(runs: Int, folder: String, isQueued: Bool) throws -> Int {
    var stale = 0
    for run in 0..<runs {
      let path = "\(folder)/\(run)"
      let version = Mutex(0)
      let queue = DispatchQueue(label: "EvictionLab.ConcurrentFile")
      _ = ThreadGang.run(2) { thread, start in
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
      if try PlainFile.read(path) != [UInt8(version.withLock { $0 })] { stale += 1 }
    }
    return stale
  }
}
