import CInline
import Foundation

/// The clock of operations: the processor's counter where it runs at one rate and agrees with the monotonic
/// clock, else the monotonic clock.
///
///     let watch = Stopwatch.standard
///     let start = watch.start()
///     work()
///     let nanoseconds = watch.nanoseconds(from: start, to: watch.end())
///
/// The mean of empty measurements is taken off every time. That is sound as far as the cost does not vary;
/// its variation sets the ``EmptyMeasurement/floor``, below which a time is only known to be shorter.
package struct Stopwatch: Sendable {
  /// The clock that is read.
  package enum Source: String, Sendable {
    /// The processor's counter.
    case counter
    /// The monotonic clock.
    case monotonic
  }

  package let source: Source
  private let nanosecondsPerTick: Double
  /// The cost of a measurement, which is part of it and taken off.
  package let empty: EmptyMeasurement

  /// A watch of the counter at this rate, or of the monotonic clock.
  private init(nanosecondsPerTick: Double?) {
    source = nanosecondsPerTick == nil ? .monotonic : .counter
    self.nanosecondsPerTick = nanosecondsPerTick ?? 1
    let rate = self.nanosecondsPerTick
    let isCounter = source == .counter
    empty = EmptyMeasurement(
      of: (0..<20_000).map { _ in
        let start = Stopwatch.start(isCounter)
        let end = Stopwatch.end(isCounter)
        return Double(end &- start) * rate
      })
  }

  /// The watch of this process, calibrated once.
  package static let standard = Stopwatch(
    nanosecondsPerTick: evl_counter_is_invariant() != 0 && isSystemsClock
      ? CounterCalibration.nanosecondsPerTick(
        counter: evl_counter_end, monotonic: evl_monotonic_nanoseconds) : nil)

  /// True if the system's own clock is the counter: the processors' counters are then in step.
  private static var isSystemsClock: Bool {
    #if os(Linux)
      let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
      let name = try? String(contentsOfFile: path, encoding: .utf8)
      return ["tsc\n", "arch_sys_counter\n"].contains(name)
    #else
      return true
    #endif
  }

  @inline(__always)
  private static func start(_ isCounter: Bool) -> UInt64 {
    isCounter ? evl_counter_start() : evl_monotonic_nanoseconds()
  }

  @inline(__always)
  private static func end(_ isCounter: Bool) -> UInt64 {
    isCounter ? evl_counter_end() : evl_monotonic_nanoseconds()
  }

  /// The reading before what is timed.
  @inline(__always)
  package func start() -> UInt64 { Stopwatch.start(source == .counter) }

  /// The reading after what is timed.
  @inline(__always)
  package func end() -> UInt64 { Stopwatch.end(source == .counter) }

  /// The time between two readings without the cost of a measurement.
  @inline(__always)
  package func nanoseconds(from start: UInt64, to end: UInt64) -> UInt64 {
    let time = Double(Int64(bitPattern: end &- start)) * nanosecondsPerTick - empty.cost
    return time > 0 ? UInt64(time + 0.5) : 0
  }

  /// A reading of the watch and of the monotonic clock at one moment.
  func moment() -> ClockMoment {
    ClockMoment(counter: { self.end() }, monotonic: evl_monotonic_nanoseconds)
  }

  /// The relative disagreement of the watch and the monotonic clock about the time since a moment; 0 where
  /// both are one.
  func drift(since start: ClockMoment) -> Double {
    if source == .monotonic { return 0 }
    let now = moment()
    let elapsed = Double(now.monotonic &- start.monotonic)
    let counted = Double(now.counter &- start.counter) * nanosecondsPerTick
    // The distance of two readings of the same moment is no drift.
    return elapsed > 0 ? max(0, abs(counted - elapsed) - 2_000) / elapsed : 0
  }
}

/// The readings of a watch around nothing.
package struct EmptyMeasurement: Sendable, Equatable {
  /// The mean in nanoseconds, without the longest hundredth, which is interruptions.
  package let cost: Double
  /// The standard deviation of the same.
  package let deviation: Double
  /// The smallest difference of two values: the clock's step.
  package let resolution: Double

  /// - Parameter times: The times of empty measurements, in nanoseconds; at least one.
  package init(of times: [Double]) {
    let sorted = times.sorted()
    let usual = sorted.prefix(max(1, sorted.count * 99 / 100))
    let mean = usual.reduce(0, +) / Double(usual.count)
    cost = mean
    deviation =
      (usual.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(usual.count)).squareRoot()
    resolution =
      zip(sorted.dropFirst(), sorted).map { $0 - $1 }.filter { $0 > 0.01 }.min() ?? 1
  }

  /// The shortest time that differs from nothing: three standard deviations, or the clock's step.
  package var floor: Double { max(3 * deviation, resolution) }
}

/// Two clocks read at one moment.
struct ClockMoment: Sendable {
  let counter: UInt64
  let monotonic: UInt64

  /// The narrowest of several readings of the counter between two of the monotonic clock.
  init(counter: () -> UInt64, monotonic: () -> UInt64) {
    var best = (width: UInt64.max, counter: UInt64(0), monotonic: UInt64(0))
    for _ in 0..<16 {
      let before = monotonic()
      let count = counter()
      let width = monotonic() &- before
      if width < best.width { best = (width, count, before &+ width / 2) }
    }
    self.counter = best.counter
    self.monotonic = best.monotonic
  }
}

/// The rate of a counter.
package enum CounterCalibration {
  /// The nanoseconds between two ticks; nil for a counter that stands still or whose rate differs from one
  /// hundredth of a second to the next.
  ///
  /// Complexity: some 20 ms.
  package static func nanosecondsPerTick(
    counter: () -> UInt64, monotonic: () -> UInt64
  ) -> Double? {
    var moments: [ClockMoment] = []
    for _ in 0..<3 {
      let moment = ClockMoment(counter: counter, monotonic: monotonic)
      moments.append(moment)
      if moments.count < 3 { while monotonic() < moment.monotonic &+ 10_000_000 {} }
    }
    func rate(_ from: ClockMoment, _ to: ClockMoment) -> Double {
      Double(to.monotonic &- from.monotonic) / Double(Int64(bitPattern: to.counter &- from.counter))
    }
    let rates = (rate(moments[0], moments[1]), rate(moments[1], moments[2]))
    guard rates.0.isFinite, rates.0 > 0, abs(rates.1 / rates.0 - 1) < 1e-3 else { return nil }
    return rate(moments[0], moments[2])
  }
}
