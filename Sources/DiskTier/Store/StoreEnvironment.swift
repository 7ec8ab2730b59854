import EvictionCore
import Foundation

/// The services that a store takes from the system: tests replace them.
package struct StoreEnvironment: Sendable {
  /// The calls for files that hold values.
  package var files: any FileSystem = SystemFiles()
  /// The name of the SQLite VFS for the manifest; nil is SQLite's own choice.
  package var vfs: String?
  /// The time in nanoseconds since 1970.
  package var now: @Sendable () -> Int64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The clock by which entries of a cache expire; nil for the system's.
  package var entryClock: MovedClock?

  /// The bytes that may still be written where a path is; nil if that is unknown.
  package var freeSpace: @Sendable (_ path: String) -> Int? = { DiskSpace.free(at: $0) }

  package init() {}
}
