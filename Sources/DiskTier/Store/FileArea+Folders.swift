import Foundation

/// Whole folders: what is left over in them, and what is put out of the way.
extension FileArea {
  /// The folders that hold values' files.
  func valueFolders() -> [String] {
    let data = "\(root)/data"
    return names(in: data).flatMap { first in
      names(in: "\(data)/\(first)").map { "\(data)/\(first)/\($0)" }
    }
  }

  /// The names of the files in a folder; none if it isn't there.
  func names(in folder: String) -> [String] { files.names(in: folder) ?? [] }

  /// Whether a file was last modified before `time`, in nanoseconds since 1970.
  func isOlder(_ path: String, than time: Int64) -> Bool {
    let modified = files.modified(path)
    return modified >= 0 && modified < time
  }

  /// Removes a file by its path; returns whether it is gone by that.
  func remove(_ path: String) -> Bool { files.remove(path) == 0 }

  /// Makes the folder's entries as lasting as its files.
  func syncRoot() throws(StoreError) { try syncFolder(root) }

  /// Moves all values' files into the trash at once.
  func retireData() throws(StoreError) {
    forgetFolders()
    let target = "\(root)/trash/\(Self.hex(UInt64(bitPattern: newNumber()), 16))"
    let code = files.rename("\(root)/data", to: target)
    // In a shared store another process may just be doing the same.
    if code < 0 && code != -ENOENT { throw error(code, "move to the trash", "\(root)/data") }
    try make("\(root)/data")
    try syncRoot()
  }

  /// The folders in the trash, those inside a folder before it, and whether they are what holds the files:
  /// at most 4161 for each time that everything was removed.
  private func trashFolders() -> [(path: String, holdsFiles: Bool)] {
    var folders: [(path: String, holdsFiles: Bool)] = []
    for name in names(in: "\(root)/trash") {
      let top = "\(root)/trash/\(name)"
      for first in names(in: top) {
        folders += names(in: "\(top)/\(first)").map { ("\(top)/\(first)/\($0)", true) }
        folders.append(("\(top)/\(first)", false))
      }
      folders.append((top, false))
    }
    return folders
  }

  /// Deletes what is in the trash, as long as `goOn` says so; returns the number of files deleted.
  @discardableResult
  func emptyTrash(
    goOn: () -> Bool = { true }, progress: ((_ deleted: Int, _ total: Int) -> Void)? = nil
  ) -> Int {
    let folders = trashFolders()
    // Only who is told of the progress pays for knowing how many there are.
    let total =
      progress == nil
      ? 0 : folders.reduce(0) { $0 + ($1.holdsFiles ? names(in: $1.path).count : 0) }
    var seen = 0
    var deleted = 0
    for (folder, holdsFiles) in folders {
      for name in holdsFiles ? names(in: folder) : [] {
        if !goOn() { return deleted }
        if seen % 64 == 0 { progress?(min(seen, total), total) }
        seen += 1
        if remove("\(folder)/\(name)") { deleted += 1 }
      }
      _ = files.removeFolder(folder)
    }
    progress?(total, total)
    return deleted
  }

  /// Renames a database with its log and removes those set aside before.
  func setAside(_ name: String, as newName: String) throws(StoreError) {
    let earlier = names(in: root).filter { $0.hasPrefix("corrupt-") }
    let code = files.rename("\(root)/\(name)", to: "\(root)/\(newName)")
    if code < 0 && code != -ENOENT { throw error(code, "set aside", "\(root)/\(name)") }
    // A log that stays behind by a crash here is thrown away by SQLite: it belongs to no database.
    _ = files.rename("\(root)/\(name)-wal", to: "\(root)/\(newName)-wal")
    _ = files.remove("\(root)/\(name)-shm")
    for old in earlier { _ = files.remove("\(root)/\(old)") }
    try syncRoot()
  }
}
