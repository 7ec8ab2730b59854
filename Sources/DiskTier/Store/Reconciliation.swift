import Foundation
import Synchronization

/// Brings files and rows together again after a crash: in the background, a little at a time.
extension HybridStore {
  /// The rows or files that are looked at with the lock taken once.
  static let batch = 256

  func reconcileSoon() {
    queue.async { [weak self] in self?.reconcile() }
  }

  /// Removes files without a row, temporary files, and rows without their file or whose key is damaged.
  ///
  /// Whatever fails is left for the next time: a reconciliation costs no caller an operation.
  func reconcile() {
    let goOn = { [self] in !isClosing.load(ordering: .relaxed) }
    var orphans = core.area.emptyTrash(goOn: goOn)
    try? forEachOrphan { path in
      if core.area.remove(path) { orphans += 1 }
      return goOn()
    }
    lock.withLock { core.statistics.orphans += orphans }
    try? forEachRow { row in
      if EntryKey.hash(row.key) != row.version.hash {
        repair(Damage(kind: .mismatch, version: row.version, size: row.size))
      } else if let number = row.version.file, !core.area.exists(row.version.hash, number) {
        repair(Damage(kind: .missingFile, version: row.version, size: row.size))
      }
      return goOn()
    }
  }

  /// Hands out the paths of files that belong to no row, as long as `body` returns true.
  func forEachOrphan(
    settingAside: Bool = true, _ body: (_ path: String) -> Bool
  ) throws(StoreError) {
    let area = core.area
    let grace = options.sharing == .shared ? options.orphanGrace * 1e9 : 0
    let latest = core.now() &- Int64(min(grace, 1e18))
    // An exclusive store's own files are never between being placed and having a row: the lock is held.
    let isOld = { [self] (path: String) in
      options.sharing == .exclusive || area.isOlder(path, than: latest)
    }
    for name in area.temporaries() where !area.isOurs(name) {
      let file = "\(path)/temporary/\(name)"
      if area.isFile(file) && isOld(file) && !body(file) { return }
    }
    for folder in area.valueFolders() {
      var names = area.values(in: folder)[...]
      // Asked even of an empty folder, so that a closing store need not wait for the others.
      if names.isEmpty && isClosing.load(ordering: .relaxed) { return }
      while !names.isEmpty {
        let some = names.prefix(Self.batch)
        names = names.dropFirst(Self.batch)
        let orphans = try locked(settingAside: settingAside) { () throws(StoreError) in
          try core.withoutRow(some)
        }
        for name in orphans {
          let file = "\(folder.path)/\(name)"
          if area.isFile(file) && isOld(file) && !body(file) { return }
        }
      }
    }
  }

  /// Hands out every row, and perhaps rows put meanwhile, until `body` returns false; it may use the store. A key that
  /// is put again meanwhile may come twice.
  func forEachRow(
    settingAside: Bool = true, _ body: (StoreCore.RowReference) -> Bool
  ) throws(StoreError) {
    let last = try locked(settingAside: settingAside) { () throws(StoreError) in
      try core.lastRow()
    }
    var start = Int64.min
    while true {
      let rows = try locked(settingAside: settingAside) { () throws(StoreError) in
        try core.references(from: start, through: last, limit: Self.batch)
      }
      for row in rows where !body(row) { return }
      guard let end = rows.last?.id, end < last else { return }
      start = end + 1
    }
  }
}

extension StoreCore {
  /// A row as reconciliation and check see it.
  struct RowReference {
    var id: Int64
    var key: String
    var size: Int
    var version: RowVersion
  }

  /// The largest row number.
  func lastRow() throws(StoreError) -> Int64 {
    try perform { database throws(StoreError) in
      Int64(try database.connection.integer("SELECT max(id) FROM entry"))
    }
  }

  /// The next rows in the order of their ids.
  func references(
    from start: Int64, through last: Int64, limit: Int
  ) throws(StoreError) -> [RowReference] {
    try perform { database throws(StoreError) in
      let row = database.statements.next
      defer { row.reset() }
      row.bind(1, start)
      row.bind(2, last)
      row.bind(3, Int64(limit))
      var rows: [RowReference] = []
      while try row.step() {
        rows.append(
          RowReference(
            id: row.integer(6), key: row.string(1), size: Int(row.integer(2)),
            version: RowVersion(
              hash: row.integer(0), checksum: row.integer(3), created: row.integer(4),
              file: row.optionalInteger(5))))
      }
      return rows
    }
  }

  /// Those names of values' files that no row has.
  func withoutRow(_ names: some Sequence<String>) throws(StoreError) -> [String] {
    try perform { database throws(StoreError) in
      let row = database.statements.find
      var orphans: [String] = []
      for name in names {
        guard let file = FileArea.parse(name) else { continue }
        defer { row.reset() }
        row.bind(1, file.hash)
        if try !row.step() || row.optionalInteger(2) != file.number { orphans.append(name) }
      }
      return orphans
    }
  }
}
