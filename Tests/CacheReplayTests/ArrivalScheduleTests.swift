import CacheReplay
import Results
import Testing

@Suite struct ArrivalScheduleTests {
  @Test func uniformArrivalsHaveEqualDistances() {
    let schedule = ArrivalSchedule(10..<14, rate: 1e6, model: .uniform, copies: 1, seed: 1)
    #expect((10..<14).map { schedule.start(of: $0, copy: 0) } == [0, 1_000, 2_000, 3_000])
    #expect(schedule.seconds == 3e-6)
    #expect(schedule.clock == nil)
  }

  @Test func copiesShareTheRateAndDoNotCoincide() {
    let copies = 4
    for model in ArrivalModel.allCases {
      let range = 0..<1_000
      let schedule = ArrivalSchedule(range, rate: 1e6, model: model, copies: copies, seed: 3)
      let streams = (0..<copies).map { copy in range.map { schedule.start(of: $0, copy: copy) } }
      for stream in streams { #expect(stream == stream.sorted()) }
      #expect(Set(streams.joined()).count > 3_900, "\(model)")
      let last = streams.compactMap(\.last).max() ?? 0
      #expect((3_600_000...4_400_000).contains(last), "\(model)")
    }
  }

  @Test func poissonArrivalsAreSeededAndExponential() {
    func distances(seed: UInt64) -> [Double] {
      let schedule = ArrivalSchedule(0..<20_001, rate: 1e5, model: .poisson, copies: 1, seed: seed)
      let starts = (0..<20_001).map { Double(schedule.start(of: $0, copy: 0)) }
      return zip(starts.dropFirst(), starts).map { $0 - $1 }
    }
    let values = distances(seed: 7)
    #expect(values == distances(seed: 7))
    #expect(values != distances(seed: 8))
    let mean = values.reduce(0, +) / 20_000
    #expect(abs(mean - 10_000) < 300)
    // An exponential distance is longer than its mean in 1/e of all cases.
    let longer = Double(values.count { $0 > 10_000 }) / 20_000
    #expect(abs(longer - 0.3679) < 0.015)
  }

  @Test func requestsOfOneTickAreSpreadOverIt() {
    // A clock of seconds that says 5, 5, 5, 6, 9, 8, 9 (one request came late).
    let times = [5, 5, 5, 6, 9, 8, 9].map { Int64($0) * 1_000 }
    times.withUnsafeBufferPointer { times in
      let pointer = times.baseAddress!
      let uniform = ArrivalSchedule(
        0..<7, times: pointer, speed: 1, model: .uniform, copies: 1, seed: 1)
      #expect(uniform.clock?.tick == 1_000)
      #expect(
        (0..<7).map { uniform.start(of: $0, copy: 0) } == [0, 333, 666, 1_000, 4_000, 4_333, 4_666])
      let poisson = ArrivalSchedule(
        0..<7, times: pointer, speed: 10, model: .poisson, copies: 1, seed: 1)
      let starts = (0..<7).map { poisson.start(of: $0, copy: 0) }
      #expect(starts == starts.sorted() && starts[0] == 0 && starts[6] <= 500)
      #expect(starts[2] < 100)
    }
  }

  @Test func clockIsToldFromTheTimes() {
    let times: [Int64] = [100, 100, 400, 1_000, 700]
    times.withUnsafeBufferPointer { times in
      let clock = TraceClock(0..<5, times: times.baseAddress!)
      #expect(clock.tick == 300)
      #expect(clock.requestsPerReading == 1.25)
      #expect(TraceClock(0..<2, times: times.baseAddress!).tick == 0)
    }
  }

  @Test(arguments: [
    (ReplayPace.closed, "closed"), (.rate(100_000), "100000"), (.rate(0.5), "0.5"),
    (.capacityShare(1.2), "120%"), (.trace(speed: 1), "trace"), (.trace(speed: 10), "trace:10"),
  ])
  func paceIsWrittenAsOnTheCommandLine(pace: ReplayPace, label: String) {
    #expect(pace.label == label)
  }
}
