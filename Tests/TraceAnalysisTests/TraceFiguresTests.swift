import Testing
import TraceAnalysis
import Traces

/// Every figure of small traces, counted by hand.
@Suite struct TraceFiguresTests {
  /// Requests:   1  2  3  1  2  3  4  4  9  1
  /// previous:   –  –  –  1  2  3  –  7  –  4
  /// in between:          2  2  2     0     4 (2, 3, 4 and 9)
  let keys: [UInt64] = [1, 2, 3, 1, 2, 3, 4, 4, 9, 1]

  @Test func volumeCountsRequestsKeysAndBytes() throws {
    let analysis = try TraceProfile(
      Trace.of(keys, sizes: [10, 20, 30, 10, 21, 30, 40, 40, 90, 10]))
    let volume = try #require(analysis[Volume.self])
    #expect(volume.requests == 10 && volume.distinct == 5)
    #expect(volume.bytes == 301)
    // The size of a key is that of its first request: 20 for key 2.
    #expect(volume.distinctBytes == 10 + 20 + 30 + 40 + 90)
    #expect(volume.oneHitWonders == 1 && volume.oneHitWonderRatio == 0.2)
  }

  /// Times may go back, and count from any zero.
  @Test(
    arguments: [
      ([5, 3, 9, 4], 6e-9, "time span: 6.00e-09 seconds, 666666667 requests/s"),
      ([0, 0, 0, 0], 0, "time span: 0 seconds"),
      ([0, 1, 2, 86_400_000_000_000], 86_400, "time span: 24.0 hours, 4.63e-05 requests/s"),
      ([0, 1, 2, 259_200_000_000_000], 259_200, "time span: 3.00 days, 1.54e-05 requests/s"),
      ([.min, 0, 0, .max], 18_446_744_073.709553, "time span: 213504 days, 2.17e-10 requests/s"),
    ] as [([Int64], Double, String)])
  func timesSpanFromTheEarliestToTheLatest(
    _ times: [Int64], _ seconds: Double, _ text: String
  ) throws {
    let period = try #require(
      try TraceProfile(Trace.of([1, 2, 3, 4], times: times))[RequestPeriod.self])
    #expect(period.values == [.number(seconds)])
    #expect(period.facts.map { "\($0.label): \($0.text)" } == [text])
    #expect(try TraceProfile(Trace.of(keys))[RequestPeriod.self] == nil)
  }

  @Test func missingColumnsAreMissingFigures() throws {
    let analysis = try TraceProfile(Trace.of(keys))
    #expect(analysis[Volume.self]?.bytes == nil)
    #expect(analysis[SizeDistribution.self] == nil)
    #expect(analysis[Operations.self] == nil)
    #expect(analysis[Expiry.self] == nil)
  }

  @Test func reusesAreCountedInRequestsAndInKeys() throws {
    let analysis = try TraceProfile(Trace.of(keys))
    let times = try #require(analysis[ReuseTime.self]?.summary)
    #expect(times.count == 5 && times.mean == (3 + 3 + 3 + 1 + 6) / 5.0)
    #expect(times.quantiles == [1, 3, 3, 3, 6, 6] && times.largest == 6)
    let distance = try #require(analysis[ReuseDistance.self])
    #expect(distance.method.isExact && distance.intervals.isEmpty)
    #expect(distance.summary?.mean == (2 + 2 + 2 + 0 + 4) / 5.0)
    #expect(distance.summary?.quantiles == [0, 2, 2, 2, 4, 4])
    #expect(distance.curve.map(\.value) == [0, 2, 4])
    #expect(distance.curve.map(\.share) == [0.2, 0.8, 1])
  }

  /// Of a loop over three keys each request but the first four is in order.
  @Test func loopIsInOrderAfterItsFirstRound() throws {
    let loop = try #require(
      try TraceProfile(Trace.of((0..<12).map { UInt64($0 % 3) }))[RequestOrder.self])
    #expect(loop.inOrderRatio == 8.0 / 12 && loop.repetition == .repeating)
  }

  /// 2 comes after 1 the last time, then 3, then 2 again; a key after itself is no order.
  @Test func orderIsThatOfTheLastTime() throws {
    let order = try #require(
      try TraceProfile(Trace.of([1, 2, 1, 2, 1, 3, 1, 2, 1, 1, 1, 1]))[RequestOrder.self])
    // 1 2 1 2 1: 2 and 1; 3; 1 after 3: new; 2 after 1: 3 the last time; 1 after 2; 1 after 1.
    #expect(order.inOrderRatio == 3.0 / 12 && order.repetition == nil)
    #expect(try TraceProfile(Trace.of([1]))[RequestOrder.self]?.inOrderRatio == 0)
  }

  /// First half: 1 comes 3 times, 2 once, 3 once. Second half: 2 comes 4 times, 1 once.
  @Test func driftIsTheLossOfTheFirstHalfsChoice() throws {
    let drift = try #require(
      try TraceProfile(Trace.of([1, 1, 1, 2, 3, 2, 2, 1, 2, 2]))[Drift.self])
    #expect(drift.loss == 1 - 1.0 / 4 && drift.stability == .drifting)
    let stable = try #require(try TraceProfile(Trace.of([1, 1, 2, 1, 1, 3]))[Drift.self])
    #expect(stable.loss == 0 && stable.stability == .stable)
    #expect(try TraceProfile(Trace.of([1]))[Drift.self]?.loss == nil)
  }

  /// Of twenty keys two are chosen: 1 and 2, which get 3 of the 5 requests for 1 and 3.
  @Test func driftChoosesATenthOfTheKeys() throws {
    let first: [UInt64] = [1, 1, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10]
    let second: [UInt64] = [1, 1, 1, 3, 3] + Array(11...20)
    let drift = try #require(try TraceProfile(Trace.of(first + second))[Drift.self])
    #expect(drift.loss == 1 - 3.0 / 5 && drift.stability == nil)
  }

  @Test func nothingIsReusedWhereKeysComeOnce() throws {
    let analysis = try TraceProfile(Trace.of([5, 3, 8]))
    #expect(analysis[ReuseTime.self]?.summary == nil)
    #expect(analysis[ReuseDistance.self]?.summary == nil)
    #expect(analysis[ReuseDistance.self]?.values == [.null])
  }

  @Test func compulsoryMissesAreFirstRequests() throws {
    let misses = try #require(try TraceProfile(Trace.of(keys))[CompulsoryMisses.self])
    #expect(misses.references == 10 && misses.misses == 5)
  }

  /// A set makes the next get hit, a deletion makes it miss; sets and deletions are not counted.
  @Test func compulsoryMissesFollowOperations() throws {
    let trace = Trace.of(
      [1, 1, 1, 2, 2, 2, 2], operations: [.set, .get, .get, .get, .delete, .get, .read])
    let misses = try #require(try TraceProfile(trace)[CompulsoryMisses.self])
    #expect(misses.references == 5 && misses.misses == 2)
  }

  @Test func withoutGetsNoMissIsCompulsory() throws {
    let trace = Trace.of([1, 2], operations: [.set, .set])
    #expect(try TraceProfile(trace)[CompulsoryMisses.self]?.ratio == nil)
  }

  @Test func popularityNamesTheTopKeys() throws {
    let popularity = try #require(try TraceProfile(Trace.of(keys))[Popularity.self])
    // Among equals the first to appear comes first.
    #expect(popularity.topKeys.map(\.key) == ["1", "2", "3", "4", "9"])
    #expect(popularity.topKeys.map(\.requests) == [3, 2, 2, 2, 1])
    #expect(popularity.topKeys[0].share == 0.3 && popularity.topHundredthShare == 0.3)
    #expect(popularity.topKeys[0].hash.count == 16)
    #expect(popularity.curve.map(\.requests) == [3, 2, 2, 2, 1])
    #expect(popularity.fit?.ranks == 5 && popularity.replicates == 99)
  }

  @Test func topKeysAreTenAtMost() throws {
    // Keys 6 … 39 come twice, the others once.
    let keys: [UInt64] = Array(0..<40) + Array(6..<40)
    var options = TraceProfile.Options()
    options.replicates = 0
    let popularity = try #require(
      try TraceProfile(Trace.of(keys), options: options)[Popularity.self])
    #expect(popularity.topKeys.compactMap(\.key) == (6..<16).map { String($0) })
    #expect(popularity.pValue == nil)
  }

  @Test func windowsCountTheirKeysAndAllBefore() throws {
    // 50 windows of two requests: the keys of the first ones are new, then the same two alternate.
    let keys = (0..<10).map { UInt64($0) } + (10..<100).map { UInt64($0 % 2) }
    let windows = try #require(try TraceProfile(Trace.of(keys))[WorkingSet.self]).windows
    #expect(windows.count == 50 && windows.map(\.end) == (1...50).map { 2 * $0 })
    #expect(windows.allSatisfy { $0.distinct == 2 })
    #expect(windows.prefix(6).map(\.cumulative) == [2, 4, 6, 8, 10, 10])
  }

  @Test func windowsEndWhereTheTraceEnds() throws {
    let windows = try #require(
      try TraceProfile(Trace.of((0..<10_007).map { UInt64($0 % 3) }))[WorkingSet.self]
    ).windows
    #expect(windows.count == 50 && windows.last?.end == 10_007)
    #expect(windows.allSatisfy { $0.distinct == 3 && $0.cumulative == 3 })
  }

  @Test func sequentialRequestsFollowTheOneBefore() throws {
    // 1→2, 2→3, 1→2, 2→3, 3→4 of nine steps.
    let scans = try #require(try TraceProfile(Trace.of(keys))[Scans.self])
    #expect(scans.sequentialRatio == 5.0 / 9)
    #expect(scans.neverAgainRatio == 0)
    let one = try TraceProfile(Trace.of([7]))[Scans.self]
    #expect(one?.sequentialRatio == nil)
    let wrapped = try TraceProfile(Trace.of([.max, 0]))[Scans.self]
    #expect(wrapped?.sequentialRatio == 0)
  }

  /// 20 keys that come once, between requests of two that come again; runs of 15 do not count.
  @Test(arguments: [(20, 20.0 / 60), (16, 16.0 / 56), (15, 0)] as [(Int, Double)])
  func runsOfKeysThatNeverComeBackAreScans(_ run: Int, _ expected: Double) throws {
    let pair = (0..<20).map { UInt64($0 % 2) }
    let keys = pair + (0..<run).map { UInt64(100 + 7 * $0) } + pair
    let scans = try #require(try TraceProfile(Trace.of(keys))[Scans.self])
    #expect(scans.neverAgainRatio == expected)
  }

  @Test func runAtTheVeryEndCounts() throws {
    let scans = try #require(
      try TraceProfile(Trace.of((0..<64).map { UInt64(3 * $0) }))[Scans.self])
    #expect(scans.neverAgainRatio == 1 && scans.sequentialRatio == 0)
  }

  @Test func sequencesGoOnAcrossBlocks() throws {
    let scans = try #require(
      try TraceProfile(Trace.of((0..<100_000).map { UInt64($0) }))[Scans.self])
    #expect(scans.sequentialRatio == 1 && scans.neverAgainRatio == 1)
  }

  @Test func textKeysHaveNoSequences() throws {
    let trace = try TraceLoader.load(bytes: Array("a\nb\na\n".utf8), name: "words.txt")
    let analysis = try TraceProfile(trace)
    #expect(analysis[Scans.self]?.sequentialRatio == nil)
    #expect(analysis[Popularity.self]?.topKeys.map(\.key) == [nil, nil])
  }

  @Test func sizesAreThoseOfTheRequests() throws {
    let analysis = try TraceProfile(Trace.of([1, 2, 1, 3], sizes: [100, 7, 100, 5_000_000_000]))
    let sizes = try #require(analysis[SizeDistribution.self])
    #expect(sizes.summary.count == 4 && sizes.summary.mean == 1_250_000_051.75)
    #expect(sizes.summary.quantiles == [7, 7, 100, 100, 5_000_000_000, 5_000_000_000])
    #expect(sizes.curve.map(\.share) == [0.25, 0.75, 1])
    #expect(sizes.changeRatio == 0 && sizes.facts.isEmpty)
  }

  @Test func sizesThatChangeWithinAKeyAreCounted() throws {
    let unknown = Trace.unknownSize
    let trace = Trace.of([1, 2, 1, 1, 2, 2, 3], sizes: [5, unknown, 6, 6, 9, 8, 1])
    let sizes = try #require(try TraceProfile(trace)[SizeDistribution.self])
    // Of 1: 5 → 6, 6 → 6; of 2: 9 → 8, and before that none was told.
    #expect(sizes.changeRatio == 2.0 / 3)
    #expect(sizes.facts.first?.text.hasPrefix("in 66.67 % of the requests") == true)
    #expect(
      try TraceProfile(Trace.of([1, 2], sizes: [1, 2]))[SizeDistribution.self]?.changeRatio == nil)
  }

  @Test func operationsAreCounted() throws {
    let trace = Trace.of([1, 1, 2, 1], operations: [.set, .get, .delete, .get])
    let operations = try #require(try TraceProfile(trace)[Operations.self])
    #expect(
      operations.values == [["get": .integer(2), "set": .integer(1), "delete": .integer(1)]])
    #expect(operations.facts.map(\.text) == ["get 50.00 %, set 25.00 %, delete 25.00 %"])
  }

  @Test func timesToLiveLeaveOutWhatNeverExpires() throws {
    let analysis = try TraceProfile(Trace.of([1, 2, 3, 4], ttls: [0, 10, 0, 30]))
    let expiry = try #require(analysis[Expiry.self])
    #expect(expiry.ratio == 0.5 && expiry.summary?.mean == 20)
    #expect(expiry.summary?.quantile(0.5) == 10 && expiry.summary?.largest == 30)
  }

  @Test func traceThatIsTooLongIsRefused() throws {
    var options = TraceProfile.Options()
    options.mostRequests = 9
    let error = #expect(throws: TraceError.self) {
      try TraceProfile(Trace.of(keys), options: options)
    }
    #expect(
      error?.description
        == "memory has more than 9 requests; analyse the first ones with a limit, or a sample of its "
        + "keys")
  }

  @Test func emptyTraceIsRefused() throws {
    #expect(throws: TraceError.noRequests(file: "memory")) { try TraceProfile(Trace.of([])) }
  }
}
