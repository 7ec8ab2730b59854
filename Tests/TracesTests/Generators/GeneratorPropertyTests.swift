import Foundation
import Testing
import Traces

/// Each generator has the property that it promises, on a fixed seed.
@Suite struct GeneratorPropertyTests {
  private func keys(_ specification: String) throws -> [UInt64] {
    let trace = try TraceGenerators.trace(specification)
    return trace.ids.map { trace.integerKey(of: $0) ?? .max }
  }

  private func counts(_ keys: some Sequence<UInt64>) -> [UInt64: Int] {
    keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  /// The standard deviation about a centre.
  private func deviation(_ values: [Double], from centre: Double) -> Double {
    mean(values.map { ($0 - centre) * ($0 - centre) }).squareRoot()
  }

  /// The share of the values that pass a test.
  private func share(_ values: [Double], where isCounted: (Double) -> Bool) -> Double {
    Double(values.count(where: isCounted)) / Double(values.count)
  }

  private func isNear(_ value: Double, _ expected: Double, within tolerance: Double) -> Bool {
    abs(value - expected) < tolerance
  }

  @Test func uniformKeysAreEquallyPopular() throws {
    let counts = counts(try keys("uniform:keys=50:requests=100000"))
    #expect(counts.count == 50 && counts.keys.allSatisfy { $0 < 50 })
    // Chi-square of 49 degrees of freedom: 1 in 10 000 is above 95.
    let deviation = deviation(counts.values.map(Double.init), from: 2000)
    #expect(50 * deviation * deviation / 2000 < 95)
  }

  @Test func aScanAsksForEveryKeyOnce() throws {
    #expect(try keys("scan:first=7:requests=10000") == Array(7..<10_007))
  }

  @Test func aLoopRepeats() throws {
    #expect(try keys("loop:keys=3:requests=8") == [0, 1, 2, 0, 1, 2, 0, 1])
  }

  @Test func theHotSetMovesOn() throws {
    let keys = try keys("hot-shift:keys=250:hot=100:share=0.8:period=10000:requests=40000")
    for (period, hot) in [0..<100, 100..<200, 200..<300, 50..<150].enumerated() {
      let hits = keys[period * 10_000..<(period + 1) * 10_000].count { key in
        hot.contains(Int(key)) || hot.contains(Int(key) + 250)
      }
      // The share, and what of the rest falls on the hot set by chance.
      #expect(isNear(Double(hits) / 10_000, 0.8 + 0.2 * 0.4, within: 0.02), "period \(period)")
    }
  }

  @Test func driftingRanksFallByOneAfterEveryPeriod() throws {
    let keys = try keys("zipf-drift:alpha=2:keys=100:period=20000:requests=80000")
    let favourites = (0..<4).map { period in
      let counts = counts(keys[period * 20_000..<(period + 1) * 20_000])
      return counts.sorted { $0.value > $1.value }.prefix(3).map(\.key)
    }
    for (before, after) in zip(favourites, favourites.dropFirst()) {
      #expect(after[1] == before[0] && after[2] == before[1] && !before.contains(after[0]))
    }
  }

  @Test func aGaussianWalkStaysAboutItsCentre() throws {
    let still = try keys("gaussian-walk:keys=1000:spread=50:step=0:requests=20000")
      .map { Double($0) }
    #expect(isNear(mean(still), 499.5, within: 1.5))
    #expect(isNear(deviation(still, from: 499.5), 50, within: 1))
    #expect(isNear(share(still) { abs($0 - 499.5) < 50 }, 0.683, within: 0.01))
    let walk = try keys("gaussian-walk:keys=1000000:spread=0:step=100:requests=20000")
    let steps = zip(walk, walk.dropFirst()).map { Double($1) - Double($0) }
    #expect(isNear(deviation(steps.filter { abs($0) < 500_000 }, from: 0), 100, within: 2))
    let ring = try keys("gaussian-walk:keys=3:spread=50:step=7:requests=3000")
    #expect(counts(ring).values.allSatisfy { abs($0 - 1000) < 150 })
  }

  @Test func theStackModelHasTheMissRatioCurveThatItWasGiven() throws {
    let keys = try keys("stack-distance:alpha=0.8:depth=40:new=0.1:requests=20000")
    var stack: [UInt64] = []
    var depths = [Int](repeating: 0, count: 41)
    for key in keys {
      let depth = stack.firstIndex(of: key)
      if let depth { stack.remove(at: depth) }
      depths[depth.map { $0 + 1 } ?? 0] += 1
      stack.insert(key, at: 0)
      if stack.count > 40 { stack.removeLast() }
    }
    let weights = (1...40).map { pow(Double($0), -0.8) }
    for capacity in [1, 5, 20, 40] {
      let hits = depths[1...capacity].reduce(0, +)
      let share = weights[..<capacity].reduce(0, +) / weights.reduce(0, +)
      #expect(isNear(Double(hits) / 20_000, 0.9 * share, within: 0.015), "capacity \(capacity)")
    }
  }

  @Test(arguments: [1, 7, 500, 5000])
  func theRecencyStackIsAListInOrder(_ most: Int) {
    var stack = RecencyStack()
    var list: [UInt64] = []
    var random = SeededNumbers(UInt64(most))
    for key in 0..<6000 as Range<UInt64> {
      if list.count == most || !list.isEmpty && Bool.random(using: &random) {
        let depth = Int.random(in: 1...list.count, using: &random)
        #expect(stack.remove(at: depth) == list.remove(at: list.count - depth))
      }
      stack.push(key)
      list.append(key)
      #expect(stack.count == list.count)
    }
  }

  @Test func newObjectsArriveAndOldOnesAreForgotten() throws {
    let keys = try keys("arrivals:new=0.2:alpha=1:window=1000:requests=50000")
    var arrived: UInt64 = 0
    var ages = [Int](repeating: 0, count: 1000)
    for key in keys {
      if key == arrived { arrived += 1 } else { ages[Int(arrived - 1 - key)] += 1 }
    }
    #expect(isNear(Double(arrived) / 50_000, 0.2, within: 0.01))
    let again = Double(ages.reduce(0, +))
    let harmonic = (1...1000).map { 1 / Double($0) }.reduce(0, +)
    for age in [1, 2, 10] {
      let expected = 1 / Double(age) / harmonic
      #expect(isNear(Double(ages[age - 1]) / again, expected, within: 0.01))
    }
  }

  @Test func poissonRequestsAreIndependent() throws {
    let workload = try SyntheticWorkload(
      phases: ["uniform:requests=50000"], times: "poisson:rate=100")
    let times = try #require(try TraceGenerators.trace(workload, columns: .times).times)
    let gaps = zip(times, times.dropFirst()).map { Double($1 - $0) / 1e7 }
    #expect(isNear(mean(gaps), 1, within: 0.02))
    #expect(isNear(deviation(gaps, from: 1), 1, within: 0.03))
    #expect(isNear(share(gaps) { $0 > 1 }, exp(-1), within: 0.01))
  }

  @Test func periodicRequestsAreAtEqualDistances() throws {
    let workload = try SyntheticWorkload(phases: ["scan:requests=9"], times: "periodic:rate=0.5")
    let times = try TraceGenerators.trace(workload, columns: .times).times
    #expect(times.map(Array.init) == (0..<9).map { $0 * 2_000_000_000 })
  }

  private func sizes(_ distribution: String) throws -> [Double] {
    let workload = try SyntheticWorkload(phases: ["scan:requests=20000"], sizes: distribution)
    let sizes = try TraceGenerators.trace(workload, columns: .sizes).sizes
    return try #require(sizes).map { Double($0) }
  }

  @Test func sizesAreDistributedAsAsked() throws {
    #expect(try sizes("constant:bytes=4KiB").allSatisfy { $0 == 4096 })

    let uniform = try sizes("uniform:min=10:max=20")
    #expect(Set(uniform) == Set((10...20).map(Double.init)))
    #expect(isNear(mean(uniform), 15, within: 0.1))

    let lognormal = try sizes("lognormal:mean=1MB:sigma=1")
    #expect(isNear(mean(lognormal), 1e6, within: 4e4))
    let logarithms = lognormal.map { log($0) }
    let centre = mean(logarithms)
    #expect(isNear(centre, log(1e6) - 0.5, within: 0.02))
    #expect(isNear(deviation(logarithms, from: centre), 1, within: 0.02))

    let pareto = try sizes("pareto:min=1000:shape=1.5:max=1MB")
    #expect(pareto.allSatisfy { $0 >= 1000 && $0 <= 1e6 })
    for size in [2000.0, 10_000, 100_000] {
      let expected = pow(1000 / size, 1.5)
      #expect(isNear(share(pareto) { $0 > size }, expected, within: 0.01))
    }
  }
}
