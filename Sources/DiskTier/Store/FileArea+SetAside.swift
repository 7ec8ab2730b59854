import Foundation

/// Corrupt databases, each put aside in a folder `corrupt-<number>` together with the files of its values.
extension FileArea {
  /// Moves the database, its log and the values' files into a folder of their own, and removes the oldest
  /// such folders, so that `kept` are left; returns the folder.
  func setAside(at time: Int64, keeping kept: Int) throws(StoreError) -> String {
    let number = max(time, (setAsides().last ?? -1) &+ 1, 0)
    let folder = setAsideFolder(number)
    try make(folder)
    let code = files.rename("\(root)/manifest.sqlite", to: "\(folder)/manifest.sqlite")
    if code < 0 && code != -ENOENT {
      throw error(code, "set aside", "\(root)/manifest.sqlite")
    }
    try finishSettingAside()
    for old in setAsides().dropLast(kept) { removeSetAside(old) }
    return folder
  }

  /// Moves what belongs to the latest database that was set aside after it, unless that is done: a crash may
  /// have come in between.
  func finishSettingAside() throws(StoreError) {
    guard let folder = setAsides().last.map(setAsideFolder),
      files.kind("\(folder)/data") == nil
    else { return }
    forgetFolders()
    // What has the values comes last, since it says that all is done.
    for part in ["manifest.sqlite-wal", "data"] {
      let code = files.rename("\(root)/\(part)", to: "\(folder)/\(part)")
      if code < 0 && code != -ENOENT { throw error(code, "set aside", "\(root)/\(part)") }
    }
    _ = files.remove("\(root)/manifest.sqlite-shm")
    try syncFolder(folder)
    try make("\(root)/data")
    try syncRoot()
  }

  func setAsideFolder(_ number: Int64) -> String { "\(root)/corrupt-\(number)" }

  /// The numbers of what was set aside, the latest last.
  func setAsides() -> [Int64] {
    names(in: "\(root)/.").compactMap { name in
      guard name.hasPrefix("corrupt-"), let number = Int64(name.dropFirst(8)), number >= 0,
        "corrupt-\(number)" == name, files.kind("\(root)/\(name)") == .folder
      else { return nil }
      return number
    }.sorted()
  }

  /// Puts the values' files into the trash, and deletes the database; what else is there stays.
  private func removeSetAside(_ number: Int64) {
    let folder = setAsideFolder(number)
    _ = files.rename("\(folder)/data", to: newTrash())
    for name in ["manifest.sqlite", "manifest.sqlite-wal"] { _ = remove("\(folder)/\(name)") }
    _ = files.removeFolder(folder)
  }
}
