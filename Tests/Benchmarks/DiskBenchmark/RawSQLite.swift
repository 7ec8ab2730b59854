import CSQLite

/// SQLite alone: one table, prepared statements, and the store's settings, which map no memory by default.
final class RawSQLite {
  private var database: OpaquePointer?
  private var put: OpaquePointer?
  private var get: OpaquePointer?
  private var touch: OpaquePointer?
  /// Begin, remove the oldest, commit.
  private var eviction: [OpaquePointer?] = []
  private var count = 0
  private var clock: Int64 = 0

  init(path: String) {
    sqlite3_open_v2(
      path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    sqlite3_exec(
      database,
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL;
      PRAGMA secure_delete = OFF; PRAGMA cache_size = -8192; PRAGMA mmap_size = 0;
      CREATE TABLE entry (key TEXT PRIMARY KEY, access INTEGER, value BLOB);
      """, nil, nil, nil)
    put = prepare(
      """
      INSERT INTO entry VALUES (?1, ?2, ?3)
        ON CONFLICT (key) DO UPDATE SET access = ?2, value = ?3
      """)
    get = prepare("SELECT value FROM entry WHERE key = ?1")
    eviction = [
      "BEGIN IMMEDIATE", "DELETE FROM entry WHERE rowid = (SELECT min(rowid) FROM entry)", "COMMIT",
    ].map(prepare)
    touch = prepare("UPDATE entry SET access = ?2 WHERE key = ?1")
  }

  deinit {
    for statement in [put, get, touch] + eviction { sqlite3_finalize(statement) }
    sqlite3_close(database)
  }

  private func prepare(_ text: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    sqlite3_prepare_v3(
      database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    return statement
  }

  /// Puts a new key, and removes the oldest if there are then more than `limit`.
  func put(_ key: String, _ value: UnsafeRawBufferPointer, keeping limit: Int) {
    if count < limit {
      count += 1
      return put(key, value)
    }
    run(eviction[0])
    run(eviction[1])
    put(key, value)
    run(eviction[2])
  }

  private func run(_ statement: OpaquePointer?) {
    precondition(sqlite3_step(statement) == SQLITE_DONE)
    sqlite3_reset(statement)
  }

  func put(_ key: String, _ value: UnsafeRawBufferPointer) {
    clock += 1
    var key = key
    key.withUTF8 { bytes in
      bind(put, bytes)
      sqlite3_bind_int64(put, 2, clock)
      sqlite3_bind_blob(put, 3, value.baseAddress, Int32(value.count), nil)
      precondition(sqlite3_step(put) == SQLITE_DONE)
      sqlite3_reset(put)
    }
  }

  func get(_ key: String, touching: Bool) -> [UInt8] {
    var key = key
    return key.withUTF8 { bytes in
      bind(get, bytes)
      precondition(sqlite3_step(get) == SQLITE_ROW)
      let value = [UInt8](
        UnsafeRawBufferPointer(
          start: sqlite3_column_blob(get, 0), count: Int(sqlite3_column_bytes(get, 0))))
      sqlite3_reset(get)
      if touching {
        clock += 1
        bind(touch, bytes)
        sqlite3_bind_int64(touch, 2, clock)
        precondition(sqlite3_step(touch) == SQLITE_DONE)
        sqlite3_reset(touch)
      }
      return value
    }
  }

  private func bind(_ statement: OpaquePointer?, _ key: UnsafeBufferPointer<UInt8>) {
    key.withMemoryRebound(to: CChar.self) {
      _ = sqlite3_bind_text(statement, 1, $0.baseAddress, Int32($0.count), nil)
    }
  }
}
