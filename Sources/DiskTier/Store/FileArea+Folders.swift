import Foundation

/// Whole folders: what is left over in them, and what is put out of the way.
extension FileArea {
  /// A folder of values' files: all of hashes that begin with the same 12 bits.
  struct ValueFolder {
    var path: String
    var start: UInt64
  }

  /// The folders of values' files in `data/`, or in what was `data/`.
  ///
  /// Here as everywhere, names that the store does not give are passed over, and links not followed: what is
  /// behind them is not the store's.
  func valueFolders(in top: String? = nil) -> [ValueFolder] {
    let top = top ?? "\(root)/data"
    return Self.branches(names(in: top)).flatMap { name, first in
      Self.branches(names(in: "\(top)/\(name)")).map {
        ValueFolder(path: "\(top)/\(name)/\($0)", start: first << 6 | $1)
      }
    }
  }

  /// Those names that are of one of 64 folders, with its number.
  static func branches(_ names: [String]) -> [(name: String, number: UInt64)] {
    names.compactMap { name in
      guard let number = parse(name, digits: 2), number < 64 else { return nil }
      return (name, number)
    }
  }

  /// The names of values' files that are where ``folder(_:)`` puts them.
  func values(in folder: ValueFolder) -> [String] {
    names(in: folder.path).filter { name in
      Self.parse(name).map { UInt64(bitPattern: $0.hash) >> 52 == folder.start } ?? false
    }
  }

  /// The names of files that are being written, or were when a process died.
  func temporaries() -> [String] {
    names(in: "\(root)/temporary").filter { Self.parse($0) != nil }
  }

  /// The names in a folder; none if it isn't there, or is a link.
  func names(in folder: String) -> [String] {
    var names: [String] = []
    _ = files.list(folder, into: &names)
    return names
  }

  /// Returns true if a file was last modified before `time`, in nanoseconds since 1970.
  func isOlder(_ path: String, than time: Int64) -> Bool {
    let modified = files.modified(path)
    return modified >= 0 && modified < time
  }

  /// Returns true if a path names a file, and neither a link nor a folder.
  func isFile(_ path: String) -> Bool { files.kind(path) == .file }

  /// Removes a file by its path, but no link; returns whether it is gone by that.
  func remove(_ path: String) -> Bool { isFile(path) && files.remove(path) == 0 }

  /// Makes the folder's entries as lasting as its files.
  func syncRoot() throws(StoreError) { try syncFolder(root) }

  /// Moves all values' files into the trash at once.
  func retireData() throws(StoreError) {
    forgetFolders()
    let code = files.rename("\(root)/data", to: newTrash())
    // In a shared store another process may just be doing the same.
    if code < 0 && code != -ENOENT { throw error(code, "move to the trash", "\(root)/data") }
    try make("\(root)/data")
    try syncRoot()
  }

  /// Deletes the database with its log. All its entries are gone as soon as its own file is.
  func removeDatabase() throws(StoreError) {
    let path = "\(root)/manifest.sqlite"
    let code = files.remove(path)
    if code < 0 && code != -ENOENT { throw error(code, "remove the database", path) }
    // A log must not outlive its database, nor the database its log.
    try syncRoot()
    for name in ["-wal", "-shm"] { _ = files.remove(path + name) }
    try syncRoot()
  }

  /// The path of a folder that is to be put into the trash.
  func newTrash() -> String {
    "\(root)/trash/\(Self.hex(UInt64(bitPattern: newNumber()), 16))"
  }

  /// The folders in the trash, each as it was while it was `data/`.
  func trashes() -> [String] {
    names(in: "\(root)/trash").filter { Self.parse($0, digits: 16) != nil }
      .map { "\(root)/trash/\($0)" }
  }

  /// Deletes what is in the trash, as long as `goOn` says so; returns the number of files deleted.
  @discardableResult
  func emptyTrash(
    goOn: () -> Bool = { true }, progress: ((_ deleted: Int, _ total: Int) -> Void)? = nil
  ) -> Int {
    let trashes = trashes()
    // At most 4096 folders for each time that everything was removed.
    let folders = trashes.map { valueFolders(in: $0) }
    // Only who is told of the progress pays for knowing how many there are.
    let total = progress == nil ? 0 : folders.joined().reduce(0) { $0 + values(in: $1).count }
    var seen = 0
    var deleted = 0
    for (trash, folders) in zip(trashes, folders) {
      for folder in folders {
        for name in values(in: folder) {
          if !goOn() { return deleted }
          if seen % 64 == 0 { progress?(min(seen, total), total) }
          seen += 1
          if remove("\(folder.path)/\(name)") { deleted += 1 }
        }
        _ = files.removeFolder(folder.path)
      }
      for (name, _) in Self.branches(names(in: trash)) {
        _ = files.removeFolder("\(trash)/\(name)")
      }
      _ = files.removeFolder(trash)
    }
    progress?(total, total)
    return deleted
  }
}
