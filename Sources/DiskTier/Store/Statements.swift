/// The statements that the store runs again and again.
final class Statements {
  let find: Statement
  let get: Statement
  let describe: Statement
  let extended: Statement
  let insert: Statement
  let overwrite: Statement
  let takeOver: Statement
  let delete: Statement
  let deleteSame: Statement
  let touch: Statement
  let expire: Statement
  let next: Statement
  let accesses: Statement
  let sizes: Statement
  let readState: Statement
  let writeState: Statement
  let addTotals: Statement

  init(_ connection: Connection) throws(StoreError) {
    let described = "key, size, access, insertion, created, expires, cost"
    find = try connection.prepare(
      "find an entry",
      "SELECT key, size, file, insertion, id, length(extended) FROM entry WHERE hash = ?1")
    get = try connection.prepare(
      "read an entry",
      "SELECT \(described), extended, checksum, file, value FROM entry WHERE hash = ?1")
    describe = try connection.prepare(
      "read an entry", "SELECT \(described), length(extended) FROM entry WHERE hash = ?1")
    extended = try connection.prepare(
      "read an entry", "SELECT key, extended FROM entry WHERE hash = ?1")
    insert = try connection.prepare(
      "write an entry",
      """
      INSERT INTO entry
        (hash, size, checksum, file, access, insertion, created, expires, cost, key, extended, value)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """)
    let columns =
      """
      size = ?2, checksum = ?3, file = ?4, access = ?5, insertion = ?6, created = ?7, expires = ?8,
      cost = ?9, key = ?10, extended = ?11, value = ?12
      """
    // A row that keeps its number and length is changed where it is.
    overwrite = try connection.prepare(
      "write an entry", "UPDATE entry SET \(columns) WHERE id = ?1")
    takeOver = try connection.prepare(
      "write an entry", "UPDATE entry SET hash = ?13, \(columns) WHERE id = ?1")
    delete = try connection.prepare("remove an entry", "DELETE FROM entry WHERE id = ?1")
    deleteSame = try connection.prepare(
      "remove a damaged entry",
      "DELETE FROM entry WHERE hash = ?1 AND checksum = ?2 AND created = ?3 AND file IS ?4")
    touch = try connection.prepare(
      "write access times", "UPDATE entry SET access = ?2 WHERE hash = ?1 AND access < ?2")
    expire = try connection.prepare(
      "change an expiration", "UPDATE entry SET expires = ?3 WHERE hash = ?1 AND created = ?2")
    next = try connection.prepare(
      "go through the entries",
      """
      SELECT hash, key, size, checksum, created, file, id FROM entry
        WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3
      """)
    accesses = try connection.prepare("read access times", "SELECT access, hash FROM entry")
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
