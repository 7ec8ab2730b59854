import CSQLite
import Foundation
import Synchronization

/// A disk with room for so many bytes of the files in one folder: what would make them longer fails.
///
///     let limited = LimitedDisk(folder: path, capacity: 1 << 20)
///     let disk = FaultyDisk(limited.fault)
package final class LimitedDisk: Sendable {
  private let folder: String
  private let limit: Mutex<Int>

  package init(folder: String, capacity: Int) {
    self.folder = folder
    limit = Mutex(capacity)
  }

  /// The bytes that all files together may have.
  package var capacity: Int {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }

  /// The bytes that all files have.
  package var used: Int {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.reduce(0) { $0 + (Self.size("\(folder)/\($1)") ?? 0) }
  }

  package var free: Int { max(0, capacity - used) }

  /// Another program takes the rest of the space.
  package func fill() { capacity = used }

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
      return growth > 0 && growth > free ? .fail(errno: ENOSPC, sqlite: SQLITE_FULL) : nil
    }
  }
}
