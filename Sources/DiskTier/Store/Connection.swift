import CSQLite
import Foundation

/// One connection to a database, as the store needs it: WAL, its own checkpoints, statements kept.
///
/// It belongs to the holder of the store's lock.
final class Connection {
  let handle: OpaquePointer
  private let path: String
  private var statements: [Statement] = []
  /// The statements that begin and end a transaction.
  private var brackets: (begin: Statement, commit: Statement)?
  /// The pages in the write-ahead log after the latest commit.
  private(set) var logPages = 0
  /// Transactions that have changed something.
  private(set) var commits = 0
  /// True if a read has failed: SQLite's files remember that, and another connection does not.
  private(set) var hasFailedReads = false

  /// Refuses a database's path that is too long for SQLite.
  static func check(_ path: String, vfs: String?) throws(StoreError) {
    guard let files = sqlite3_vfs_find(vfs) else { return }
    // SQLite follows links, and adds a suffix of up to 8 bytes.
    var known = path as NSString
    var rest: [String] = []
    var resolved: String?
    while resolved == nil && known.length > 0 && known != "/" {
      rest.insert(known.lastPathComponent, at: 0)
      known = known.deletingLastPathComponent as NSString
      let start = realpath(known.length == 0 ? "." : known as String, nil)
      resolved = start.map { String(cString: $0) }
      free(start)
    }
    let folder = ([resolved ?? ""] + rest.dropLast()).joined(separator: "/")
    let limit = Int(files.pointee.mxPathname) - 8 - rest.last!.utf8.count - 1
    if folder.utf8.count > limit {
      throw .path(
        path: folder,
        problem:
          "the path has \(folder.utf8.count) bytes, more than the \(limit) that SQLite opens;"
          + " choose a shorter one")
    }
  }

