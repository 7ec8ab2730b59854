import CSQLite
import DiskTier
import FaultVFS
import Foundation
import Synchronization

/// A disk that asks `fault` before each call of a store.
///
///     let disk = FaultyDisk { number, call in number == 7 ? .fail(errno: EIO, sqlite: SQLITE_IOERR) : nil }
///     let store = try HybridStore(path: path, options: options, environment: disk.environment)
package final class FaultyDisk: @unchecked Sendable {
  package typealias Fault = @Sendable (_ number: Int, _ call: DiskCall) -> DiskFault?

  private let name = "fault-\(UInt64.random(in: .min ... .max))"
  private let lock = NSRecursiveLock()
  private var fault: Fault
  private var calls = 0
  private var looked = 0
  /// Paths of open files, by descriptor, and how much was written to each.
  private var files: [Int32: (path: String, offset: Int)] = [:]

  /// - Parameter sharesMemory: Whether processes could share the index of a write-ahead log.
  package init(sharesMemory: Bool = true, _ fault: @escaping Fault = { _, _ in nil }) {
    self.fault = fault
    let code = fault_vfs_register(
      name,
      { context, call in
        let disk = Unmanaged<FaultyDisk>.fromOpaque(context!).takeUnretainedValue()
        return disk.answer(call!.pointee)
      }, Unmanaged.passUnretained(self).toOpaque(), sharesMemory ? 1 : 0)
    precondition(code == SQLITE_OK, "SQLite takes no more file systems")
  }

  deinit { fault_vfs_unregister(name) }

  /// The environment with which a store uses this disk; it keeps the disk.
  package var environment: StoreEnvironment {
    var environment = StoreEnvironment()
    environment.files = FaultyFiles(disk: self)
    environment.vfs = name
    return environment
  }

  /// Counts calls from 0 again, and asks `fault` from now on.
  package func restart(_ fault: @escaping Fault = { _, _ in nil }) {
    lock.withLock {
      (calls, looked) = (0, 0)
      self.fault = fault
    }
  }

  /// The calls since the start or the last restart.
  package var count: Int { lock.withLock { calls } }

  /// The looks at files and folders since then, which no fault is asked for, and which are no calls: the watch makes
  /// them at any time.
  package var looks: Int { lock.withLock { looked } }

  fileprivate func countLook() { lock.withLock { looked += 1 } }

  fileprivate func ask(_ call: DiskCall) -> DiskFault? {
    lock.withLock {
      calls += 1
      return fault(calls - 1, call)
    }
  }

  private func answer(_ call: FaultVFSCall) -> Int32 {
    let path = String(cString: call.path)
    let asked: DiskCall =
      switch call.operation {
      case FaultVFSOpen: .open(path: path, creates: call.count == 1)
      case FaultVFSRead: .read(path: path)
      case FaultVFSWrite:
        .write(
          path: path,
          bytes: [UInt8](UnsafeRawBufferPointer(start: call.bytes, count: Int(call.count))),
          offset: Int(call.offset))
      case FaultVFSTruncate: .truncate(path: path, size: Int(call.count))
      case FaultVFSSync: .sync(path: path)
      case FaultVFSDelete: .remove(path: path, syncsFolder: call.count == 1)
      default: .lock(path: path)
      }
    switch ask(asked) {
    // Only for a read that fails SQLite has the code for what it later calls corruption.
    case .fail(_, SQLITE_IOERR | 33 << 8) where call.operation != FaultVFSRead: return SQLITE_IOERR
    case .fail(_, let code): return code
    default: return SQLITE_OK
    }
  }

  fileprivate func opened(_ file: Int32, _ path: String) {
    lock.withLock { files[file] = (path, 0) }
  }

  fileprivate func path(of file: Int32) -> String { lock.withLock { files[file]?.path ?? "" } }

  fileprivate func offset(of file: Int32, advancedBy count: Int) -> Int {
    lock.withLock {
      let offset = files[file]?.offset ?? 0
      files[file]?.offset += count
      return offset
    }
  }
}

/// The calls for values' files on a ``FaultyDisk``.
private struct FaultyFiles: FileSystem {
  let disk: FaultyDisk
  private let real = SystemFiles()

  init(disk: FaultyDisk) { self.disk = disk }

  /// Returns the result of a call that fails; half an opening counts as no opening.
  private func code(_ call: DiskCall) -> Int32? {
    if case .fail(let code, _) = disk.ask(call) { return -code }
    return nil
  }

  func open(_ path: String, _ flags: Int32, mode: mode_t) -> Int32 {
    if let code = code(.open(path: path, creates: flags & O_CREAT != 0)) { return code }
    let file = real.open(path, flags, mode: mode)
    if file >= 0 { disk.opened(file, path) }
    return file
  }

  func read(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch disk.ask(.read(path: disk.path(of: file))) {
    case .fail(let code, _): return -Int(code)
    case .half:
      return real.read(
        file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<(buffer.count / 2)]))
    case nil: return real.read(file, into: buffer)
    }
  }

  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    let call = DiskCall.write(
      path: disk.path(of: file), bytes: [UInt8](bytes), offset: disk.offset(of: file, advancedBy: 0)
    )
    var count: Int
    switch disk.ask(call) {
    case .fail(let code, _): return -Int(code)
    case .half:
      count = real.write(file, UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]))
    case nil: count = real.write(file, bytes)
    }
    _ = disk.offset(of: file, advancedBy: max(count, 0))
    return count
  }

  // No test turns the power off: a real sync would only cost time.
  func sync(_ file: Int32) -> Int32 { code(.sync(path: disk.path(of: file))) ?? 0 }

  func close(_ file: Int32) { real.close(file) }

  func lock(_ file: Int32, _ operation: Int32) -> Int32 {
    code(.lock(path: disk.path(of: file))) ?? real.lock(file, operation)
  }

  func rename(_ path: String, to newPath: String) -> Int32 {
    code(.rename(path: path, newPath: newPath)) ?? real.rename(path, to: newPath)
  }

  func remove(_ path: String) -> Int32 {
    code(.remove(path: path, syncsFolder: false)) ?? real.remove(path)
  }

  func makeFolder(_ path: String, mode: mode_t) -> Int32 {
    code(.makeFolder(path: path)) ?? real.makeFolder(path, mode: mode)
  }

  func removeFolder(_ path: String) -> Int32 {
    code(.removeFolder(path: path)) ?? real.removeFolder(path)
  }

  func size(_ file: Int32) -> Int {
    code(.read(path: disk.path(of: file))).map(Int.init) ?? real.size(file)
  }

  func modified(_ path: String) -> Int64 {
    code(.look(path: path)).map(Int64.init) ?? real.modified(path)
  }

  func kind(_ path: String) -> FileKind? { real.kind(path) }

  func look(at path: String, _ status: inout FileStatus) -> Int32 {
    disk.countLook()
    return real.look(at: path, &status)
  }

  func look(at file: Int32, _ status: inout FileStatus) -> Int32 { real.look(at: file, &status) }

  func allocate(_ file: Int32, _ size: Int) -> Int32 {
    code(.allocate(path: disk.path(of: file), size: size)) ?? real.allocate(file, size)
  }

  // Asked after the listing, so that a test can change what was listed.
  func list(_ folder: String, into names: inout [String]) -> Int32 {
    let listed = real.list(folder, into: &names)
    return code(.look(path: folder)) ?? listed
  }
}
