import EvictionCore
import Testing

/// The clock of runs over traces.
@Suite struct MovedClockTests {
  /// Times before 0 are times as others are.
  @Test(
    arguments: [
      ([5, 3, 9], [5, 5, 9]), ([-100, -1, 50], [0, 99, 150]), ([0, -5, 7], [0, 0, 7]),
      ([-7, -9, -7], [0, 0, 0]), ([.min, .min + 5, -1], [0, 5, .max >> 1]),
    ] as [([Int64], [UInt64])])
  func countsFromTheFirstTimeBeforeZero(_ times: [Int64], _ expected: [UInt64]) {
    let clock = MovedClock()
    let shown = times.map { time in
      clock.move(to: time)
      return clock.now
    }
    #expect(shown == expected)
    #expect(clock.origin == min(0, times[0]))
  }
}
