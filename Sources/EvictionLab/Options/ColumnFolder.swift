import CInline
import DiskTier
import Foundation

/// The folder for columns of a trace that memory has no room for.
enum ColumnFolder {
  /// The folder that TMPDIR names, else /var/tmp; nil where it is in memory, or lacks room for the bytes.
  static func path(forBytes bytes: Int) -> String? {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp"
    // Files grow by half of what they hold, and how much is to come was estimated.
    guard evl_is_in_memory(folder) == 0, let free = DiskSpace.free(at: folder), free / 2 >= bytes
    else { return nil }
    return folder
  }
}
