/// The reason why a cache in memory could not be saved or restored. Every case prints as one line.
public enum SavedCacheError: Error, Equatable, Sendable {
  /// The file could not be read or written: ``StoreError/io(path:action:code:)`` or ``StoreError/full(path:action:)``.
  case file(StoreError)
  /// Nothing is at the path.
  case absent(path: String)
  /// The file is no saved cache, or not whole: nothing of it was used.
  case damaged(path: String, problem: String)
  /// Another version of this package wrote the file, or a cache of another kind.
  case differs(path: String, what: String, saved: String, here: String)
  /// The cache that is to be restored has entries already.
  case isNotEmpty(path: String)
  /// The policy, which is none of the catalog, passes on no state.
  case policyRefuses(policy: String)
  /// The keys' hashes are others in each process, and what is saved depends on them.
  case hashesChange
  /// A value cannot be encoded, or not decoded.
  case coding(path: String, key: String, problem: String)
}

extension SavedCacheError: CustomStringConvertible {
  /// The error in one line: what, where, what to do.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .absent(let path): "\(path): no cache was saved there; start with an empty one"
    case .damaged(let path, let problem):
      "\(path): \(problem); delete it, and start with an empty cache"
    case .differs(let path, let what, let saved, let here):
      "\(path): saved with \(what) \(saved), not \(here); \(SavedCacheError.remedy(what))"
    case .isNotEmpty(let path):
      "\(path): the cache has entries already; restore it before it is used"
    case .policyRefuses(let policy):
      "\(policy) passes on no state, so that its cache cannot be saved; give it a visitState(_:)"
    case .hashesChange:
      "the keys' hashes are others in each process; let their type conform to StablyHashable"
    case .coding(let path, let key, let problem):
      "\(path): the value of “\(key)” cannot be converted: \(problem); correct the value or its coder"
    }
  }

  private static func remedy(_ what: String) -> String {
    what == "seed"
      ? "make the cache with seed: SavedCache.seed(at:)"
      : "make the cache alike, or start with an empty one"
  }
}
