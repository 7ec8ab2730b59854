import EvictionCore
import Foundation

/// A file that a cache in memory was saved in, so that a service starts with a warm one.
///
///     let path = "/var/lib/pages/warm"
///     let pages = MemoryCache<String, Page>(countLimit: 10_000, seed: SavedCache.seed(at: path))
///     do {
///       try await pages.restore(from: path, coder: .json)
///     } catch { log.info("a cold start: \(error)") }
///     …
///     try await pages.save(to: path, coder: .json)  // before the service ends
///
/// The cache goes on as if it had never stopped: with its entries, what they cost and the time that they have left, the
/// policy's order and all that it has learned, ghosts among it. It has to be made with the same policy, the same kind of
/// limit, as many shards and the same seed, from which the hashes of its keys begin: ``seed(at:)``. The limits may be
/// others. Time goes on while nothing runs: a time to live becomes shorter by it. Statistics begin anew.
///
/// The file is replaced as a whole: after a crash it is the old one or the new. It has a version and a checksum, and what
/// is cut off or damaged is refused before anything of it is used. It holds keys and values as they are, and only its
/// owner may read it. A program that writes to it decides what the cache holds, and can do harm to the process: keep it where
/// only the service writes.
public enum SavedCache {
  /// The seed of the cache that was saved at `path`; nil, for a random one, if there is none.
  public static func seed(at path: String) -> UInt64? {
    guard var file = try? SavedFileReader(path, SystemFiles(), isChecked: false),
      (try? file.number()) == SavedFile.version
    else { return nil }
    return try? file.number()
  }
}

extension SavedCache {
  /// The parts of a cache: itself, or its shards.
  package static func save<Key: DiskKey, Value>(
    _ parts: [MemoryCache<Key, Value>], to path: String, coder: ValueCoder<Value>,
    environment: StoreEnvironment
  ) throws(SavedCacheError) {
    var file = try SavedFileWriter(path, environment.files)
    try file.write(SavedFile.version)
    for (number, part) in parts.enumerated() {
      let snapshot: CacheSnapshot<Key, Value>
      do throws(SnapshotProblem) {
        snapshot = try part.snapshot(isPart: parts.count > 1)
      } catch { throw SavedCacheError(error, path) }
      if number == 0 {
        try file.write(snapshot.form.seed)
        try file.write(coder.name)
        try file.write("\(Key.self)")
        try file.write(Int(environment.now()))
        try file.write(parts.count)
      }
      try file.write(snapshot, coder)
    }
    try file.finish()
  }

  /// Restores the parts of a cache, all of them or none.
  package static func restore<Key: DiskKey, Value>(
    _ parts: [MemoryCache<Key, Value>], from path: String, coder: ValueCoder<Value>,
    environment: StoreEnvironment
  ) throws(SavedCacheError) {
    // First, so that a service learns of it when it starts, and not when it ends.
    for part in parts {
      do throws(SnapshotProblem) { try part.checkHashes(isPart: parts.count > 1) } catch {
        throw SavedCacheError(error, path)
      }
    }
    var file = try SavedFileReader(path, environment.files)
    func check(_ what: String, _ saved: String, _ here: String) throws(SavedCacheError) {
      if saved != here { throw .differs(path: path, what: what, saved: saved, here: here) }
    }
    try check("version", "\(try file.number())", "\(SavedFile.version)")
    let seed = try file.number()
    try check("coder", try file.text(), coder.name)
    try check("keys", try file.text(), "\(Key.self)")
    let elapsed = WallClock.nanoseconds(from: Int64(try file.integer()), to: environment.now())
    try check("shards", "\(try file.count(bytesEach: 1))", "\(parts.count)")
    var snapshots: [CacheSnapshot<Key, Value>] = []
    for part in parts {
      let form = try file.form(seed: seed)
      do throws(SnapshotProblem) { try part.check(form) } catch {
        throw SavedCacheError(error, path)
      }
      snapshots.append(try file.snapshot(form, coder))
    }
    if !file.isAtEnd { throw file.damaged("it is damaged") }
    for (number, snapshot) in snapshots.enumerated() {
      do throws(SnapshotProblem) {
        try parts[number].restore(snapshot, elapsed: elapsed)
      } catch {
        // Those that were restored were empty before; one that was not keeps its entries.
        for part in parts.prefix(number) { part.removeAll() }
        throw SavedCacheError(error, path)
      }
    }
  }
}

extension SavedCacheError {
  init(_ problem: SnapshotProblem, _ path: String) {
    self =
      switch problem {
      case .policyRefuses(let policy): .policyRefuses(policy: policy)
      case .hashesChange: .hashesChange
      case .differs(let what, let saved, let here):
        .differs(path: path, what: what, saved: saved, here: here)
      case .isNotEmpty: .isNotEmpty(path: path)
      case .isDamaged: .damaged(path: path, problem: "it is of another version of the policy")
      }
  }
}
