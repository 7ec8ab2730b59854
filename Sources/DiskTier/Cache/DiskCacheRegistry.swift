import Dispatch
import EvictionCore
import Foundation
import Synchronization

/// The caches that are open in this process, by path: at most one each, held weakly.
///
/// Anyone who opens a path that is just being opened or closed waits for the end of that.
final class DiskCacheRegistry: @unchecked Sendable {
  static let shared = DiskCacheRegistry()

  private struct Place {
    /// Nil while the cache is being opened or closed.
    weak var cache: AnyObject?
  }

  /// Guarded by `condition`.
  private var places: [String: Place] = [:]
  private let condition = NSCondition()

  /// A path that belongs to one cache, from before it is opened until after it is closed.
  final class Reservation: Sendable {
    private let path: String
    private let isClosing = Atomic<Bool>(false)
    private let isOver = Atomic<Bool>(false)

    fileprivate init(path: String) { self.path = path }

    /// The cache is being closed: anyone who opens the path from now on waits for ``end()``.
    func close() {
      if !isClosing.exchange(true, ordering: .relaxed) {
        DiskCacheRegistry.shared.hideCache(at: path)
      }
    }

    /// The cache is closed, or could not be opened.
    func end() {
      if !isOver.exchange(true, ordering: .relaxed) { DiskCacheRegistry.shared.free(path) }
    }
  }

  /// The cache at `path`, or else what `make` opens.
  func cache(
    at path: String, make: (Reservation) throws(DiskCacheError) -> AnyObject
  ) throws(DiskCacheError) -> AnyObject {
    if let cache = openCacheOrPlace(at: path) { return cache }
    let reservation = Reservation(path: path)
    do {
      let cache = try make(reservation)
      condition.withLock { places[path] = Place(cache: cache) }
      condition.broadcast()
      return cache
    } catch {
      reservation.end()
      throw error
    }
  }

  /// Runs `body` while no cache can be opened at `path`; returns nil if one is open there.
  func whileClosed<Result>(
    _ path: String, _ body: () throws(DiskCacheError) -> Result
  ) throws(DiskCacheError) -> Result? {
    if openCacheOrPlace(at: path) != nil { return nil }
    let reservation = Reservation(path: path)
    defer { reservation.end() }
    return try body()
  }

  /// The cache at `path`; nil if the caller is to open it.
  private func openCacheOrPlace(at path: String) -> AnyObject? {
    condition.withLock {
      while let place = places[path] {
        if let cache = place.cache { return cache }
        condition.wait()
      }
      places[path] = Place()
      return nil
    }
  }

  private func hideCache(at path: String) { condition.withLock { places[path] = Place() } }

  private func free(_ path: String) {
    condition.withLock { places[path] = nil }
    condition.broadcast()
  }
}

// MARK: - Opening

