import EvictionCore

/// The options of a ``DiskCache`` beyond its limits, and those of its store.
///
///     var options = DiskCacheOptions()
///     options.expiration = .after(.seconds(7 * 86_400))
///     options.freeSpaceFloor = 1 << 30
public struct DiskCacheOptions: Sendable {
  /// The bytes that an entry costs besides its value, key and extended data: the other columns, its part of
  /// the index, and free space in its page. Measured are 83 to 118 where entries are small.
  public static let rowOverhead = 128

  /// The options of the store; its ``StoreOptions/sharing`` says whether other processes may open the same
  /// path.
  public var store = StoreOptions()

  /// The largest age at which an entry is still returned; nil for any.
  ///
  /// If the clock was ahead when an entry was put, the entry's age is unknown once the clock is right: opening
  /// removes it if it has an age limit or a time to live, and so does a read on a shared path. An entry that was
  /// put since the cache was opened keeps its time, whatever happens to the clock, unless the path is shared.
  public var ageLimit: Duration?
  /// The expiration of entries that are set without one of their own: a time to live, as a disk keeps no time
  /// to idle.
  ///
  /// Nor does it keep the time after which loads renew an entry (`Expiration.refreshAfter`): a load that gives no
  /// expiration takes this one's, and compares it with the age of the row.
  public var expiration = Expiration.never
  /// The bytes that are to stay free on the disk: entries are evicted, and at last refused, for them.
  ///
  /// Pages of the database that nothing is in count as free, since values that leave it make room there: it
  /// shrinks only when it has become empty. The write-ahead log is cut to 256 KiB before anything is evicted.
  public var freeSpaceFloor = 0

  /// The interval at which the cache removes old entries by itself, and looks at the free space; nil for never.
  /// What is too old is never returned, with or without. All caches on disk of the process have four threads
  /// for it, and for writing back, and take turns.
  public var trimInterval: Duration? = .seconds(60)

  /// The bytes of loaded values that may wait to be written, about; beyond them a load returns its value only when
  /// that is written. 0 has every load wait for its write.
  public var loadBacklog = 16 << 20

  /// Called with a key, as text, and the error when a value was not written after the operation that brought it
  /// had returned: one that was loaded, or one that a ``TieredCache`` wrote back. It may use the cache.
  public var onFailedWrite: (@Sendable (_ key: String, _ error: DiskCacheError) -> Void)?

  /// The time that a caller waits for a value that another one is loading; nil for no limit. Then it throws
  /// `LoadError`; the load goes on for the others.
  public var loadWaitLimit: Duration? = .seconds(60)

  /// True if reads are written down.
  public var accessRecording = AccessRecording.automatic

  /// The defaults: everything is kept, and access times written by the thousand.
  public init() { store.touchesPerFlush = 4_096 }

  /// Throws if an option of the cache is out of its range; the store looks at its own.
  func check() throws(StoreError) {
    if let trimInterval, trimInterval <= .zero {
      throw .option(name: "trimInterval", problem: "must be more than 0 seconds, or nil for never")
    }
    for (name, bytes) in [("freeSpaceFloor", freeSpaceFloor), ("loadBacklog", loadBacklog)]
    where bytes < 0 {
      throw .option(name: name, problem: "must be 0 or more bytes; is \(bytes)")
    }
    let found = Expiration.problem(expiration, ageLimit: ageLimit, loadWaitLimit: loadWaitLimit)
    if let found { throw .option(name: found.name, problem: found.problem) }
  }

  /// Until when an entry may be returned, in nanoseconds since 1970; nil for ever.
  func deadline(expires: Int64?, created: Int64) -> Int64? {
    guard let ageLimit else { return expires }
    return min(expires ?? .max, WallClock.time(ageLimit, after: created))
  }

  func deadline(of metadata: StoredMetadata) -> Int64? {
    deadline(expires: metadata.expires, created: metadata.created)
  }
}

/// True if a disk cache writes down that an entry was read, so that a restart knows the order of accesses.
///
/// Access times are gathered and written together, so that a recorded read costs a small part of a write.
public enum AccessRecording: String, CaseIterable, Sendable {
  /// For policies whose hits reorder (`PolicyInformation.hitsReorder`): the others want the order of
  /// insertion back, or none.
  case automatic
  /// Always, whatever the policy.
  case always
  /// Never: a restart begins with the order in which the entries came.
  case never

  /// Returns true if reads are written down for `policy`.
  func isOn(for policy: PolicyInformation) -> Bool {
    switch self {
    case .automatic: policy.hitsReorder
    case .always: true
    case .never: false
    }
  }
}
