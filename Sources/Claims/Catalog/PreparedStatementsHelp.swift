import CSQLite

extension Claim {
  /// Statements prepared once against each time.
  static let preparedStatementsHelp = Claim(
    "C21", "Caching prepared statements helps.",
    hypothesis: "An operation takes less time with a statement that is kept than with one that is "
      + "prepared for it.",
    effect: "time kept / time prepared each time",
    conditions: ["select", "insert"].map { operation in
      ClaimCondition(["operation": operation], .faster) { context in
        let database = try PreparingDatabase("\(context.folder)/manifest.sqlite")
        try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        try database.execute("CREATE TABLE entry (key INTEGER PRIMARY KEY, value BLOB)")
        try database.execute("INSERT INTO entry VALUES (1, zeroblob(100)); BEGIN")
        let text =
          operation == "select"
          ? "SELECT value FROM entry WHERE key = 1"
          : "INSERT OR REPLACE INTO entry VALUES (2, zeroblob(100))"
        return try context.compare {
          try nanoseconds {
            let statement = try database.prepare(text)
            for _ in 0..<2_000 {
              sqlite3_step(statement)
              sqlite3_reset(statement)
            }
            sqlite3_finalize(statement)
          }
        } with: {
          try nanoseconds {
            for _ in 0..<2_000 {
              let statement = try database.prepare(text)
              sqlite3_step(statement)
              sqlite3_finalize(statement)
            }
          }
        }
      }
    })
}

/// A bare connection.
private final class PreparingDatabase {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      throw PlainFile.Failure("open the database", path)
    }
    handle = opened
  }

  deinit { sqlite3_close(handle) }

  func execute(_ text: String) throws {
    if sqlite3_exec(handle, text, nil, nil, nil) != SQLITE_OK { throw failure() }
  }

  func prepare(_ text: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure()
    }
    return statement
  }

  private func failure() -> ClaimUnavailable {
    ClaimUnavailable("SQLite failed: \(String(cString: sqlite3_errmsg(handle)))")
  }
}
