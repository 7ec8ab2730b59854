import CInline

/// A clock for a cache: nanoseconds that never run backwards, from any start.
///
///     let time = Atomic<UInt64>(0)                    // a test moves it
///     options.clock = CacheClock { time.load(ordering: .relaxed) }
///
/// Neither of the system's clocks here counts the time that a Linux machine sleeps.
public struct CacheClock: Sendable {
  @usableFromInline let reading: (@Sendable () -> UInt64)?

  /// A clock that is read by `reading`, from any thread and with a cache's lock held: it must be quick
  /// and must not use the cache.
  public init(_ reading: @escaping @Sendable () -> UInt64) { self.reading = reading }

  private init() { reading = nil }

  /// The system's monotonic clock at the resolution of its timer, 1 to 10 ms: the cheapest.
  public static let coarse = CacheClock()

  /// The system's monotonic clock at its full resolution.
  public static let precise = CacheClock { evl_monotonic_nanoseconds() }

  /// The time now.
  var now: UInt64 { reading?() ?? evl_coarse_nanoseconds() }
}
