/// Bringing databases of earlier versions here.
extension Schema {
  /// The tables of version 1, where the key's hash was the row's number, and rows lay in its order.
  static let version1 = [
    """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY,
      size INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      file INTEGER,
      access INTEGER NOT NULL,
      insertion INTEGER NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER,
      cost INTEGER NOT NULL,
      key TEXT NOT NULL,
      extended BLOB,
      value BLOB
    )
    """,
    objects[2],
  ]

  /// Copies the rows of version 1 into the table of version 2, in one transaction.
  ///
  /// A process that has the database open would not learn of it, and look for rows where they were: so nobody
  /// else may have it open.
  static func migrate(
    _ connection: Connection, path: String, processes: ProcessLock
  ) throws(StoreError) {
    let action = "bring the database to version \(version)"
    let isAlone = try processes.whileAlone { () throws(StoreError) in
      try connection.transaction(action) { () throws(StoreError) in
        try connection.execute("ALTER TABLE entry RENAME TO earlier", action)
        for object in objects[..<2] { try connection.execute(object, action) }
        let columns =
          "size, checksum, file, access, insertion, created, expires, cost, key, extended, value"
        try connection.execute(
          "INSERT INTO entry (hash, \(columns)) SELECT id, \(columns) FROM earlier", action)
        try connection.execute("DROP TABLE earlier", action)
        try connection.execute("PRAGMA user_version = \(version)", action)
      }
    }
    if !isAlone { throw .busy(path: path, action: action) }
  }
}
