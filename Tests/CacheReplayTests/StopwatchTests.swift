import CacheReplay
import Testing

/// Clocks are planted: what the machine does meanwhile changes nothing.
@Suite struct StopwatchTests {
  /// A clock that moves when it is read, and a counter that follows it.
  private final class Machine {
    private var nanoseconds: UInt64 = 1_000
    private let ticks: (UInt64) -> UInt64

    init(ticks: @escaping (UInt64) -> UInt64) { self.ticks = ticks }

    func monotonic() -> UInt64 {
      nanoseconds += 40
      return nanoseconds
    }

    func counter() -> UInt64 { ticks(nanoseconds) }

    var calibration: Double? {
      CounterCalibration.nanosecondsPerTick(counter: counter, monotonic: monotonic)
    }
  }

  @Test func counterIsCalibratedAgainstTheMonotonicClock() throws {
    let rate = try #require(Machine { $0 * 26 / 10 }.calibration)
    #expect(abs(rate * 2.6 - 1) < 1e-4)
    let slow = try #require(Machine { $0 / 100 }.calibration)
    #expect(abs(slow / 100 - 1) < 1e-3)
  }

  @Test func counterThatChangesItsRateIsRefused() {
    // Twice as fast from a hundredth of a second on.
    #expect(Machine { $0 < 10_000_000 ? $0 : 2 * $0 - 10_000_000 }.calibration == nil)
  }

  @Test func counterThatStandsStillOrRunsBackIsRefused() {
    #expect(Machine { _ in 7 }.calibration == nil)
    #expect(Machine { 1 << 60 - $0 }.calibration == nil)
  }

  @Test func emptyMeasurementLeavesInterruptionsOut() {
    // Nine in ten show 20 ns, the others 30 ns, and one in 200 is interrupted.
    let times = (0..<10_000).map { $0 % 200 == 7 ? 50_000 : $0 % 10 == 0 ? 30.0 : 20.0 }
    let empty = EmptyMeasurement(of: times)
    #expect(abs(empty.cost - 21) < 0.3)
    #expect(abs(empty.deviation - 3) < 0.3)
    #expect(empty.resolution == 10)
    #expect(empty.floor == 10)
    let wide = EmptyMeasurement(of: (0..<1_000).map { $0.isMultiple(of: 2) ? 0 : 30 })
    #expect(abs(wide.floor - 45) < 0.1)
  }

  @Test func standardWatchTakesItsCostOff() {
    let watch = Stopwatch.standard
    #expect(watch.empty.cost > 0 && watch.empty.cost < 100_000)
    #expect(watch.empty.resolution > 0)
    let start = watch.start()
    let clock = Clock.now()
    while Clock.now() < clock + 2_000_000 {}
    let end = watch.end()
    let outside = Clock.now()
    // Two milliseconds at least, and no more than the monotonic clock saw around it.
    let time = watch.nanoseconds(from: start, to: end)
    #expect(time >= 1_990_000 && time <= (outside - clock) + 100_000)
    #expect(watch.nanoseconds(from: start, to: start) == 0)
    #expect(watch.nanoseconds(from: end, to: start) == 0)
  }
}
