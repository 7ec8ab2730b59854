import CSQLite
import Foundation
import Synchronization

/// A disk with room for so many bytes of the files in one folder: what would make them longer fails.
///
///     let limited = LimitedDisk(folder: path, capacity: 1 << 20)
///     let disk = FaultyDisk(limited.fault)
package final class LimitedDisk: Sendable {
  private struct Space {
    var capacity: Int
    /// No fewer bytes than all files have: what they have grown by since they were last looked at, and had then.
    var used = 0
  }

  private let folder: String
  private let space: Mutex<Space>

  package init(folder: String, capacity: Int) {
    self.folder = folder
    space = Mutex(Space(capacity: capacity, used: Self.used(in: folder)))
  }

  /// The bytes that all files together may have.
  package var capacity: Int {
    get { space.withLock { $0.capacity } }
    set { space.withLock { $0.capacity = newValue } }
  }

  /// The bytes that all files have.
  package var used: Int { Self.used(in: folder) }

  private static func used(in folder: String) -> Int {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.reduce(0) { $0 + (size("\(folder)/\($1)") ?? 0) }
  }

  package var free: Int { max(0, capacity - used) }

  /// Another program takes the rest of the space.
  package func fill() { capacity = used }

  /// Whether files may grow by so many bytes. Where it is in doubt, all are looked at.
  private func takes(_ growth: Int) -> Bool {
    space.withLock {
      if $0.used + growth > $0.capacity { $0.used = used }
      guard $0.used + growth <= $0.capacity else { return false }
      $0.used += growth
      return true
    }
  }

  private static func size(_ path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  package var fault: FaultyDisk.Fault {
    { [self] _, call in
      let length: Int
      switch call {
      case .write(_, let bytes, let offset): length = offset + bytes.count
      case .allocate(_, let size): length = size
      default: return nil
      }
      let growth = length - (Self.size(call.path) ?? 0)
      return growth <= 0 || takes(growth) ? nil : .fail(errno: ENOSPC, sqlite: SQLITE_FULL)
    }
  }
}
