import EvictionCore
import Parameters

/// The locks of a cache as they are written: one (`mutex`), or one for each shard (`sharded:16:mutex`).
package struct LockChoice: Sendable {
  /// The kind of lock.
  package let lock: any CacheLock.Type
  /// The number of shards that the cache has; nil for a cache in one part.
  package let shards: Int?

  /// The most shards of a cache.
  package static let shardLimit = 4_096

  /// A choice; `shards` is at least 1.
  package init(_ lock: any CacheLock.Type, shards: Int? = nil) {
    precondition((shards ?? 1) > 0, "a cache has at least one shard")
    self.lock = lock
    self.shards = shards
  }

  /// Parses `LOCK` or `sharded:N:LOCK`.
  package init(parsing text: String) throws(LockChoiceError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var shards: Int?
    if parts.count > 1 {
      guard parts.count == 3, parts[0] == "sharded", let count = Int(parts[1]),
        (1...LockChoice.shardLimit).contains(count)
      else { throw .malformed(text) }
      shards = count
    }
    guard let name = parts.last, let lock = LockCatalog.lock(named: name) else {
      throw .unknown(parts.last ?? text)
    }
    self.init(lock, shards: shards)
  }

  /// The choice as it is written: `sharded:16:mutex`.
  package var name: String {
    let name = lock.information.name
    return shards.map { "sharded:\($0):\(name)" } ?? name
  }
}

/// The reason why a text names no lock.
package enum LockChoiceError: Error, Equatable {
  /// The catalog has no lock of that name.
  case unknown(String)
  /// It is neither a name nor `sharded:N:LOCK`.
  case malformed(String)
}

extension LockChoiceError: CustomStringConvertible {
  /// One line: what is wrong and what to do.
  package var description: String {
    switch self {
    case .unknown(let name):
      let known = LockCatalog.all.map { $0.information.name }
      return "no lock is called “\(name)”; \(known.remedy(for: name))"
    case .malformed(let text):
      return "“\(text)” names no lock; give a name or sharded:N:LOCK with 1 to "
        + "\(LockChoice.shardLimit) shards"
    }
  }
}
