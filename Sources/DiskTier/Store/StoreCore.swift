import CSQLite

/// The store without its lock: the manifest, the files' names, totals and access times, for one thread at
/// a time.
final class StoreCore {
  /// An open manifest.
  struct Database {
    let connection: Connection
    let statements: Statements
  }

  let path: String
  let options: StoreOptions
  let environment: StoreEnvironment
  let area: FileArea
  var statistics = StoreStatistics()
  /// The rows' totals; in a shared store the manifest has them.
  var totals = Totals()
  var clock = AccessClock()
  /// The latest access of each entry, by its key's hash, that is not written yet.
  var touches: [Int64: Int64] = [:]
  /// Runs when a database was set aside and its files are left behind.
  var filesWereOrphaned: () -> Void = {}
  private(set) var database: Database?
  private var processes: ProcessLock?
  private var isClosed = false
  /// The files that the open database is in, by name; none while it isn't open.
  var place = Place()
  /// True if a database that is found to be corrupt is set aside.
  var setsAside = true
  /// True if the manifest's own totals are right.
  private var isClean = true
  var pageSize = 4_096
  /// ``StoreOptions/logLimit`` in pages of the database, which may be others than the options ask for.
  var logPageLimit = 1
  var nextCheckpoint = 1
  /// The pages of the log that the reserve is enough for.
  var reservedPages = 1
  /// The number of accesses gathered before they are written, or written again after a failure.
  var touchesToGather: Int

  init(path: String, options: StoreOptions, environment: StoreEnvironment) throws(StoreError) {
    self.path = path
    self.options = options
    self.environment = environment
    area = FileArea(root: path, files: environment.files, options: options)
    touchesToGather = options.touchesPerFlush
    touches.reserveCapacity(options.touchesPerFlush)
    try Connection.check(manifest, vfs: environment.vfs)
    try perform { _ in }
  }

  /// Transactions that have changed the database.
  var commits: Int { database?.connection.commits ?? 0 }

  var isShared: Bool { options.sharing == .shared }

  var manifest: String { path + "/manifest.sqlite" }

  func now() -> Int64 { environment.now() }

  // MARK: Opening

