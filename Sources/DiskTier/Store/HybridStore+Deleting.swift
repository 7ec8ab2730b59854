import Foundation

extension HybridStore {
  /// Deletes the store in the folder at `path`, whatever its state or version, and then the folder.
  ///
  /// Only what a store makes is deleted. Other things that were put into the folder stay, and then the folder stays, too,
  /// as an empty store. When a deletion fails or the process dies, the rest is a store that can be opened, or deleted again.
  ///
  /// - Returns: False if there was none: nothing is at the path, or an empty folder, which stays.
  /// - Throws: ``StoreError/foreign(path:problem:)`` if the folder has other things in it and is no store, and
  ///   ``StoreError/inUse(path:)`` if the store is open, in this process or another.
  /// - Complexity: O(n) for n files.
  @discardableResult
  public static func delete(at path: String) throws(StoreError) -> Bool {
    try delete(at: path, environment: StoreEnvironment())
  }

  @discardableResult
  package static func delete(
    at path: String, environment: StoreEnvironment
  ) throws(StoreError) -> Bool {
    if path.isEmpty { throw .option(name: "path", problem: "must name a folder") }
    let options = StoreOptions()
    let area = FileArea(root: path, files: environment.files, options: options)
    if try area.isEmpty() { return false }
    let lock: ProcessLock
    do throws(StoreError) {
      lock = try area.hold(options) { () throws(StoreError) in try area.claim() }
    } catch {
      // Another process was first.
      if case .io(_, _, ENOENT) = error { return false }
      throw error
    }
    // Until the end no other process opens it.
    defer { withExtendedLifetime(lock) {} }
    try area.claimDatabase()
    try area.mark(lock.holder)
    try area.removeAll()
    try area.removeRoot()
    return true
  }
}

/// Deleting all that a store made.
extension FileArea {
  /// Returns true if there is nothing in the folder, or no folder.
  fileprivate func isEmpty() throws(StoreError) -> Bool {
    var names: [String] = []
    let code = files.list("\(root)/.", into: &names)
    if code < 0 && code != -ENOENT { throw error(code, "look into the folder", root) }
    return names.isEmpty
  }

  /// Deletes what the store made, except for its lock, which marks the folder as a store's until the end; throws the
  /// first failure, if any, when all else is deleted.
  fileprivate func removeAll() throws(StoreError) {
    var failure: StoreError?
    func remove(_ path: String) {
      if !isFile(path) { return }
      let code = files.retrying { files.remove(path) }
      if code < 0 && code != -ENOENT { failure = failure ?? error(code, "remove a file", path) }
    }
    func removeDatabase(in folder: String) {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        remove("\(folder)/manifest.sqlite\(suffix)")
      }
    }
    func removeValues(in top: String) {
      for folder in valueFolders(in: top) {
        for name in values(in: folder) { remove("\(folder.path)/\(name)") }
        _ = files.removeFolder(folder.path)
      }
      for (name, _) in Self.branches(names(in: top)) { _ = files.removeFolder("\(top)/\(name)") }
      _ = files.removeFolder(top)
    }
    // Before the database: with none there, opening finishes what seems to be set aside in part.
    for folder in setAsides().map(setAsideFolder) {
      removeDatabase(in: folder)
      removeValues(in: "\(folder)/data")
      _ = files.removeFolder(folder)
    }
    removeDatabase(in: root)
    for top in ["\(root)/data"] + trashes() { removeValues(in: top) }
    _ = files.removeFolder("\(root)/trash")
    for name in temporaries() { remove("\(root)/temporary/\(name)") }
    _ = files.removeFolder("\(root)/temporary")
    for name in ["reserve", "writer"] { remove("\(root)/\(name)") }
    if let failure { throw failure }
  }

  /// Removes the lock and the folder, unless other things are in it.
  fileprivate func removeRoot() throws(StoreError) {
    if names(in: "\(root)/.") != ["lock"] { return }
    // After a power loss no part of a store may be there without its mark.
    try syncAlways(root)
    let code = files.remove("\(root)/lock")
    if code < 0 { throw error(code, "remove the lock", "\(root)/lock") }
    _ = files.removeFolder(root)
  }
}
