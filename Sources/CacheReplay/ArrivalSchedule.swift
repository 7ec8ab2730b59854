import EvictionCore
import Parameters
import Results

/// The due times of the requests of a part of the trace, in nanoseconds from the start of the first: known
/// before the run, so that no stall of what is measured can move them.
///
/// - Complexity: O(1) to look up. Memory: 8 bytes per request, however many copies of the trace run.
package struct ArrivalSchedule: Sendable {
  /// The first request of the part.
  private let first: Int
  /// One per request, rising.
  private let starts: [UInt64]
  /// The mean distance of two arrivals in all copies together; 0 where copies have the trace's times.
  private let distance: Double
  private let copies: Int

  /// The tick of the trace's clock, and how many requests share one on average; nil at a rate.
  package let clock: TraceClock?

  /// Arrivals at a rate.
  ///
  /// - Parameter rate: Requests a second in all copies together.
  package init(
    _ range: Range<Int>, rate: Double, model: ArrivalModel, copies: Int, seed: UInt64
  ) {
    first = range.lowerBound
    self.copies = copies
    distance = 1e9 / rate
    clock = nil
    var random = SplitMix64(seed: seed)
    var now = 0.0
    let mean = distance * Double(copies)
    starts = range.map { _ in
      defer { now += model == .poisson ? -PortableMath.log(1 - random.unit()) * mean : mean }
      return UInt64(min(now, 1e18))
    }
  }

  /// Arrivals at the trace's times, faster by this factor. Those that the clock cannot tell apart are
  /// spread over its tick; one that precedes its predecessor arrives together with it.
  package init(
    _ range: Range<Int>, times: UnsafePointer<Int64>, speed: Double, model: ArrivalModel,
    copies: Int,
    seed: UInt64
  ) {
    first = range.lowerBound
    self.copies = copies
    distance = 0
    let clock = TraceClock(range, times: times)
    self.clock = clock
    var random = SplitMix64(seed: seed)
    var moments: [Double] = []
    moments.reserveCapacity(range.count)
    var index = range.lowerBound
    var latest = times[index]
    let zero = latest
    while index < range.upperBound {
      latest = max(latest, times[index])
      let start = index
      while index < range.upperBound && times[index] <= latest { index += 1 }
      let since = Double(latest &- zero)
      let count = index - start
      if count == 1 || model == .uniform {
        for place in 0..<count {
          moments.append(since + Double(clock.tick) * Double(place) / Double(count))
        }
      } else {
        moments += (0..<count).map { _ in since + Double(clock.tick) * random.unit() }.sorted()
      }
    }
    starts = moments.map { UInt64(min(max($0 - moments[0], 0) / speed, 1e18)) }
  }

  /// Returns the due time of a request of a copy.
  ///
  /// Copies at a rate are not the same arrivals again: each starts at another place of them, and the
  /// others' distances lie between.
  package func start(of index: Int, copy: Int) -> UInt64 {
    let place = index &- first
    if copy == 0 || distance == 0 { return starts[place] }
    let shift = starts.count * copy / copies
    let offset = UInt64(distance * Double(copy))
    let shifted = place + shift
    if shifted < starts.count { return starts[shifted] - starts[shift] + offset }
    let span = starts[starts.count - 1] + UInt64(distance * Double(copies))
    return starts[shifted - starts.count] + span - starts[shift] + offset
  }

  /// From the first arrival to the last, in seconds.
  package var seconds: Double { Double(starts.last ?? 0) / 1e9 }
}

/// The resolution of the clock that wrote a trace's times.
package struct TraceClock: Sendable, Equatable {
  /// The largest time that all differences are multiples of, in nanoseconds; 0 where all are equal.
  package let tick: Int64
  /// The requests at one reading of the clock, on average.
  package let requestsPerReading: Double

  package init(_ range: Range<Int>, times: UnsafePointer<Int64>) {
    var tick: Int64 = 0
    var readings = 1
    for index in range.dropFirst() where times[index] != times[index - 1] {
      readings += 1
      var (divisor, rest) = ((times[index] &- times[index - 1]).magnitude, tick.magnitude)
      while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
      tick = Int64(clamping: divisor)
    }
    self.tick = tick
    requestsPerReading = Double(range.count) / Double(readings)
  }
}

extension SplitMix64 {
  /// A number from 0 up to, but not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