  /// Runs `body` on the database. If that is found to be corrupt, it is set aside, and `body` run again on a
  /// new one.
  func perform<Result>(
    _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try body(try opened())
    } catch {
      if database?.connection.hasFailedReads == true { database = nil }
      guard setsAside, case .corrupt(_, let problem) = error else { throw error }
      try setAside(problem)
      return try body(try opened())
    }
  }

  private func opened() throws(StoreError) -> Database {
    if let database { return database }
    let processes = try held()
    do throws(StoreError) { return try open(processes) } catch {
      switch error {
      case .full: area.releaseReserve()
      case .incompatible where options.incompatible == .beginAnew:
        let isAlone = try processes.whileAlone { () throws(StoreError) in try discardDatabase() }
        if !isAlone { throw error }
      default: throw error
      }
      return try open(processes)
    }
  }

  /// The lock of the store's folder; both are made if they aren't there.
  private func held() throws(StoreError) -> ProcessLock {
    if let processes { return processes }
    if isClosed { throw .closed(path: path) }
    let processes = try area.hold(options) { () throws(StoreError) in
      try area.makeRoot()
      try area.claim()
    }
    try area.mark(processes.holder)
    try area.makeParts()
    self.processes = processes
    if statistics.losses > 0 { filesWereOrphaned() }
    return processes
  }

  private func open(_ processes: ProcessLock) throws(StoreError) -> Database {
    try processes.withWriter("open the database") { () throws(StoreError) in
      try area.makeManifest()
      let connection = try Connection(path: manifest, vfs: environment.vfs, options: options)
      try Schema.prepare(connection, path: manifest, options: options)
      let opened = Database(connection: connection, statements: try Statements(connection))
      try area.syncRoot()
      pageSize = try connection.integer("PRAGMA page_size")
      logPageLimit = max(options.logLimit / (pageSize + 24), 1)
      nextCheckpoint = logPageLimit
      try readState(opened)
      renewReserve()
      rememberPlace()
      database = opened
      return opened
    }
  }

  /// Puts a corrupt database aside with its values' files, so that a new one is begun.
  func setAside(_ problem: String) throws(StoreError) {
    guard let processes else { throw .closed(path: path) }
    database = nil
    let isAlone: Bool
    do throws(StoreError) {
      isAlone = try processes.whileAlone { () throws(StoreError) in
        let folder = try area.setAside(at: now(), keeping: options.setAsidesKept)
        statistics.setAsides += 1
        options.onSetAside?(folder, problem)
      }
    } catch {
      if !processes.isHeld {
        self.processes = nil
        isClosed = true
      }
      throw error
    }
    if !isAlone { throw .corrupt(path: manifest, problem: problem) }
    beginEmpty()
    filesWereOrphaned()
  }

  /// Forgets what was in a database that is no longer there.
  private func beginEmpty() {
    totals = Totals()
    forgetTouches()
    isClean = true
  }

  /// Gives up a database and a lock that are no longer at their path; the next operation makes others.
  func leave() {
    statistics.losses += 1
    closeDatabase()
    processes = nil
    beginEmpty()
  }

  /// Closes the database, and leaves its files as they are.
  private func closeDatabase() {
    database?.connection.leaveFiles()
    database = nil
  }

  /// Begins a new database, which no other process uses, and puts the values' files into the trash.
  func discardDatabase() throws(StoreError) {
    closeDatabase()
    try area.removeDatabase()
    area.releaseReserve()
    beginEmpty()
    do throws(StoreError) { try area.retireData() } catch { filesWereOrphaned() }
  }

  func close() throws(StoreError) {
    leaveIfLost()
    isClosed = true
    guard processes != nil else { return }
    defer {
      database = nil
      if !isShared { area.shrinkReserve(to: smallReserve * pageSize) }
      processes = nil
    }
    if database != nil { try flush() }
  }

  // MARK: Changing

  /// Runs `body`, which changes rows and says what that does to the totals, while no other thread writes.
  ///
  /// - Parameters:
  ///   - isSingle: True if `body` runs only one changing statement, which is a transaction by itself.
  ///   - isRemoval: True if `body` may use the reserve when the disk is full.
  func change<Result>(
    _ database: Database, _ action: String, isSingle: Bool = false, isRemoval: Bool = false,
    _ body: (inout Totals) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try asWriter(action) { () throws(StoreError) in
      try changeAsWriter(database, action, isSingle: isSingle, isRemoval: isRemoval, body)
    }
  }

  /// Runs `body` while no other process writes, or puts the folder of files out of the way.
  func asWriter<Result>(
    _ action: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let processes else { throw .closed(path: path) }
    return try processes.withWriter(action, body)
  }

  /// The same within ``asWriter(_:_:)``, which does not nest.
  func changeAsWriter<Result>(
    _ database: Database, _ action: String, isSingle: Bool = false, isRemoval: Bool = false,
    _ body: (inout Totals) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try commit(database, action, isSingle: isSingle, body)
    } catch {
      guard isRemoval, case .full = error else { throw error }
      copyBackWithReserve(database, renewing: false)
      defer { copyBackWithReserve(database) }
      return try commit(database, action, isSingle: isSingle, body)
    }
  }

  private func commit<Result>(
    _ database: Database, _ action: String, isSingle: Bool,
    _ body: (inout Totals) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var difference = Totals()
    let result: Result
    if isShared {
      result = try database.connection.transaction(action) { () throws(StoreError) in
        let result = try body(&difference)
        if difference != Totals() { try add(difference, in: database) }
        return result
      }
    } else {
      try markUnclean(database)
      result =
        isSingle
        ? try body(&difference)
        : try database.connection.transaction(action) { () throws(StoreError) in
          try body(&difference)
        }
      totals += difference
    }
    checkpointIfDue(database)
    return result
  }

  // MARK: Totals

  /// The totals: of this process, or, where others write too, of the manifest.
  func currentTotals() throws(StoreError) -> Totals {
    try perform { database throws(StoreError) in try totals(in: database) }
  }

  func totals(in database: Database) throws(StoreError) -> Totals {
    guard isShared else { return totals }
    let state = database.statements.readState
    defer { state.reset() }
    _ = try state.step()
    return Totals(count: Int(state.integer(1)), size: Int(state.integer(2)))
  }

  private func readState(_ database: Database) throws(StoreError) {
    let state = database.statements.readState
    defer { state.reset() }
    guard try state.step() else {
      throw .corrupt(path: manifest, problem: "the database lacks its totals")
    }
    isClean = state.integer(0) == 1
    totals = Totals(count: Int(state.integer(1)), size: Int(state.integer(2)))
    clock.observe(state.integer(3))
    state.reset()
    if isClean { return }
    totals = try recount(database)
    if isShared { try writeState(database, isClean: true) }
  }

  /// Counts all rows; learns the latest access.
  func recount(_ database: Database) throws(StoreError) -> Totals {
    let rows = database.statements.sizes
    defer { rows.reset() }
    var counted = Totals()
    while try rows.step() {
      counted += Totals(count: 1, size: Int(rows.integer(0)))
      clock.observe(rows.integer(1))
    }
    return counted
  }

  private func add(_ difference: Totals, in database: Database) throws(StoreError) {
    let statement = database.statements.addTotals
    statement.bind(1, Int64(difference.count))
    statement.bind(2, Int64(difference.size))
    statement.bind(3, clock.last)
    try statement.run()
  }

  func writeState(_ database: Database, isClean: Bool) throws(StoreError) {
    let statement = database.statements.writeState
    statement.bind(1, isClean ? 1 : 0)
    statement.bind(2, Int64(totals.count))
    statement.bind(3, Int64(totals.size))
    statement.bind(4, clock.last)
    try statement.run()
    self.isClean = isClean
  }

  /// Before the first change: from now on the manifest's totals are wrong until the next flush.
  private func markUnclean(_ database: Database) throws(StoreError) {
    if isClean { try writeState(database, isClean: false) }
  }

  /// Writes the totals, unless they are there already.
  func flush() throws(StoreError) {
    try flushTouches()
    try perform { database throws(StoreError) in
      if !isShared && !isClean { try writeState(database, isClean: true) }
    }
  }
}
