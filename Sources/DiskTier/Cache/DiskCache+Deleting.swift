import EvictionCore

extension DiskCache {
  /// Deletes the cache in the folder at `path`, of whatever types, coder or version, and damaged or not; and then the folder.
  ///
  ///     try DiskCache<String, Page>.delete(at: "/var/cache/pages")
  ///
  /// Only what a cache makes is deleted. Other things that were put into the folder stay, and then the folder stays, too,
  /// as an empty cache. When a deletion fails or the process dies, the rest can be opened as a cache, or deleted again.
  ///
  /// - Returns: False if there was none: nothing is at the path, or an empty folder, which stays.
  /// - Throws: ``StoreError/foreign(path:problem:)`` if the folder has other things in it and is no cache;
  ///   ``StoreError/inUse(path:)`` if the cache is open in this process or another: close it first.
  /// - Complexity: O(n) for n files.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public static func delete(at path: String) throws(DiskCacheError) -> Bool {
    try delete(at: path, environment: StoreEnvironment())
  }

  /// Deletes the cache in the folder at `path`, as the form that blocks.
  @discardableResult
  public static func delete(at path: String) async throws(DiskCacheError) -> Bool {
    try await inBackground { () throws(DiskCacheError) in try delete(at: path) }
  }

  @discardableResult
  package static func delete(
    at path: String, environment: StoreEnvironment
  ) throws(DiskCacheError) -> Bool {
    let path = try place(path)
    let isDeleted = try DiskCacheRegistry.shared.whileClosed(path) { () throws(DiskCacheError) in
      do throws(StoreError) {
        return try HybridStore.delete(at: path, environment: environment)
      } catch { throw .store(error) }
    }
    guard let isDeleted else { throw .store(.inUse(path: path)) }
    return isDeleted
  }

  /// Deletes the cache in the folder at `path`, if there is one, as `delete(at:)` does, and opens an empty one there.
  ///
  /// The arguments, and what it throws, are those of `open` and of `delete(at:)`.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public static func openAnew(
    path: String, countLimit: Int? = nil, costLimit: Int? = nil, policy: CachePolicy = .standard,
    admission: CacheAdmission? = nil, seed: UInt64? = nil,
    observer: (any CacheObserver)? = nil, options: DiskCacheOptions = DiskCacheOptions(),
    coder: ValueCoder<Value>, events: CacheEvents<Key, Value>? = nil,
    onRemoval: RemovalCallback? = nil
  ) throws(DiskCacheError) -> DiskCache {
    try delete(at: path)
    return try open(
      path: path, countLimit: countLimit, costLimit: costLimit, policy: policy,
      admission: admission, seed: seed, observer: observer, options: options, coder: coder,
      events: events, onRemoval: onRemoval)
  }

  /// Deletes the cache in the folder at `path`, if there is one, and opens an empty one, as the form that blocks.
  public static func openAnew(
    path: String, countLimit: Int? = nil, costLimit: Int? = nil, policy: CachePolicy = .standard,
    admission: CacheAdmission? = nil, seed: UInt64? = nil,
    observer: (any CacheObserver)? = nil, options: DiskCacheOptions = DiskCacheOptions(),
    coder: ValueCoder<Value>, events: CacheEvents<Key, Value>? = nil,
    onRemoval: RemovalCallback? = nil
  ) async throws(DiskCacheError) -> DiskCache {
    try await inBackground { () throws(DiskCacheError) in
      try openAnew(
        path: path, countLimit: countLimit, costLimit: costLimit, policy: policy,
        admission: admission, seed: seed, observer: observer, options: options, coder: coder,
        events: events, onRemoval: onRemoval)
    }
  }
}
