import CSQLite
import Foundation

/// An error of a ``HybridStore``.
///
/// No error removes an entry: a corrupt database is set aside whole, and the store starts empty. Until it is
/// closed, an open store goes on reading what the disk still gives. Each case prints as one line: the path,
/// the problem, the remedy.
public enum StoreError: Error, Equatable, Sendable {
  /// Another process held the store for longer than ``StoreOptions/busyTimeout``.
  case busy(path: String, action: String)
  /// The disk, or the user's quota, is full; nothing was changed. Removals have a reserve.
  case full(path: String, action: String)
  /// The system refused or failed; `code` is `errno`'s value.
  case io(path: String, action: String, code: Int32)
  /// SQLite failed, with a result code that stands for none of the other cases.
  case database(path: String, action: String, code: Int32)
  /// The database is corrupt and could not be set aside, since another process uses it.
  case corrupt(path: String, problem: String)
  /// The store is open elsewhere, in a way that excludes this one.
  case inUse(path: String)
  /// The folder or the database at the path belongs to another program, or to another version of this one; it is
  /// left as it is.
  case foreign(path: String, problem: String)
  /// The file system keeps no write-ahead log that processes can share.
  case unshareable(path: String)
  /// The store was closed.
  case closed(path: String)
  /// A key or a value is larger than the store can hold.
  case tooLarge(what: String, bytes: Int, limit: Int)
  /// An option is out of its range.
  case option(name: String, problem: String)
  /// No store can be at the path; `problem` ends with the remedy.
  case path(path: String, problem: String)
  /// Another version of the schema, or another format (``StoreOptions/format``), wrote the store; it is left as it is.
  case incompatible(path: String, problem: String)
}

extension StoreError {
  /// A call of the system that failed with the negative `errno` `code`.
  init(_ code: Int32, _ action: String, _ path: String) {
    self =
      code == -ENOSPC || code == -EDQUOT
      ? .full(path: path, action: action) : .io(path: path, action: action, code: -code)
  }

  /// True if what was being committed may come to light after a crash, though the operation failed.
  var leavesCommitUnknown: Bool {
    switch self {
    case .io, .database: true
    default: false
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The error in one line: what, where, what to do.
  public var description: String {
    switch self {
    case .busy(let path, let action):
      "\(path): cannot \(action): another process keeps it busy; try again or raise busyTimeout"
    case .full(let path, let action):
      "\(path): cannot \(action): no space left; free some space or remove entries"
    case .io(let path, let action, let code):
      "\(path): cannot \(action): \(Self.reason(code)); \(Self.remedy(code))"
    case .database(let path, let action, let code):
      "\(path): cannot \(action): SQLite error \(code), \(String(cString: sqlite3_errstr(code)));"
        + " check the disk and the path"
    case .corrupt(let path, let problem):
      "\(path): \(problem), and other processes use it; close them all and open it again"
    case .inUse(let path):
      "\(path): the store is open elsewhere; close it there, or open it as shared everywhere"
    case .foreign(let path, let problem):
      "\(path): \(problem); choose another folder"
    case .unshareable(let path):
      "\(path): the file system keeps no write-ahead log for several processes;"
        + " open the store as exclusive, or choose a folder on a local disk"
    case .closed(let path):
      "\(path): the store is closed; open it again"
    case .tooLarge(let what, let bytes, let limit):
      "a \(what) of \(bytes) bytes: more than the \(limit) that the store can hold; split it"
    case .option(let name, let problem):
      "\(name): \(problem)"
    case .path(let path, let problem):
      "\(path): \(problem)"
    case .incompatible(let path, let problem):
      "\(path): \(problem); choose another folder, or have the option incompatible begin it anew"
    }
  }

  private static func reason(_ code: Int32) -> String {
    String(cString: strerror(code)).lowercased()
  }

  private static func remedy(_ code: Int32) -> String {
    switch code {
    case EACCES, EPERM: "check its permissions"
    case EROFS: "choose a folder that can be written"
    case EMFILE, ENFILE: "close some files or raise the limit of open files"
    default: "check the disk and the path"
    }
  }
}