extension DiskCache {
  /// Opens the cache in the folder at `path`, making it if there is none; or returns the one that is open
  /// there in this process, if it was opened with the same arguments.
  ///
  /// Threads that open one path at once get one cache.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - countLimit: The most entries; nil for no limit.
  ///   - costLimit: The largest sum of costs, which are bytes unless sets say otherwise; nil for no limit.
  ///   - policy: The policy that decides who leaves, with its parameters.
  ///   - admission: The filter that newcomers must pass; nil, the default, lets the policy decide alone.
  ///   - seed: The start of the policy's random draws and of the hashes of keys; nil for a random one. A fixed
  ///     seed repeats every decision. It must be secret where strangers choose keys.
  ///   - observer: Learns of every operation, except for those that opening does; by default there is none.
  ///   - options: The options beyond its limits.
  ///   - coder: Turns values into bytes and back.
  ///   - events: Tells a task of every entry that leaves, without its value, and of every load; by default there is none.
  ///   - onRemoval: Called with the key of every entry that leaves, and the cause; by default with none. Values are not read
  ///     for it. It is called without a lock once the change is as lasting as ``StoreOptions/durability`` says, on the thread
  ///     that made the change or, if several do, on any of theirs, and may use the cache by the forms that block.
  ///     `RemovalCause.expired` is reported when the row is removed: by a set or a trim, or when a cache is opened.
  ///     `RemovalCause.discarded` stands for a value that was damaged or could not be decoded, one whose key's set
  ///     failed, and one that was lost with its database. A loaded value counts from when it is written. What another
  ///     process removes or replaces on a shared path is not reported, nor is damage there.
  /// - Throws: ``DiskCacheError/openOtherwise(path:difference:)`` if the path is open in this process with
  ///   another type of key or value, another policy, coder, limit, seed, observer, events or option; functions among the
  ///   options are not compared. ``StoreError/inUse(path:)`` if another process has it. An error that names the
  ///   limit or the option if one is out of its range.
  /// - Complexity: O(n) for n entries, whose rows are read, not their values.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public static func open(
    path: String, countLimit: Int? = nil, costLimit: Int? = nil, policy: CachePolicy = .standard,
    admission: CacheAdmission? = nil, seed: UInt64? = nil,
    observer: (any CacheObserver)? = nil, options: DiskCacheOptions = DiskCacheOptions(),
    coder: ValueCoder<Value>, events: CacheEvents<Key, Value>? = nil,
    onRemoval: RemovalCallback? = nil
  ) throws(DiskCacheError) -> DiskCache {
    let limits = DiskCacheLimits(
      count: countLimit, cost: costLimit, policy: policy, admission: admission, seed: seed,
      observer: observer)
    return try open(
      path: path, limits: limits, options: options, coder: coder,
      environment: StoreEnvironment(),
      listeners: DiskCacheListeners(onRemoval: onRemoval, events: events))
  }

  /// Opens the cache in the folder at `path`, as the form that blocks.
  public static func open(
    path: String, countLimit: Int? = nil, costLimit: Int? = nil, policy: CachePolicy = .standard,
    admission: CacheAdmission? = nil, seed: UInt64? = nil,
    observer: (any CacheObserver)? = nil, options: DiskCacheOptions = DiskCacheOptions(),
    coder: ValueCoder<Value>, events: CacheEvents<Key, Value>? = nil,
    onRemoval: RemovalCallback? = nil
  ) async throws(DiskCacheError) -> DiskCache {
    try await inBackground { () throws(DiskCacheError) in
      try open(
        path: path, countLimit: countLimit, costLimit: costLimit, policy: policy,
        admission: admission, seed: seed, observer: observer, options: options, coder: coder,
        events: events, onRemoval: onRemoval)
    }
  }

  /// The path of a folder, by which a process knows the cache in it.
  static func place(_ path: String) throws(DiskCacheError) -> String {
    // It would be the current folder.
    if path.isEmpty { throw .store(.option(name: "path", problem: "must name a folder")) }
    return URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  package static func open(
    path: String, limits: DiskCacheLimits, options: DiskCacheOptions, coder: ValueCoder<Value>,
    environment: StoreEnvironment, listeners: DiskCacheListeners<Key, Value> = DiskCacheListeners()
  ) throws(DiskCacheError) -> DiskCache {
    let path = try place(path)
    let found = try DiskCacheRegistry.shared.cache(at: path) { reservation throws(DiskCacheError) in
      try DiskCache(
        path: path, limits: limits, options: options, coder: coder, environment: environment,
        listeners: listeners, reservation: reservation)
    }
    guard let cache = found as? DiskCache else {
      throw .openOtherwise(path: path, difference: "another type of key or value")
    }
    if let difference = cache.difference(from: limits, options) {
      throw .openOtherwise(path: path, difference: difference)
    }
    if cache.listeners.events !== listeners.events {
      throw .openOtherwise(
        path: path, difference: cache.listeners.events == nil ? "no events" : "events of its own")
    }
    if cache.coder.name != coder.name {
      throw .openOtherwise(path: path, difference: "the coder “\(cache.coder.name)”")
    }
    do { try cache.ensureInPlace() } catch {
      // Another thread has closed it meanwhile: then this one opens it.
      guard case .closed = error else { throw .store(error) }
      return try open(
        path: path, limits: limits, options: options, coder: coder, environment: environment,
        listeners: listeners)
    }
    // Those of the opening: only now may a callback open the path.
    cache.removals.report()
    return cache
  }

  /// Begins anew if the folder is no longer at its path.
  private func ensureInPlace() throws(StoreError) {
    try store.ensureInPlace()
    try writing.withLock { known throws(StoreError) in _ = try forgetLost(&known) }
  }
}

/// Runs what waits for the disk on a thread that may wait.
func inBackground<Result: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
  let outcome: Swift.Result<Result, Failure> = await withCheckedContinuation { waiting in
    DispatchQueue.global().async {
      do throws(Failure) {
        waiting.resume(returning: .success(try body()))
      } catch { waiting.resume(returning: .failure(error)) }
    }
  }
  return try outcome.get()
}
