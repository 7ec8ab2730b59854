import Foundation

/// Space on the disk that is kept for removals, in the file `reserve`: even a removal makes SQLite's log longer,
/// and copying the log back makes the database longer.
extension FileArea {
  private var reserve: String { "\(root)/reserve" }

  /// Sees to it that the reserve has `size` bytes; returns false if the disk is too full.
  @discardableResult
  func reserve(_ size: Int) -> Bool {
    var status = FileStatus()
    if files.look(at: reserve, &status) == 0 && status.size >= size { return true }
    var file = files.make(reserve, mode: mode)
    if file == -EEXIST { file = files.open(reserve, O_RDWR | O_NOFOLLOW) }
    if file < 0 { return false }
    defer { files.close(file) }
    return files.retrying { files.allocate(file, size) } == 0
  }

  /// Gives the reserve's space to the first who needs it.
  func releaseReserve() { _ = remove(reserve) }

  /// Cuts the reserve to `size` bytes.
  func shrinkReserve(to size: Int) {
    var status = FileStatus()
    guard files.look(at: reserve, &status) == 0, status.size > size else { return }
    releaseReserve()
    reserve(size)
  }
}
