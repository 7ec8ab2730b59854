import EvictionCore
import Parameters

/// What a ``DiskCache`` keeps, for how long, and how.
///
///     var options = DiskCacheOptions()
///     options.costLimit = 512 << 20
///     options.timeToLive = .seconds(7 * 86_400)
public struct DiskCacheOptions: Sendable {
  /// How the store below works; its ``StoreOptions/sharing`` says whether other processes may open the
  /// same path.
  public var store = StoreOptions()

  /// The most entries; nil for no limit.
  public var countLimit: Int?
  /// The largest sum of costs, which are bytes unless sets say otherwise; nil for no limit.
  public var costLimit: Int?
  /// How long after it was put an entry is still returned; nil for any time.
  public var ageLimit: Duration?
  /// How long entries live that are set without a time of their own; nil for any time.
  public var timeToLive: Duration?
  /// The bytes that are to stay free on the disk: entries are evicted, and at last refused, for them.
  ///
  /// Pages of the database that nothing is in count as free, since values that leave it make room there: it
  /// shrinks only when it has become empty.
  public var freeSpaceFloor = 0

  /// How often the cache removes by itself what is too old, and looks at the free space; nil for never.
  /// What is too old is never returned, with or without.
  public var trimInterval: Duration? = .seconds(60)

  /// The policy's parameters, as in `protected=0.8`.
  public var parameters: Specification?
  /// The filter that newcomers must pass, such as `tinylfu`; see `AdmissionCatalog`.
  public var admission: Specification?
  /// Where the policy's random draws start from.
  public var seed: UInt64 = 42
  /// Whether reads are written down.
  public var accessRecording = AccessRecording.automatic

  /// The defaults: no limits, and access times written by the thousand.
  public init() { store.touchesPerFlush = 4_096 }

  /// Until when an entry may be returned, in nanoseconds since 1970; nil for ever.
  func deadline(expires: Int64?, created: Int64) -> Int64? {
    guard let ageLimit else { return expires }
    return min(expires ?? .max, WallClock.time(ageLimit, after: created))
  }

  func deadline(of metadata: StoredMetadata) -> Int64? {
    deadline(expires: metadata.expires, created: metadata.created)
  }
}

/// Whether a disk cache writes down that an entry was read, so that a restart knows the order of accesses.
///
/// Access times are gathered and written together, so that a recorded read costs a small part of a write.
public enum AccessRecording: String, CaseIterable, Sendable {
  /// Where the policy makes use of it: not for those that keep the order of insertion, or none.
  case automatic
  /// Always.
  case always
  /// Never: a restart begins with the order in which the entries came.
  case never

  /// Policies that a read moves nothing in: at most it sets a bit or a small count beside the entry.
  private static let unmoved: Set<String> = [
    "car", "clock", "clock-pro", "fifo", "key-length", "lifo", "qd-lp", "random", "s3fifo", "sieve",
  ]

  /// Whether reads are written down for the policy called `policy`.
  func isOn(for policy: String) -> Bool {
    switch self {
    case .automatic: !AccessRecording.unmoved.contains(policy)
    case .always: true
    case .never: false
    }
  }
}
