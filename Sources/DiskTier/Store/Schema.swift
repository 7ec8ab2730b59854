import Foundation

/// The manifest: one row an entry, one row for the whole, and the name of the values' format.
///
/// Rows are numbered as they come, so that a new one, with its value, is appended to the table, and splits no page
/// that holds values; where one row leaves for another of about the same length, that takes its place and
/// number. A small index finds them by their key's 64-bit hash. The value is the last
/// column: whatever reads or changes the others need not step over it.
enum Schema {
  /// Marks a database as ours: "EVLD".
  static let application = 0x4556_4C44
  /// Other versions are refused, except for the one before, which lacks the format and gets it.
  static let version = 3

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
    format,
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

  private static let format = "CREATE TABLE format (name TEXT NOT NULL)"

  /// The start of every database.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Returns true if a file that begins with these 72 bytes is a database of a store.
  static func marks(_ start: [UInt8]) -> Bool {
    let number = start.dropFirst(68).reduce(0) { $0 << 8 | Int($1) }
    return start.starts(with: magic) && number == application
  }

  /// Returns true if a file that begins with these 72 bytes is a database of another program.
  static func isForeign(_ start: [UInt8]) -> Bool {
    func number(at place: Int) -> Int { start[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard start.count == 72, start.starts(with: magic) else { return false }
    let owner = number(at: 68)
    // A store's first transaction may be in the log alone.
    return owner != application && (owner != 0 || number(at: 28) > 1)
  }

  /// Makes the tables in an empty database; refuses one that is another program's or of another version.
  static func prepare(
    _ connection: Connection, path: String, options: StoreOptions
  ) throws(StoreError) {
    let application = try connection.integer("PRAGMA application_id")
    let found = try connection.texts("SELECT sql FROM sqlite_master ORDER BY name")
    if found.isEmpty && (application == 0 || application == Schema.application) {
      try connection.configure(options)
      return try create(connection, options.format)
    }
    guard application == Schema.application else {
      throw .foreign(path: path, problem: "the database belongs to another program")
    }
    let version = try connection.integer("PRAGMA user_version")
    let isOlder = version == Schema.version - 1
    guard isOlder || version == Schema.version else {
      throw .incompatible(
        path: path, problem: "the database is of version \(version), not \(Schema.version)")
    }
    guard found == objects.filter({ !isOlder || $0 != format }) else {
      throw .corrupt(path: path, problem: "the database lacks a table or column")
    }
    try connection.configure(options)
    do throws(StoreError) {
      try compareFormat(connection, path: path, options: options, isOlder: isOlder)
    } catch {
      // A full disk is no reason to refuse a store that is right: a later opening writes the name.
      guard case .full = error else { throw error }
    }
  }

  /// Refuses a database whose format has another name, and names one without.
  private static func compareFormat(
    _ connection: Connection, path: String, options: StoreOptions, isOlder: Bool
  ) throws(StoreError) {
    let query = "SELECT name FROM format"
    if !isOlder && options.format == nil { return }
    let named = isOlder ? [] : try connection.texts(query)
    if named.isEmpty {
      try connection.transaction("write the format") { () throws(StoreError) in
        // Another process may have been first.
        if try connection.integer("PRAGMA user_version") < version {
          try connection.execute(format, "write the format")
          try connection.execute("PRAGMA user_version = \(version)", "write the format")
        }
        if try connection.texts(query).isEmpty { try write(options.format, connection) }
      }
    }
    if let expected = options.format, let found = try connection.texts(query).first,
      found != expected
    {
      throw .incompatible(
        path: path, problem: "its values have the format “\(found)”, not “\(expected)”")
    }
  }

  private static func write(_ name: String?, _ connection: Connection) throws(StoreError) {
    guard let name else { return }
    let quoted = name.replacingOccurrences(of: "'", with: "''")
    try connection.execute("INSERT INTO format VALUES ('\(quoted)')", "write the format")
  }

  private static func create(
    _ connection: Connection, _ format: String?
  ) throws(StoreError) {
    try connection.transaction("make the database") { () throws(StoreError) in
      for object in objects { try connection.execute(object) }
      try connection.execute("INSERT INTO state VALUES (0, 1, 0, 0, 0)")
      try write(format, connection)
      try connection.execute("PRAGMA application_id = \(application)")
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }
}
