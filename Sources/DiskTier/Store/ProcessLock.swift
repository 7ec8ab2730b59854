import Foundation

/// The advisory locks that keep processes apart, on the file `lock` in the store's folder.
///
/// An exclusive store holds it alone for as long as it is open. Shared stores hold it together, and each takes
/// a second file, `writer`, for every write and every copying back of the log: SQLite before 3.51.3 may
/// corrupt a database of which one connection resets the log while another checkpoints it.
final class ProcessLock {
  private let path: String
  private let files: any FileSystem
  /// The open file `lock`.
  let holder: Int32
  /// True if the store's lock is still held.
  private(set) var isHeld = true
  private let writer: Int32
  private let timeout: Double

  init(folder: String, files: any FileSystem, options: StoreOptions) throws(StoreError) {
    path = folder
    self.files = files
    timeout = options.busyTimeout
    let mode = mode_t(options.fileMode)
    let holder = try ProcessLock.open(folder + "/lock", files, mode)
    do throws(StoreError) {
      let operation = options.sharing == .exclusive ? LOCK_EX : LOCK_SH
      try ProcessLock.hold(holder, operation, of: folder, files)
      writer =
        try options.sharing == .shared ? ProcessLock.open(folder + "/writer", files, mode) : -1
    } catch {
      files.close(holder)
      throw error
    }
    self.holder = holder
  }

  deinit {
    files.close(holder)
    if writer >= 0 { files.close(writer) }
  }

  /// True if the lock is the file at its path, which another process may have deleted with the store before this one had
  /// it.
  var isInPlace: Bool {
    var (held, found) = (FileStatus(), FileStatus())
    return files.look(at: holder, &held) == 0 && files.look(at: path + "/lock", &found) == 0
      && held.isSameFile(as: found)
  }

  /// Takes the store's lock, or gives up.
  private static func hold(
    _ file: Int32, _ operation: Int32, of folder: String, _ files: any FileSystem
  ) throws(StoreError) {
    guard try takeSoon(file, operation, named: folder + "/lock", files) else {
      throw .inUse(path: folder)
    }
  }

  /// Takes a lock within a quarter of a second: a process that is being started holds its parent's locks until it
  /// runs its own program. Returns false if another one holds it for longer.
  private static func takeSoon(
    _ file: Int32, _ operation: Int32, named path: String, _ files: any FileSystem
  ) throws(StoreError) -> Bool {
    for attempt in 0..<50 {
      if try take(file, operation, named: path, files) { return true }
      if attempt < 49 { usleep(5_000) }
    }
    return false
  }

  /// Takes a lock without waiting; returns false if another process holds it.
  private static func take(
    _ file: Int32, _ operation: Int32, named path: String, _ files: any FileSystem
  ) throws(StoreError) -> Bool {
    while true {
      switch files.lock(file, operation | LOCK_NB) {
      case 0: return true
      case -EINTR: continue
      case -EWOULDBLOCK: return false
      case let code: throw .io(path: path, action: "take the lock", code: -code)
      }
    }
  }

  private static func open(
    _ path: String, _ files: any FileSystem, _ mode: mode_t
  ) throws(StoreError) -> Int32 {
    var file = files.make(path, mode: mode)
    if file == -EEXIST { file = files.open(path, O_RDWR | O_NOFOLLOW) }
    if file < 0 { throw .io(path: path, action: "open the lock", code: -file) }
    return file
  }

  /// Runs `body` while no other process writes.
  func withWriter<Result>(
    _ action: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard writer >= 0 else { return try body() }
    guard try waitFor(writer, LOCK_EX, named: path + "/writer") else {
      throw .busy(path: path, action: action)
    }
    defer { _ = files.lock(writer, LOCK_UN) }
    return try body()
  }

  /// Takes a lock within the time-out; returns whether it was free in time.
  private func waitFor(
    _ file: Int32, _ operation: Int32, named path: String
  ) throws(StoreError) -> Bool {
    var waited = 0.0
    var pause = 0.0001
    while try !ProcessLock.take(file, operation, named: path, files) {
      if waited >= timeout { return false }
      usleep(UInt32(pause * 1_000_000))
      waited += pause
      pause = min(pause * 2, 0.005)
    }
    return true
  }

  /// Runs `body` if no other process has the store open; returns whether it ran.
  ///
  /// A shared lock that cannot be had again afterwards is lost, and with it the right to use the store.
  func whileAlone(_ body: () throws(StoreError) -> Void) throws(StoreError) -> Bool {
    if writer < 0 {
      try body()
      return true
    }
    let lock = path + "/lock"
    // A conversion gives up what was held, even where it fails.
    isHeld = false
    var failure: StoreError?
    var isAlone = false
    do throws(StoreError) {
      isAlone = try ProcessLock.takeSoon(holder, LOCK_EX, named: lock, files)
      if isAlone { try body() }
    } catch {
      failure = error
    }
    isHeld = try waitFor(holder, LOCK_SH, named: lock)
    if !isHeld { throw .inUse(path: path) }
    if let failure { throw failure }
    return isAlone
  }
}
