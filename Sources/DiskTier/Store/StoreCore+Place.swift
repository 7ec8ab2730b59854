import Foundation

/// Telling whether an open store is still where it was: its folder, or a part of it, may be deleted, moved or replaced
/// by others.
extension StoreCore {
  /// The files of an open database.
  struct Place {
    fileprivate var files: [(name: String, status: FileStatus)] = []
    /// The folder as it was when all its names were looked at; nil if that was just after a change, since another one
    /// may have the same time.
    fileprivate var folder: FileStatus?
  }

  /// Notes the files that the database has just been opened in.
  func rememberPlace() {
    place = Place()
    for name in ["", "lock", "manifest.sqlite", "manifest.sqlite-wal"] {
      var status = FileStatus()
      if look(at: name, &status) == 0 { place.files.append((name, status)) }
    }
  }

  private func look(at name: String, _ status: inout FileStatus) -> Int32 {
    environment.files.look(at: name.isEmpty ? path : "\(path)/\(name)", &status)
  }

  /// The names that are gone, or are of other files now; the folder's own is its path.
  ///
  func lostNames() -> [String] {
    place.files.compactMap { name, known in
      var status = FileStatus()
      let code = look(at: name, &status)
      // A failure to look is no loss.
      let isThere =
        code == 0 ? status.isSameFile(as: known) : ![-ENOENT, -ENOTDIR, -ELOOP].contains(code)
      return isThere ? nil : name.isEmpty ? path : name
    }
  }

  /// Returns true if the open database is at its path, with one system call unless the folder has changed.
  func isInPlace() -> Bool {
    var folder = FileStatus()
    let code = look(at: "", &folder)
    if code == 0, let known = place.folder, known.isSameFile(as: folder),
      known.changed == folder.changed
    {
      return true
    }
    if !lostNames().isEmpty { return false }
    // The times of some file systems are whole seconds, and those of others the clock's ticks.
    let precision: Int64 = folder.changed % 1_000_000_000 == 0 ? 3_000_000_000 : 50_000_000
    place.folder = code == 0 && folder.changed < now() - precision ? folder : nil
    return true
  }

  /// Leaves a database that is no longer at its path; returns true if it did.
  @discardableResult
  func leaveIfLost() -> Bool {
    if database == nil || isInPlace() { return false }
    leave()
    return true
  }
}
