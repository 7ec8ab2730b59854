import Foundation

/// What keeps processes apart: advisory locks on the file `lock` in the store's folder.
///
/// An exclusive store holds it alone for as long as it is open. Shared stores hold it together, and each takes
/// a second file, `writer`, for every write and every copying back of the log: SQLite before 3.51.3 may
/// corrupt a database of which one connection resets the log while another checkpoints it.
final class ProcessLock {
  private let path: String
  private let holder: Int32
  private let writer: Int32
  private let timeout: Double

  init(folder: String, options: StoreOptions) throws(StoreError) {
    path = folder
    timeout = options.busyTimeout
    holder = try ProcessLock.open(folder + "/lock")
    let operation = options.sharing == .exclusive ? LOCK_EX : LOCK_SH
    guard ProcessLock.take(holder, operation) else {
      Foundation.close(holder)
      throw .inUse(path: folder)
    }
    guard options.sharing == .shared else {
      writer = -1
      return
    }
    do throws(StoreError) {
      writer = try ProcessLock.open(folder + "/writer")
    } catch {
      Foundation.close(holder)
      throw error
    }
  }

  deinit {
    Foundation.close(holder)
    if writer >= 0 { Foundation.close(writer) }
  }

  /// Takes a lock, or gives up after a quarter of a second: a process that is being started holds its parent's
  /// locks until it runs its own program.
  private static func take(_ file: Int32, _ operation: Int32) -> Bool {
    for attempt in 0..<50 {
      if flock(file, operation | LOCK_NB) == 0 { return true }
      if attempt < 49 { usleep(5_000) }
    }
    return false
  }

  private static func open(_ path: String) throws(StoreError) -> Int32 {
    let file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    if file < 0 { throw .io(path: path, action: "open the lock", code: errno) }
    return file
  }

  /// Runs `body` while no other process writes.
  func withWriter<Result>(
    _ action: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard writer >= 0 else { return try body() }
    var waited = 0.0
    var pause = 0.0001
    while flock(writer, LOCK_EX | LOCK_NB) != 0 {
      if waited >= timeout { throw .busy(path: path, action: action) }
      usleep(UInt32(pause * 1_000_000))
      waited += pause
      pause = min(pause * 2, 0.005)
    }
    defer { _ = flock(writer, LOCK_UN) }
    return try body()
  }

  /// Runs `body` if no other process has the store open; returns whether it ran.
  func whileAlone(_ body: () throws(StoreError) -> Void) throws(StoreError) -> Bool {
    guard flock(holder, LOCK_EX | LOCK_NB) == 0 else {
      // A failed conversion may have given up what was held.
      _ = flock(holder, LOCK_SH)
      return false
    }
    defer { if writer >= 0 { _ = flock(holder, LOCK_SH) } }
    try body()
    return true
  }
}
