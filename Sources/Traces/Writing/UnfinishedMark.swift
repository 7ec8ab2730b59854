import Parameters

/// The mark of a file that is not whole yet, by which the tool knows one that it made and that a killed run left.
///
/// These bits of the mode mean nothing for a file that cannot be run, and nothing else sets them: a file of the same
/// name without them is not this tool's. Where a file system does not keep them, what a killed run left stays.
package enum UnfinishedMark {
  /// The end of such a file's name, behind that of the whole one.
  package static let suffix = ".unfinished"

  private static let mode: mode_t = 0o3600
  private static let permissions: mode_t = 0o7777

  /// Marks an open file. Returns the mode that it had.
  package static func set(_ descriptor: Int32) -> mode_t {
    var status = stat()
    fstat(descriptor, &status)
    fchmod(descriptor, mode)
    return status.st_mode & permissions
  }

  /// True for an open file that is marked.
  package static func isSet(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & permissions == mode
  }
}
