import CSQLite
import Foundation

/// The mark that tells one version of a row from every other.
struct RowVersion: Equatable {
  var hash: Int64
  var checksum: Int64
  var created: Int64
  var file: Int64?
}

/// A file that belongs, or belonged, to a row.
struct ValueFile {
  var hash: Int64
  var number: Int64
}

extension PutOutcome {
  fileprivate static var refused: PutOutcome {
    var outcome = PutOutcome(
      metadata: StoredMetadata(
        size: 0, extendedSize: 0, access: 0, insertion: 0, created: 0, expires: nil, cost: 0))
    outcome.isRefused = true
    return outcome
  }
}

extension StoreCore {
  /// The columns of a row that describe a value, whose checksum is not verified yet.
  struct Found {
    var value: StoredValue
    var version: RowVersion
    /// The opened file, if the value has one; nil where it is gone.
    var file: Int32?
  }

  /// The row of a key, with the value's bytes or its open file.
  func get(_ key: EntryKey) throws(StoreError) -> Found? {
    try perform { database throws(StoreError) in
      let row = database.statements.get
      defer { row.reset() }
      row.bind(1, key.hash)
      guard try row.step(), key.equals(row.bytes(0)) else { return nil }
      let extended = row.isNull(7) ? nil : [UInt8](row.bytes(7))
      let metadata = metadata(row, key.hash, extendedSize: extended?.count ?? 0)
      let version = RowVersion(
        hash: key.hash, checksum: row.integer(8), created: metadata.created,
        file: row.optionalInteger(9))
      var found = Found(
        value: StoredValue(bytes: [], extended: extended, metadata: metadata), version: version)
      if let number = version.file {
        found.file = try area.open(key.hash, number)
      } else {
        found.value.bytes = [UInt8](row.bytes(10))
      }
      return found
    }
  }

  /// Returns the columns of a row besides its bytes; nil if there is no such row.
  func describe(_ key: EntryKey) throws(StoreError) -> StoredMetadata? {
    try perform { database throws(StoreError) in
      let row = database.statements.describe
      defer { row.reset() }
      row.bind(1, key.hash)
      guard try row.step(), key.equals(row.bytes(0)) else { return nil }
      return metadata(row, key.hash, extendedSize: Int(row.integer(7)))
    }
  }

  /// Returns the tags of a key's row; none if there is no such row.
  func tags(_ key: EntryKey) throws(StoreError) -> Set<String> {
    try perform { database throws(StoreError) in
      let row = database.statements.extended
      defer { row.reset() }
      row.bind(1, key.hash)
      guard try row.step(), key.equals(row.bytes(0)), !row.isNull(1) else { return [] }
      return ExtendedColumn.parts([UInt8](row.bytes(1))).tags
    }
  }

  /// The described columns of the current row, with the access that was gathered since it was written.
  func metadata(
    _ row: Statement, _ hash: Int64, extendedSize: Int
  ) -> StoredMetadata {
    StoredMetadata(
      size: Int(row.integer(1)), extendedSize: extendedSize,
      access: max(row.integer(2), touches[hash] ?? 0),
      insertion: row.integer(3), created: row.integer(4), expires: row.optionalInteger(5),
      cost: Int(row.integer(6)))
  }

  /// An entry to put; a file is still a temporary one.
  struct NewEntry {
    var value: UnsafeRawBufferPointer
    var checksum: UInt64
    var file: Int64?
    var extended: [UInt8]?
    var expires: Int64?
    var cost: Int
    /// Nil for any row.
    var expected: ExpectedRow?
  }

