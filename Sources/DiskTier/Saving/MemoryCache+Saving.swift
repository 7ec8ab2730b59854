import EvictionCore

extension MemoryCache where Key: DiskKey {
  /// Saves the cache in a file, from which another one goes on: see `SavedCache`.
  ///
  /// The file has the state of one moment. What was there is replaced once the new file is whole.
  ///
  /// - Complexity: O(slots), with the cache's lock held while the entries are gathered; values are converted and written
  ///   after that.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func save(to path: String, coder: ValueCoder<Value>) throws(SavedCacheError) {
    try SavedCache.save([self], to: path, coder: coder, environment: StoreEnvironment())
  }

  /// Saves the cache in a file, as the form that blocks.
  public func save(to path: String, coder: ValueCoder<Value>) async throws(SavedCacheError) {
    try await inBackground { () throws(SavedCacheError) in try self.save(to: path, coder: coder) }
  }

  /// Goes on from a cache that was saved at `path`, or stays empty: see `SavedCache`.
  ///
  /// - Throws: `SavedCacheError`: nothing was saved there, the file is not whole, it is of a cache that was made
  ///   otherwise, or this one has entries already.
  /// - Complexity: O(slots), with the cache's lock held after the file has been read.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func restore(from path: String, coder: ValueCoder<Value>) throws(SavedCacheError) {
    try SavedCache.restore([self], from: path, coder: coder, environment: StoreEnvironment())
  }

  /// Goes on from a cache that was saved at `path`, as the form that blocks.
  public func restore(from path: String, coder: ValueCoder<Value>) async throws(SavedCacheError) {
    try await inBackground { () throws(SavedCacheError) in
      try self.restore(from: path, coder: coder)
    }
  }
}

extension ShardedCache where Key: DiskKey {
  /// Saves the cache in a file, as that of a `MemoryCache` does; of each shard the state of one
  /// moment, one after the other.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func save(to path: String, coder: ValueCoder<Value>) throws(SavedCacheError) {
    try SavedCache.save(parts, to: path, coder: coder, environment: StoreEnvironment())
  }

  /// Saves the cache in a file, as the form that blocks.
  public func save(to path: String, coder: ValueCoder<Value>) async throws(SavedCacheError) {
    try await inBackground { () throws(SavedCacheError) in try self.save(to: path, coder: coder) }
  }

  /// Goes on from a cache that was saved at `path` with as many shards, or stays empty.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func restore(from path: String, coder: ValueCoder<Value>) throws(SavedCacheError) {
    try SavedCache.restore(parts, from: path, coder: coder, environment: StoreEnvironment())
  }

  /// Goes on from a cache that was saved at `path`, as the form that blocks.
  public func restore(from path: String, coder: ValueCoder<Value>) async throws(SavedCacheError) {
    try await inBackground { () throws(SavedCacheError) in
      try self.restore(from: path, coder: coder)
    }
  }
}
