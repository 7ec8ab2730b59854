import CSQLite

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
  }

  /// Writes a row, and removes those of other keys in the same transaction; returns what happened and the files
  /// that are no longer needed.
  func put(
    _ key: EntryKey, _ entry: NewEntry, removing leaving: [String]
  ) throws(StoreError) -> (PutOutcome, [ValueFile]) {
    try perform { database throws(StoreError) in
      try change(database, "write an entry", isSingle: leaving.isEmpty) {
        difference throws(StoreError) in
        if let file = entry.file { try area.place(key.hash, file) }
        var (_, files) = try remove(leaving, database, &difference)
        let old = try find(key, database)
        let created = now()
        let access = clock.next(created)
        let isReplaced = old.map { $0.displaced == nil } ?? false
        let outcome = PutOutcome(
          metadata: StoredMetadata(
            size: entry.value.count, extendedSize: entry.extended?.count ?? 0, access: access,
            insertion: isReplaced ? old!.insertion : access, created: created,
            expires: entry.expires, cost: entry.cost),
          replacedSize: isReplaced ? old!.size : nil, displacedKey: old?.displaced)
        try write(key, entry, outcome.metadata, over: old?.id, database)
        difference += Totals(
          count: old == nil ? 1 : 0, size: entry.value.count &- (old?.size ?? 0))
        touches[key.hash] = nil
        statistics.bytesPut += entry.value.count + outcome.metadata.extendedSize
        if old?.displaced != nil { statistics.collisions += 1 }
        if let number = old?.file { files.append(ValueFile(hash: key.hash, number: number)) }
        return (outcome, files)
      }
    }
  }

  private func write(
    _ key: EntryKey, _ entry: NewEntry, _ metadata: StoredMetadata, over old: Int64?,
    _ database: Database
  ) throws(StoreError) {
    let row = old == nil ? database.statements.insert : database.statements.overwrite
    row.bind(1, old ?? key.hash)
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
    var id: Int64
    var size: Int
    var file: Int64?
    var insertion: Int64
    /// The row's key, if it isn't the one that was looked for.
    var displaced: String?
  }

  private func find(_ key: EntryKey, _ database: Database) throws(StoreError) -> OldRow? {
    let row = database.statements.find
    defer { row.reset() }
    row.bind(1, key.hash)
    guard try row.step() else { return nil }
    return OldRow(
      id: row.integer(4), size: Int(row.integer(1)), file: row.optionalInteger(2),
      insertion: row.integer(3),
      displaced: key.equals(row.bytes(0)) ? nil : row.string(0))
  }

  /// Removes the rows of keys in one transaction; returns what it was and the files that are no longer
  /// needed.
  func remove(_ keys: [String]) throws(StoreError) -> (RemovalOutcome, [ValueFile]) {
    try perform { database throws(StoreError) in
      try change(database, "remove entries", isSingle: keys.count == 1) {
        difference throws(StoreError) in
        try remove(keys, database, &difference)
      }
    }
  }

  /// The same within a change.
  private func remove(
    _ keys: [String], _ database: Database, _ difference: inout Totals
  ) throws(StoreError) -> (RemovalOutcome, [ValueFile]) {
    var outcome = RemovalOutcome(count: 0, bytes: 0)
    var files: [ValueFile] = []
    for key in keys {
      try EntryKey.with(key) { key throws(StoreError) in
        guard let old = try find(key, database), old.displaced == nil else { return }
        database.statements.delete.bind(1, old.id)
        try database.statements.delete.run()
        difference += Totals(count: -1, size: 0 &- old.size)
        touches[key.hash] = nil
        outcome.count += 1
        outcome.bytes &+= old.size
        if let number = old.file { files.append(ValueFile(hash: key.hash, number: number)) }
      }
    }
    return (outcome, files)
  }

  /// Removes a row that is damaged, unless it has changed meanwhile; returns whether it was there.
  func remove(_ version: RowVersion, size: Int) throws(StoreError) -> Bool {
    try perform { database throws(StoreError) in
      try change(database, "remove a damaged entry", isSingle: true) {
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

  /// Removes all rows, and moves their files out of the way.
  func removeAll() throws(StoreError) {
    try perform { database throws(StoreError) in
      // Both at once: a file that another process places in between would go with the others.
      try asWriter("remove all entries") { () throws(StoreError) in
        try changeAsWriter(database, "remove all entries") { difference throws(StoreError) in
          let before = isShared ? try recount(database) : totals
          try database.connection.execute("DELETE FROM entry", "remove all entries")
          difference = Totals(count: 0 &- before.count, size: 0 &- before.size)
          forgetTouches()
        }
        do throws(StoreError) { try area.retireData() } catch { filesWereOrphaned() }
      }
    }
    try? giveSpaceBack()
  }
}
