import Foundation
import Runner
import Traces

/// A folder for temporary files of this run, removed with its owner; one that a killed run left is removed by
/// the next run beside it.
///
/// A file in it is locked for as long as the run lives, so that folders in use are told from those left. A
/// folder gets its name once the file is locked.
package final class ScratchFolder: Sendable {
  /// The folder.
  package let path: String
  private let lock: Int32

  private static let lockName = ".in-use"

  /// Makes a folder, after removing those that killed runs left.
  ///
  /// - Parameters:
  ///   - parent: The folder in which it is made, which is made as well.
  ///   - kind: The start of its name; folders of other names are never touched.
  /// - Throws: `io` when it cannot be made.
  package init(in parent: String, kind: String) throws(TraceError) {
    path = "\(parent)/\(kind)-\(UUID().uuidString)"
    ScratchFolder.removeLeft(in: parent, kind: kind)
    let unnamed = "\(parent)/.\(kind)-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: unnamed, withIntermediateDirectories: true)
    } catch {
      throw .io(file: parent, action: "make a folder in", byte: 0, code: errno)
    }
    lock = open("\(unnamed)/\(ScratchFolder.lockName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(unnamed, path) == 0 else {
      let code = errno
      try? FileManager.default.removeItem(atPath: unnamed)
      throw .io(file: path, action: "make", byte: 0, code: code)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
  }

  /// Removes the folders that killed runs left.
  package static func removeLeft(in parent: String, kind: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(kind + "-") {
      let folder = "\(parent)/\(name)"
      let lock = open("\(folder)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      if lock < 0 { continue }
      defer { close(lock) }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: folder) }
    }
  }
}
