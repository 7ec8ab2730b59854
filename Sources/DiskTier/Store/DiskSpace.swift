import Foundation

/// The space on a disk.
package enum DiskSpace {
  /// The bytes that this user may still write where `path` is; nil if that is unknown.
  package static func free(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return isHuge ? .max : Int(clamping: bytes)
  }
}