  /// Writes a row, and removes those of other keys in the same transaction; returns what happened and the files
  /// that are no longer needed.
  ///
  /// It throws `ENOENT` if the database, or the value's file, is no longer at its path.
  func put(
    _ key: EntryKey, _ entry: NewEntry, removing leaving: [String], naming: Bool
  ) throws(StoreError) -> (PutOutcome, [ValueFile]) {
    let result = try perform { database throws(StoreError) in
      // No other process writes between this look and the change, as the store is not shared.
      let only = isShared || leaving.count != 1 ? nil : try find(leaving[0], database)
      // One statement then does both, and fewer pages change.
      var takesOver = false
      if let only, only.isAsLong(as: key, entry) { takesOver = try find(key, database) == nil }
      return try change(database, "write an entry", isSingle: leaving.isEmpty || takesOver) {
        difference throws(StoreError) -> (PutOutcome, [ValueFile]) in
        if let expected = entry.expected, try created(key, database) != expected.created {
          return (PutOutcome.refused, [])
        }
        if let file = entry.file { try area.place(key.hash, file) }
        var files: [ValueFile] = []
        var removed: [String] = []
        if let only {
          if !takesOver { try delete(only, database) }
          forget(only, &difference, &files)
          if naming { removed = leaving }
        } else {
          let (removal, others) = try remove(leaving, naming: naming, database, &difference)
          (removed, files) = (removal.keys, others)
        }
        let old = takesOver ? nil : try find(key, database)
        let created = now()
        let access = clock.next(created)
        let isReplaced = old.map { $0.displaced == nil } ?? false
        var outcome = PutOutcome(
          metadata: StoredMetadata(
            size: entry.value.count, extendedSize: entry.extended?.count ?? 0, access: access,
            insertion: isReplaced ? old!.insertion : access, created: created,
            expires: entry.expires, cost: entry.cost),
          replacedSize: isReplaced ? old!.size : nil, displacedKey: old?.displaced)
        outcome.removedKeys = removed
        let row = row(for: key, over: takesOver ? only : old, database.statements)
        try write(key, entry, outcome.metadata, row)
        difference += Totals(
          count: old == nil ? 1 : 0, size: entry.value.count &- (old?.size ?? 0))
        touches[key.hash] = nil
        statistics.bytesPut += entry.value.count + outcome.metadata.extendedSize
        if old?.displaced != nil { statistics.collisions += 1 }
        if let number = old?.file { files.append(ValueFile(hash: key.hash, number: number)) }
        return (outcome, files)
      }
    }
    if result.0.isRefused { return result }
    let isFileLost = entry.file.map { !area.exists(key.hash, $0) } ?? false
    if leaveIfLost() || isFileLost {
      throw .io(path: path, action: "write an entry", code: ENOENT)
    }
    return result
  }

  /// The time at which the value of a key was put; nil if it has no row.
  private func created(_ key: EntryKey, _ database: Database) throws(StoreError) -> Int64? {
    let row = database.statements.describe
    defer { row.reset() }
    row.bind(1, key.hash)
    return try row.step() && key.equals(row.bytes(0)) ? row.integer(4) : nil
  }

  /// The statement that writes the row of a key, with the row's number or the key's hash bound.
  private func row(for key: EntryKey, over old: OldRow?, _ statements: Statements) -> Statement {
    guard let old else {
      statements.insert.bind(1, key.hash)
      return statements.insert
    }
    let row = old.hash == key.hash ? statements.overwrite : statements.takeOver
    row.bind(1, old.id)
    if old.hash != key.hash { row.bind(13, key.hash) }
    return row
  }

