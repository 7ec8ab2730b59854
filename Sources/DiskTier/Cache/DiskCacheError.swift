import EvictionCore

/// The reason why a ``DiskCache`` could not do an operation. Every case prints as one line.
public enum DiskCacheError: Error, Equatable, Sendable {
  /// The store failed.
  case store(StoreError)
  /// The policy cannot run with these limits or parameters.
  case policy(PolicyError)
  /// The value of a key could not be encoded.
  case encoding(key: String, problem: String)
  /// A value was to expire when it is not used.
  case timeToIdle(key: String)
  /// The path is open in this process in another way.
  case openOtherwise(path: String, difference: String)
  /// The request cannot be met where several processes share the path.
  case shared(path: String, problem: String)
}

extension DiskCacheError: CustomStringConvertible {
  /// The error in one line: what, where, what to do.
  public var description: String {
    switch self {
    case .store(let error): "\(error)"
    case .policy(let error): "\(error)"
    case .encoding(let key, let problem):
      "the value of “\(key)” cannot be encoded: \(problem); correct the value or its coder"
    case .timeToIdle(let key):
      "the value of “\(key)” has a time to idle, which a disk does not keep; give it a time to live"
    case .openOtherwise(let path, let difference):
      "\(path): already open with \(difference); open it alike, or close it first"
    case .shared(let path, let problem):
      "\(path): shared by several processes, \(problem); or open it as exclusive"
    }
  }
}
