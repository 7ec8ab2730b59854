/// The manifest: one row an entry, and one row for the whole.
///
/// Rows are numbered as they come, so that a new one, with its value, is appended to the table, and splits no page
/// that holds values; where one row leaves for another of about the same length, that takes its place and
/// number. A small index finds them by their key's 64-bit hash. The value is the last
/// column: whatever reads or changes the others need not step over it.
enum Schema {
  /// Marks a database as ours: "EVLD".
  static let application = 0x4556_4C44
  /// Other versions are refused.
  static let version = 2

  /// Tables and indices, in the order of their names.
  static let objects = [
    """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY,
      hash INTEGER NOT NULL,
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
    "CREATE UNIQUE INDEX entry_hash ON entry (hash)",
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

  /// Returns true if a file that begins with these 72 bytes is a database of a store.
  static func marks(_ start: [UInt8]) -> Bool {
    let number = start.dropFirst(68).reduce(0) { $0 << 8 | Int($1) }
    return start.starts(with: Array("SQLite format 3\0".utf8)) && number == application
  }

  /// Makes the tables in an empty database; refuses one that is another program's or of another version.
  static func prepare(
    _ connection: Connection, path: String, options: StoreOptions
  ) throws(StoreError) {
    let application = try connection.integer("PRAGMA application_id")
    let found = try connection.texts("SELECT sql FROM sqlite_master ORDER BY name")
    if found.isEmpty && (application == 0 || application == Schema.application) {
      try connection.configure(options)
      return try create(connection)
    }
    guard application == Schema.application else {
      throw .foreign(path: path, problem: "the database belongs to another program")
    }
    let version = try connection.integer("PRAGMA user_version")
    guard version == Schema.version else {
      throw .foreign(
        path: path, problem: "the database is of version \(version), not \(Schema.version)")
    }
    guard found == objects else {
      throw .corrupt(path: path, problem: "the database lacks a table or column")
    }
    try connection.configure(options)
  }

  private static func create(_ connection: Connection) throws(StoreError) {
    try connection.transaction("make the database") { () throws(StoreError) in
      for object in objects { try connection.execute(object) }
      try connection.execute("INSERT INTO state VALUES (0, 1, 0, 0, 0)")
      try connection.execute("PRAGMA application_id = \(application)")
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }
}
