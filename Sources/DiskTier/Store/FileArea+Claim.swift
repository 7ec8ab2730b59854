import Foundation

/// Telling a store's folder from any other: what is not a store's is never changed.
extension FileArea {
  /// The content of every store's file `lock`, written before anything else is made.
  static let mark = Array("EvictionLab store\n".utf8)

  /// Refuses a folder that has things in it and is no store.
  func claim() throws(StoreError) {
    var names: [String] = []
    // The path itself may be a link to the folder.
    let code = files.list("\(root)/.", into: &names)
    if code < 0 { throw error(code, "look into the folder", root) }
    let database = ["", "-wal", "-shm", "-journal"].map { "manifest.sqlite\($0)" }
    let ownFiles = ["lock", "writer", "reserve"] + database
    for (own, kind) in [(ownFiles, FileKind.file), (Self.parts, .folder)] {
      for name in own where names.contains(name) {
        // SQLite's log leaves with the last process that has the store open, which may be just now.
        guard let found = files.kind("\(root)/\(name)"), found != kind else { continue }
        throw .foreign(path: "\(root)/\(name)", problem: "not a \(kind) that a store made")
      }
    }
    if names.isEmpty { return }
    let lock = names.contains("lock") ? try start(of: "lock", Self.mark.count + 1) : []
    if lock == Self.mark { return }
    // A store whose first opening ended early, or goes on in another process, or that was deleted while it was open.
    let isUnmarked =
      lock.count <= Self.mark.count
      && (Self.mark.starts(with: lock) || lock.allSatisfy { $0 == 0 })
    let writer = names.contains("writer") ? try start(of: "writer", 1) : []
    if isUnmarked && writer.isEmpty && isRemainder(names) { return }
    if names.contains("manifest.sqlite"), try Schema.marks(start(of: "manifest.sqlite", 72)) {
      return
    }
    throw .foreign(path: root, problem: "the folder has other things in it and is no store")
  }

  /// Takes the lock of the store's folder, which `prepare` has made or found.
  func hold(
    _ options: StoreOptions, _ prepare: () throws(StoreError) -> Void
  ) throws(StoreError) -> ProcessLock {
    var attempts = 0
    while true {
      attempts += 1
      do throws(StoreError) {
        try prepare()
        let lock = try ProcessLock(folder: root, files: files, options: options)
        if attempts == 10 || lock.isInPlace { return lock }
      } catch {
        // Another process deletes the store.
        guard attempts < 10, case .io(_, _, ENOENT) = error else { throw error }
      }
    }
  }

  /// Refuses a database that another program has put into a store's folder.
  func claimDatabase() throws(StoreError) {
    // One that cannot be read is taken for the store's, as the folder is.
    guard let start = try? start(of: "manifest.sqlite", 72), Schema.isForeign(start) else { return }
    throw .foreign(
      path: "\(root)/manifest.sqlite", problem: "the database belongs to another program")
  }

  /// Writes the mark into the store's lock, which is open and held, unless it is there.
  func mark(_ lock: Int32) throws(StoreError) {
    if try start(of: "lock", Self.mark.count + 1) == Self.mark { return }
    var code = Self.mark.withUnsafeBytes { files.writeAll($0, to: lock) }
    if code == 0 { code = files.retrying { files.sync(lock) } }
    if code < 0 { throw error(code, "write the lock", "\(root)/lock") }
    // Lasting, whatever is promised of entries: a store that is not recognised is not opened again.
    try syncAlways(root)
  }

  /// Returns true if a folder has nothing but what a store makes, without its database.
  private func isRemainder(_ names: [String]) -> Bool {
    func areBranches(_ names: [String]) -> Bool { Self.branches(names).count == names.count }
    func areValues(in top: String) -> Bool {
      let branches = self.names(in: top)
      return areBranches(branches)
        && branches.allSatisfy { areBranches(self.names(in: "\(top)/\($0)")) }
        && valueFolders(in: top).allSatisfy {
          self.values(in: $0).count == self.names(in: $0.path).count
        }
    }
    let trashes = trashes()
    let others = ["lock", "writer", "reserve", "manifest.sqlite-wal", "manifest.sqlite-shm"]
    return Set(names).isSubset(of: Self.parts + others) && areValues(in: "\(root)/data")
      && temporaries().count == self.names(in: "\(root)/temporary").count
      && trashes.count == self.names(in: "\(root)/trash").count && trashes.allSatisfy(areValues)
  }

  /// The folders in a store's folder.
  private static let parts = ["data", "temporary", "trash"]

  func makeParts() throws(StoreError) {
    for part in Self.parts { try make("\(root)/\(part)") }
  }

  /// The names of those folders that are gone.
  func missingParts() -> [String] { Self.parts.filter { files.kind("\(root)/\($0)") == nil } }

  /// Makes an empty manifest if there is none, so that SQLite gives its log the same permissions.
  func makeManifest() throws(StoreError) {
    let path = "\(root)/manifest.sqlite"
    if files.kind(path) != nil { return }
    try finishSettingAside()
    let file = files.make(path, mode: mode)
    if file >= 0 { return files.close(file) }
    if file != -EEXIST { throw error(file, "make the database", path) }
  }

  /// The first bytes of a file of the store's folder.
  private func start(of name: String, _ count: Int) throws(StoreError) -> [UInt8] {
    let path = "\(root)/\(name)"
    let file = files.open(path, O_RDONLY | O_NOFOLLOW)
    if file < 0 { throw error(file, "look at a file", path) }
    defer { files.close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let step = bytes.withUnsafeMutableBytes { buffer in
        files.read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
      }
      if step == -Int(EINTR) { continue }
      if step < 0 { throw error(Int32(step), "look at a file", path) }
      if step == 0 { break }
      done += step
    }
    return Array(bytes[..<done])
  }
}
