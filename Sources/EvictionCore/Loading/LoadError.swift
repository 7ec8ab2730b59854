/// The reason why a caller of a load does not wait for it. Every case prints as one line.
public enum LoadError: Error, Equatable, Sendable {
  /// Another caller's load of the key did not end within the limit. `blocksThread` is true if this caller
  /// blocked its thread meanwhile, and the load is a task, which may have found no thread to run on.
  case waitedTooLong(key: String, limit: Duration, blocksThread: Bool)
  /// Loads want each other's keys: each of these keys' loads waits for that of the next. The first is the last
  /// as well.
  case circle(keys: [String])
}

extension LoadError: CustomStringConvertible {
  /// The error in one line: what, where, what to do.
  public var description: String {
    switch self {
    case .waitedTooLong(let key, let limit, let blocksThread):
      "“\(key)” is being loaded by another caller, and was not there after \(limit); "
        + (blocksThread
          ? "await the value instead of blocking a thread that the load's task may need"
          : "see that its load does not wait for itself")
        + ", or raise loadWaitLimit"
    case .circle(let keys):
      "loads wait for each other: \(keys.map { "“\($0)”" }.joined(separator: " → ")); "
        + "load one of these keys without the cache"
    }
  }
}
