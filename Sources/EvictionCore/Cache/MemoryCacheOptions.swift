/// The options of a ``MemoryCache`` beyond its two limits. Nothing, by default; what is not used costs nothing.
///
///     var options = MemoryCacheOptions()
///     options.expiration = .after(.seconds(600))
///     options.trimInterval = .seconds(5)
///     let cache = MemoryCache<Int, String>(countLimit: 1_000, options: options)
public struct MemoryCacheOptions: Sendable {
  /// The moment at which the policy learns of gets. With an observer, which must see every operation in its
  /// order, the cache reads strictly.
  public var reads = CacheReads.strict

  /// The lifetime of entries that are set without an expiration of their own; one of 0 seconds has them refused. A
  /// negative time to live is an error, and so is a time after which loads renew that is not before the end.
  public var expiration = Expiration.never
  /// An entry whose age reaches the limit has expired; nil for no limit.
  public var ageLimit: Duration?
  /// The moment from which ages count.
  public var ageReference = AgeReference.lastUse
  /// True if ages are kept from the start though there is no age limit, for `trim(toAge:)`.
  public var tracksAges = false

  /// True if a policy that learns trains on a thread of its own, so that no operation waits for a training; its hits then
  /// depend on the clock. Of the policies of the trait `Learned`; see ``PolicyConfiguration/trainsBesideRequests``.
  public var trainsBesideRequests = false

  /// The ratio of the cost limit that one entry may cost, from 0 to 1: a set that costs more is refused.
  public var entryRatio = 1.0
  /// The ratio of a limit, from 0 to 1, down to which the cache is purged when it would go over it.
  public var lowWaterMark = 1.0

  /// The interval at which the cache removes expired and discarded entries by itself, in the background; nil
  /// for never, as operations do so too. The timer does not keep the cache alive.
  ///
  /// All caches of the process, and all shards, have four threads for it, and take turns. A callback that takes
  /// long, or a value's `deinit`, keeps one of them meanwhile, and delays the others only if four do so at once.
  /// A turn that comes before the last one is over is left out.
  public var trimInterval: Duration?
  /// The response to scarce memory.
  public var memoryPressure = PressureResponse.nothing
  /// The response when the app goes to the background.
  public var background = PressureResponse.nothing
  /// The source of both kinds of events.
  public var events = SystemEvents.shared

  /// The time that a caller waits for a value that another one is loading; nil for no limit. Then it throws
  /// ``LoadError``; the load goes on for the others.
  public var loadWaitLimit: Duration? = .seconds(60)

  /// The place where values that leave are released: the thread whose operation they left in, or another one.
  public var release = ValueRelease.caller
  /// The clock of expirations and ages.
  public var clock = CacheClock.coarse

  /// True if ghosts that the policy leaves unbounded stay so, as in a simulation; otherwise they are bounded
  /// at twice the capacity.
  package var hasExactHistory = false

  /// The defaults.
  public init() {}

  /// Throws if an option is out of its range.
  func check() throws(PolicyError) {
    let ratios = [
      ("entryRatio", entryRatio), ("lowWaterMark", lowWaterMark),
      ("memoryPressure", memoryPressure.ratio), ("background", background.ratio),
    ]
    for (name, ratio) in ratios where !(0...1).contains(ratio) {
      throw .option(name: name, problem: "must be a ratio from 0 to 1; is \(ratio)")
    }
    if let trimInterval, trimInterval <= .zero {
      throw .option(name: "trimInterval", problem: "must be more than 0 seconds, or nil for never")
    }
    let found = Expiration.problem(expiration, ageLimit: ageLimit, loadWaitLimit: loadWaitLimit)
    if let found { throw .option(name: found.name, problem: found.problem) }
  }
}

/// The response of a cache when the system asks for memory.
public enum PressureResponse: Sendable, Equatable {
  /// The cache keeps every entry.
  case nothing
  /// Evicts, by its policy, until this ratio of its count and of its cost is left; from 0 to 1. The room
  /// for entries stays.
  case trim(to: Double)
  /// Removes everything, and gives the room for entries back.
  case removeAll

  /// The ratio that is left.
  var ratio: Double {
    switch self {
    case .nothing: 1
    case .trim(let ratio): ratio
    case .removeAll: 0
    }
  }
}

/// The place where values that left a cache are released; always without its lock. What a cache still holds
/// when it is released itself goes with it, there and then.
public enum ValueRelease: Sendable {
  /// On the thread of the operation, before it returns.
  case caller
  /// On a queue of low priority, soon after.
  case background
  /// On the main queue, for values that must be released there.
  case main
}

/// The moment at which the policy of a cache learns of a get that found its key.
public enum CacheReads: String, Sendable, CaseIterable {
  /// At once, with the lock held alone: gets wait for each other.
  case strict
  /// A little later, many at a time: a get takes the lock as a reader and leaves a note.
  ///
  /// Gets run side by side where the lock admits several readers. The policy learns of them when a write
  /// takes the lock, or when one of the small buffers is full; under contention it never learns of some.
  /// That costs hits, seldom many, as a policy misses at random what happens often. What gets return is
  /// always up to date. In one thread nothing is lost, and the results are those of `strict`, unless the
  /// policy looks at the clock: its touches are as late as it learns of them. Entries whose life a use
  /// extends (a time to idle, an age since the last use) are read strictly.
  case buffered
}
