import EvictionCore
import Foundation
import Synchronization

/// The caches that are open in this process, by path: at most one each, held weakly.
///
/// Whoever opens a path that is just being opened or closed waits for the end of that.
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

    /// The cache is being closed: whoever opens the path from now on waits for ``end()``.
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

extension DiskCache where Policy: ~Copyable {
  /// Opens the cache in the folder at `path`, making it if there is none; or returns the one that is open
  /// there in this process, as it was opened: then `options` change nothing.
  ///
  /// Threads that open one path at once get one cache.
  ///
  /// - Throws: ``DiskCacheError/openOtherwise(path:difference:)`` if the path is open in this process with
  ///   another type of value, policy or coder; ``StoreError/inUse(path:)`` if another process has it.
  /// - Complexity: O(n) for n entries, whose rows are read, not their values.
  public static func open(
    path: String, options: DiskCacheOptions = DiskCacheOptions(), coder: ValueCoder<Value>
  ) throws(DiskCacheError) -> DiskCache {
    try open(path: path, options: options, coder: coder, environment: StoreEnvironment())
  }

  package static func open(
    path: String, options: DiskCacheOptions, coder: ValueCoder<Value>,
    environment: StoreEnvironment
  ) throws(DiskCacheError) -> DiskCache {
    let path = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    let found = try DiskCacheRegistry.shared.cache(at: path) { reservation throws(DiskCacheError) in
      try DiskCache(
        path: path, options: options, coder: coder, environment: environment,
        reservation: reservation)
    }
    guard let cache = found as? DiskCache else {
      throw .openOtherwise(path: path, difference: "another type of value or another policy")
    }
    if cache.coder.name != coder.name {
      throw .openOtherwise(path: path, difference: "the coder “\(cache.coder.name)”")
    }
    return cache
  }
}

extension DiskCache where Value: Codable, Policy: ~Copyable {
  /// Opens a cache whose values are stored as JSON; see ``open(path:options:coder:)``.
  public static func open(
    path: String, options: DiskCacheOptions = DiskCacheOptions()
  ) throws(DiskCacheError) -> DiskCache {
    try open(path: path, options: options, coder: .json)
  }
}