  /// Opens the file and, if it is empty, nothing more: ``Schema`` makes the tables.
  init(path: String, vfs: String?, options: StoreOptions) throws(StoreError) {
    self.path = path
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, vfs)
    guard let opened = handle else {
      throw .database(path: path, action: "open the database", code: code)
    }
    self.handle = opened
    if code != SQLITE_OK { throw error(code, "open the database") }
    // SQLite goes on without the permission to write, and fails later.
    if sqlite3_db_readonly(opened, "main") == 1 {
      let reason = access(path, W_OK) == 0 ? EACCES : errno
      throw .io(path: path, action: "open the database for writing", code: reason)
    }
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, Int32(options.busyTimeout * 1_000))
    // With a single process the index of the log needs no shared memory and no system calls.
    if options.sharing == .exclusive { try execute("PRAGMA locking_mode = EXCLUSIVE") }
  }

  deinit {
    for statement in statements { statement.finalize() }
    sqlite3_close_v2(handle)
  }

  /// Settings that would change a file which is not ours, and so come after it was looked at.
  func configure(_ options: StoreOptions) throws(StoreError) {
    try execute(
      """
      PRAGMA page_size = \(options.pageSize);
      PRAGMA synchronous = \(options.durability.synchronous);
      """)
    let journal = try texts("PRAGMA journal_mode = WAL", "set up the database")
    if journal != ["wal"] { throw .unshareable(path: path) }
    try execute(
      """
      PRAGMA journal_size_limit = \(options.logLimit);
      PRAGMA secure_delete = OFF;
      PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = \(-max(options.pageCache / 1024, 1));
      PRAGMA mmap_size = \(options.mappedBytes);
      """)
    // The hook takes the place of SQLite's automatic checkpoints.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        let connection = Unmanaged<Connection>.fromOpaque(context!).takeUnretainedValue()
        connection.logPages = Int(pages)
        connection.commits += 1
        return SQLITE_OK
      }, context)
  }

  /// The database's files are to be left as they are when the connection ends.
  func leaveFiles() {
    // SQLite would copy the log back, and delete what is now at the log's path.
    _ = sqlite_leave_files(handle)
  }

  /// Prepares a statement, which lives as long as the connection.
  func prepare(_ action: String, _ text: String) throws(StoreError) -> Statement {
    let statement = try Statement(self, action, text)
    statements.append(statement)
    return statement
  }

  /// Runs statements that are needed once.
  func execute(_ text: String, _ action: String = "set up the database") throws(StoreError) {
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    if code != SQLITE_OK { throw error(code, action) }
  }

  /// The rows of a query that is needed once, first column, as text.
  func texts(_ query: String, _ action: String = "look at the database") throws(StoreError)
    -> [String]
  {
    let statement = try Statement(self, action, query)
    defer { statement.finalize() }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.string(0)) }
    return texts
  }

  /// The number that a query returns; 0 if it returns none.
  func integer(_ query: String) throws(StoreError) -> Int {
    try texts(query).first.flatMap(Int.init) ?? 0
  }

  /// Runs `body` in a transaction, which is undone if it throws.
  func transaction<Result>(
    _ action: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let (begin, commit) = try preparedBrackets()
    try begin.run(action)
    do throws(StoreError) {
      let result = try body()
      try commit.run(action)
      return result
    } catch {
      // SQLite may have rolled back by itself; then this fails, and there is nothing to undo.
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  private func preparedBrackets() throws(StoreError) -> (begin: Statement, commit: Statement) {
    if let brackets { return brackets }
    let prepared = (
      begin: try prepare("begin a transaction", "BEGIN IMMEDIATE"),
      commit: try prepare("end a transaction", "COMMIT")
    )
    brackets = prepared
    return prepared
  }

  /// The ways to copy the write-ahead log back.
  enum Checkpoint {
    /// As far as other processes' reads allow.
    case passive
    /// After other processes' reads.
    case waiting
    /// After them, too, and the log's space is given back.
    case truncating
  }

  /// Copies the write-ahead log back into the database; returns whether all of it was copied, so that
  /// the next commit starts the log anew.
  @discardableResult
  func checkpoint(_ kind: Checkpoint) throws(StoreError) -> Bool {
    var pages: Int32 = 0
    var copied: Int32 = 0
    let mode =
      switch kind {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .waiting: SQLITE_CHECKPOINT_RESTART
      case .truncating: SQLITE_CHECKPOINT_TRUNCATE
      }
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &copied)
    if code & 0xFF == SQLITE_BUSY { return false }
    if code != SQLITE_OK { throw error(code, "copy back the write-ahead log") }
    if pages == copied { logPages = 0 }
    return pages == copied
  }

  /// The system's error number, if reading the database or its log fails now or has failed.
  ///
  /// SQLite calls such a failure corruption (`SQLITE_IOERR_CORRUPTFS`), as if it had read something wrong.
  ///
  /// - Complexity: It reads both files, through SQLite: to open and close them here would end SQLite's locks.
  func readError() -> Int32? {
    let code = [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER].lazy
      .compactMap { self.readError(ofFile: $0) }.first
    if code != nil { hasFailedReads = true }
    return code
  }

  private func readError(ofFile which: Int32) -> Int32? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", which, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods?.pointee
    else { return nil }
    func latestError() -> Int32? {
      var code: Int32 = 0
      _ = methods.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code)
      return code == 0 ? nil : code
    }
    if let code = latestError() { return code }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let code = methods.xRead(file, buffer.baseAddress, Int32(buffer.count), offset)
      if code != SQLITE_OK {
        let isAtEnd = code == SQLITE_IOERR | 2 << 8
        return isAtEnd || code & 0xFF != SQLITE_IOERR ? nil : latestError() ?? EIO
      }
      offset += Int64(buffer.count)
    }
  }

  /// Returns the error that a result code means to the store's user.
  func error(_ code: Int32, _ action: String) -> StoreError {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy(path: path, action: action)
    case SQLITE_FULL: return .full(path: path, action: action)
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      let problem = String(cString: sqlite3_errmsg(handle))
      return readError().map { .io(path: path, action: action, code: $0) }
        ?? .corrupt(path: path, problem: problem)
    default:
      let system = sqlite3_system_errno(handle)
      if system == 0 || code & 0xFF == SQLITE_ERROR {
        return .database(path: path, action: action, code: code)
      }
      return [ENOSPC, EDQUOT].contains(system)
        ? .full(path: path, action: action) : .io(path: path, action: action, code: system)
    }
  }
}

extension Durability {
  /// The name of SQLite's setting.
  var synchronous: String {
    switch self {
    case .none: "OFF"
    case .processCrash: "NORMAL"
    case .powerLoss: "FULL"
    }
  }
}
