/// The write-ahead log: copying it back, the reserve that this can always take, and the space of both.
extension StoreCore {
  /// Copies the log back when it has grown to its limit; a failure is counted and tried again later.
  func checkpointIfDue(_ database: Database) {
    let pages = database.connection.logPages
    if pages < min(nextCheckpoint, reservedPages) { return }
    if pages < nextCheckpoint {
      // The database can grow by every page of the log.
      reservedPages = 2 * pages
      if !area.reserve(reservedPages * pageSize) { copyBackWithReserve(database) }
      return
    }
    // Readers of other processes can keep the log from starting anew: then wait until they are through.
    checkpoint(database, isShared && pages >= 2 * logPageLimit ? .waiting : .passive)
  }

  func checkpoint(_ database: Database, _ kind: Connection.Checkpoint) {
    let pages = database.connection.logPages
    let isComplete: Bool
    do throws(StoreError) {
      isComplete = try database.connection.checkpoint(kind)
      statistics.checkpoints += 1
    } catch {
      isComplete = false
      statistics.failedCheckpoints += 1
    }
    nextCheckpoint = isComplete ? logPageLimit : pages + max(logPageLimit / 4, 1)
    // Asked again as the log grows: another process may have used the reserve.
    reservedPages = isComplete ? smallReserve : min(nextCheckpoint, max(smallReserve, pages + 1))
  }

  /// Begins a new database in place of one that has become empty, or shrinks it if other processes may use it;
  /// where that fails, its pages are used again.
  func giveSpaceBack() throws(StoreError) {
    try perform { database throws(StoreError) in
      if try totals(in: database) != Totals() { return }
      if logSize <= smallReserve * pageSize, try unusedPages(database) == 0 { return }
      if !isShared { return try discardDatabase() }
      try asWriter("give space back") { () throws(StoreError) in
        copyBackWithReserve(database, renewing: false)
        defer { copyBackWithReserve(database) }
        try database.connection.execute("VACUUM", "give space back")
      }
    }
    try perform { _ in }
  }

  /// Copies the log back and cuts it off, if it is longer than a small part of its limit; returns the bytes that
  /// it still has on the disk.
  func shrinkLog() throws(StoreError) -> Int {
    try perform { database throws(StoreError) in
      if logSize <= smallReserve * pageSize { return logSize }
      try asWriter("copy back the write-ahead log") { () throws(StoreError) in
        copyBackWithReserve(database)
      }
      return logSize
    }
  }

  /// The bytes that the log has on the disk.
  private var logSize: Int {
    var status = FileStatus()
    return environment.files.look(at: manifest + "-wal", &status) == 0 ? status.size : 0
  }

  /// The bytes of pages that nothing is in.
  func unusedSize() throws(StoreError) -> Int {
    try perform { database throws(StoreError) in try unusedPages(database) * pageSize }
  }

  func unusedPages(_ database: Database) throws(StoreError) -> Int {
    try database.connection.integer("PRAGMA freelist_count")
  }

  /// Copies the log back, for which the reserve is enough, and cuts it off, so that there is space for a new
  /// reserve.
  func copyBackWithReserve(_ database: Database, renewing: Bool = true) {
    area.releaseReserve()
    checkpoint(database, .truncating)
    if renewing { renewReserve(logPages: database.connection.logPages) }
  }

  /// Makes the reserve of a log that is empty, or could not be copied back and is not tried again at once.
  func renewReserve(logPages: Int = 0) {
    reservedPages = max(smallReserve, 2 * logPages)
    if !area.reserve(reservedPages * pageSize) { area.reserve(smallReserve * pageSize) }
  }

  /// The pages of the smallest reserve: those that the removal of a few entries writes, several times over.
  var smallReserve: Int { 64 }
}
