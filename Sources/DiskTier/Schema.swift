/// The manifest: one row an entry, and one row for the whole.
///
/// The row id is the key's 64-bit hash, so that a key is found by one descent of one tree, and no index is
/// kept. The value is the last column: whatever reads or changes the others need not step over it.
enum Schema {
  /// Marks a database as ours: "EVLD".
  static let application = 0x4556_4C44
  /// Later versions are refused, earlier ones are brought here.
  static let version = 1

  static let tables = [
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
    """
    CREATE TABLE state (
      id INTEGER PRIMARY KEY CHECK (id = 0),
      clean INTEGER NOT NULL,
      count INTEGER NOT NULL,
      size INTEGER NOT NULL,
      access INTEGER NOT NULL
    )
    """,
  ]

  /// Makes the tables in an empty database; refuses one that is another program's or of a later version.
  static func prepare(_ connection: Connection, path: String, options: StoreOptions)
    throws(StoreError)
  {
    let application = try connection.integer("PRAGMA application_id")
    let objects = try connection.texts("SELECT sql FROM sqlite_master ORDER BY name")
    if objects.isEmpty && (application == 0 || application == Schema.application) {
      try connection.configure(options)
      return try create(connection)
    }
    guard application == Schema.application else {
      throw .foreign(path: path, problem: "the database belongs to another program")
    }
    let version = try connection.integer("PRAGMA user_version")
    guard version == Schema.version else {
      throw .foreign(path: path, problem: "the database is of version \(version), not 1")
    }
    guard objects == tables else {
      throw .corrupt(path: path, problem: "the database lacks a table or column")
    }
    try connection.configure(options)
  }

  private static func create(_ connection: Connection) throws(StoreError) {
    try connection.transaction("make the database") { () throws(StoreError) in
      for table in tables { try connection.execute(table) }
      try connection.execute("INSERT INTO state VALUES (0, 1, 0, 0, 0)")
      try connection.execute("PRAGMA application_id = \(application)")
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }
}

/// The statements that the store runs again and again.
struct Statements {
  let find: Statement
  let get: Statement
  let describe: Statement
  let put: Statement
  let delete: Statement
  let deleteSame: Statement
  let touch: Statement
  let next: Statement
  let accesses: Statement
  let sizes: Statement
  let readState: Statement
  let writeState: Statement
  let addTotals: Statement

  init(_ connection: Connection) throws(StoreError) {
    let described = "key, size, access, insertion, created, expires, cost, length(extended)"
    find = try connection.prepare(
      "find an entry", "SELECT key, size, file, insertion FROM entry WHERE id = ?1")
    get = try connection.prepare(
      "read an entry",
      "SELECT \(described), checksum, file, extended, value FROM entry WHERE id = ?1")
    describe = try connection.prepare(
      "read an entry", "SELECT \(described) FROM entry WHERE id = ?1")
    put = try connection.prepare(
      "write an entry",
      """
      INSERT OR REPLACE INTO entry
        (id, size, checksum, file, access, insertion, created, expires, cost, key, extended, value)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """)
    delete = try connection.prepare("remove an entry", "DELETE FROM entry WHERE id = ?1")
    deleteSame = try connection.prepare(
      "remove a damaged entry",
      "DELETE FROM entry WHERE id = ?1 AND checksum = ?2 AND created = ?3 AND file IS ?4")
    touch = try connection.prepare(
      "write access times", "UPDATE entry SET access = ?2 WHERE id = ?1 AND access < ?2")
    next = try connection.prepare(
      "go through the entries",
      """
      SELECT id, key, size, checksum, created, file FROM entry
        WHERE id >= ?1 ORDER BY id LIMIT ?2
      """)
    accesses = try connection.prepare("read access times", "SELECT access, id FROM entry")
    sizes = try connection.prepare("count the entries", "SELECT size, access FROM entry")
    readState = try connection.prepare(
      "read the totals", "SELECT clean, count, size, access FROM state")
    writeState = try connection.prepare(
      "write the totals", "UPDATE state SET clean = ?1, count = ?2, size = ?3, access = ?4")
    addTotals = try connection.prepare(
      "write the totals",
      "UPDATE state SET count = count + ?1, size = size + ?2, access = max(access, ?3)")
  }
}
