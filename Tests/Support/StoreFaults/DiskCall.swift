/// One call that a store makes to the disk, through SQLite or beside it.
package enum DiskCall: Equatable, Sendable {
  case open(path: String, creates: Bool)
  case read(path: String)
  case write(path: String, bytes: [UInt8], offset: Int)
  case truncate(path: String, size: Int)
  case allocate(path: String, size: Int)
  case sync(path: String)
  case rename(path: String, newPath: String)
  case remove(path: String, syncsFolder: Bool)
  case makeFolder(path: String)
  case removeFolder(path: String)
  case lock(path: String)
  case look(path: String)

  /// The kind of call, for a test that wants only one: `write`.
  package var name: String {
    switch self {
    case .open: "open"
    case .read: "read"
    case .write: "write"
    case .truncate: "truncate"
    case .allocate: "allocate"
    case .sync: "sync"
    case .rename: "rename"
    case .remove: "remove"
    case .makeFolder: "makeFolder"
    case .removeFolder: "removeFolder"
    case .lock: "lock"
    case .look: "look"
    }
  }

  package var path: String {
    switch self {
    case .open(let path, _), .read(let path), .write(let path, _, _), .truncate(let path, _),
      .allocate(let path, _), .sync(let path), .rename(let path, _), .remove(let path, _),
      .makeFolder(let path),
      .removeFolder(let path), .lock(let path), .look(let path):
      path
    }
  }

  /// True if the call goes through SQLite.
  package var isOfManifest: Bool { path.contains("/manifest.sqlite") }
}

/// A fault in place of a call.
package enum DiskFault: Equatable, Sendable {
  /// It fails: with `errno` where files are concerned, with SQLite's code where SQLite asks.
  case fail(errno: Int32, sqlite: Int32)
  /// A write or read of a file does half of what it was asked.
  case half
}