  /// Writes a row by a statement of ``row(for:over:_:)``.
  private func write(
    _ key: EntryKey, _ entry: NewEntry, _ metadata: StoredMetadata, _ row: Statement
  ) throws(StoreError) {
    row.bind(2, Int64(metadata.size))
    row.bind(3, Int64(bitPattern: entry.checksum))
    row.bind(4, entry.file)
    row.bind(5, metadata.access)
    row.bind(6, metadata.insertion)
    row.bind(7, metadata.created)
    row.bind(8, metadata.expires)
    row.bind(9, Int64(metadata.cost))
    row.bind(10, text: key.bytes)
    row.bind(12, blob: entry.file == nil ? entry.value : nil)
    guard let extended = entry.extended else {
      row.bind(11, blob: nil)
      return try row.run()
    }
    var failure: StoreError?
    extended.withUnsafeBytes { bytes in
      row.bind(11, blob: bytes)
      do throws(StoreError) { try row.run() } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// The columns of the former row that a removal or an overwrite needs.
  private struct OldRow {
    var hash: Int64
    var id: Int64
    var size: Int
    var file: Int64?
    var insertion: Int64
    /// The bytes of the columns that differ in length: key, extended data and a value that is no file.
    var length: Int
    /// The row's key, if it isn't the one that was looked for.
    var displaced: String?

    /// Returns true if the row of an entry has about the same length, so that it fits in this one's place.
    func isAsLong(as key: EntryKey, _ entry: NewEntry) -> Bool {
      let value = entry.file == nil ? entry.value.count : 0
      let new = key.bytes.count + (entry.extended?.count ?? 0) + value
      return (new &- length).magnitude <= 16
    }
  }

  private func find(_ key: EntryKey, _ database: Database) throws(StoreError) -> OldRow? {
    let row = database.statements.find
    defer { row.reset() }
    row.bind(1, key.hash)
    guard try row.step() else { return nil }
    let size = Int(row.integer(1))
    let file = row.optionalInteger(2)
    let name = row.bytes(0)
    return OldRow(
      hash: key.hash, id: row.integer(4), size: size, file: file, insertion: row.integer(3),
      length: name.count &+ Int(row.integer(5)) &+ (file == nil ? size : 0),
      displaced: key.equals(name) ? nil : row.string(0))
  }

  /// The row of a key, of which no other has the hash.
  private func find(_ key: String, _ database: Database) throws(StoreError) -> OldRow? {
    try EntryKey.with(key) { key throws(StoreError) in
      try find(key, database).flatMap { $0.displaced == nil ? $0 : nil }
    }
  }

  /// Removes the rows of keys in one transaction; returns what it was and the files that are no longer
  /// needed.
  func remove(
    _ keys: [String], naming: Bool
  ) throws(StoreError) -> (RemovalOutcome, [ValueFile]) {
    try perform { database throws(StoreError) in
      try change(database, "remove entries", isSingle: keys.count == 1, isRemoval: true) {
        difference throws(StoreError) in
        try remove(keys, naming: naming, database, &difference)
      }
    }
  }

  /// The same within a change.
  private func remove(
    _ keys: [String], naming: Bool, _ database: Database, _ difference: inout Totals
  ) throws(StoreError) -> (RemovalOutcome, [ValueFile]) {
    var outcome = RemovalOutcome(count: 0, bytes: 0)
    var files: [ValueFile] = []
    for key in keys {
      guard let old = try find(key, database) else { continue }
      try delete(old, database)
      forget(old, &difference, &files)
      outcome.count += 1
      outcome.bytes &+= old.size
      if naming { outcome.keys.append(key) }
    }
    return (outcome, files)
  }

  private func delete(_ row: OldRow, _ database: Database) throws(StoreError) {
    database.statements.delete.bind(1, row.id)
    try database.statements.delete.run()
  }

  /// Takes a row that is removed, or whose place another key takes, out of what is kept in memory.
  private func forget(_ old: OldRow, _ difference: inout Totals, _ files: inout [ValueFile]) {
    difference += Totals(count: -1, size: 0 &- old.size)
    touches[old.hash] = nil
    if let number = old.file { files.append(ValueFile(hash: old.hash, number: number)) }
  }

  /// Removes a row that is damaged, unless it has changed meanwhile; returns whether it was there.
  func remove(_ version: RowVersion, size: Int) throws(StoreError) -> Bool {
    try perform { database throws(StoreError) in
      try change(database, "remove a damaged entry", isSingle: true, isRemoval: true) {
        difference throws(StoreError) in
        let row = database.statements.deleteSame
        row.bind(1, version.hash)
        row.bind(2, version.checksum)
        row.bind(3, version.created)
        row.bind(4, version.file)
        try row.run()
        let isRemoved = sqlite3_changes(database.connection.handle) > 0
        if isRemoved { difference = Totals(count: -1, size: 0 &- size) }
        return isRemoved
      }
    }
  }

  /// Changes the time at which the value of a key that was put at `created` expires; returns whether it was there.
  func setExpires(
    _ expires: Int64?, of key: EntryKey, created: Int64
  ) throws(StoreError) -> Bool {
    try perform { database throws(StoreError) in
      try change(database, "change an expiration", isSingle: true) { _ throws(StoreError) in
        let row = database.statements.expire
        row.bind(1, key.hash)
        row.bind(2, created)
        row.bind(3, expires)
        try row.run()
        return sqlite3_changes(database.connection.handle) > 0
      }
    }
  }

  /// Removes all rows, and moves their files out of the way.
  ///
  /// A database that no other process may use is deleted with its log: that takes no space on a full disk, gives back
  /// what both had, and takes the same time however many rows there are.
  func removeAll() throws(StoreError) {
    leaveIfLost()
    try perform { database throws(StoreError) in
      if !isShared { return try discardDatabase() }
      // Both at once: a file that another process places in between would go with the others.
      try asWriter("remove all entries") { () throws(StoreError) in
        try changeAsWriter(database, "remove all entries", isRemoval: true) {
          difference throws(StoreError) in
          let before = try recount(database)
          try database.connection.execute("DELETE FROM entry", "remove all entries")
          difference = Totals(count: 0 &- before.count, size: 0 &- before.size)
          forgetTouches()
        }
        do throws(StoreError) { try area.retireData() } catch { filesWereOrphaned() }
      }
    }
    if isShared { try? giveSpaceBack() } else { try? perform { _ in } }
  }
}
