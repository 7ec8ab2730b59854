import CInline

/// A clock for a cache: nanoseconds that never run backwards, from any start.
///
///     let time = Atomic<UInt64>(0)                    // a test moves it
///     options.clock = CacheClock { time.load(ordering: .relaxed) }
///
/// Neither of the system's clocks here counts the time that a Linux machine sleeps.
public struct CacheClock: Sendable {
  @usableFromInline let reading: (@Sendable () -> UInt64)?
  /// The time by which a reading may be too early, in nanoseconds.
  let leeway: UInt64

  /// A clock that is read by `reading`, from any thread and with a cache's lock held: it must be quick
  /// and must not use the cache.
  public init(_ reading: @escaping @Sendable () -> UInt64) {
    self.reading = reading
    leeway = 0
  }

  private init() {
    reading = nil
    // A tick may come late, most of all on a virtual machine.
    leeway = 2 * evl_tick_nanoseconds()
  }

  /// The system's monotonic clock as of the last tick of its timer, one every 1 to 10 ms: the cheapest.
  ///
  /// Nothing expires early by it. A time to live begins at the exact time, and is over at the first tick after its
  /// end. A time to idle and an age, which gets begin anew, are over within three ticks after their ends.
  public static let coarse = CacheClock()

  /// The system's monotonic clock at its full resolution.
  public static let precise = CacheClock { evl_monotonic_nanoseconds() }

  /// The time now, or earlier by up to ``leeway``.
  var now: UInt64 { reading?() ?? evl_coarse_nanoseconds() }

  /// The time now.
  var exact: UInt64 { reading?() ?? evl_exact_nanoseconds() }
}
