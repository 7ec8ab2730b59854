import Eviction
import Testing

@Suite struct LiveMissRatioCurveTests {
  /// Skewed keys: the smaller one of two.
  private func keys(_ count: Int, below bound: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in min(random.index(below: bound), random.index(below: bound)) }
  }

  /// Gets, each filled when it misses; the misses.
  private func run(
    _ keys: [Int], countLimit: Int, observer: (any CacheObserver)? = nil
  ) throws -> Int {
    let cache = MemoryCache<Int, Int>(
      countLimit: countLimit, policy: .lru, seed: 42, observer: observer)
    for key in keys where cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
    return cache.statistics.misses
  }

  @Test(arguments: [40, 400])
  func ofAllKeysItIsExact(countLimit: Int) throws {
    let keys = keys(20_000, below: 2_000, seed: 1)
    let curve = LiveMissRatioCurve(ratio: 1)
    _ = try run(keys, countLimit: countLimit, observer: curve)
    #expect(curve.ratio == 1)
    // From 128 on these are the largest sizes of their classes.
    for capacity in [1, 2, 17, 127, 129, 131, 255, 519, 1_039] {
      let misses = try run(keys, countLimit: capacity)
      let ratio = try #require(curve.missRatio(atCapacity: capacity, gets: keys.count))
      #expect(Int((ratio * Double(keys.count)).rounded()) == misses, "capacity \(capacity)")
    }
    let points = curve.points()
    #expect(points == points.sorted { $0.capacity < $1.capacity })
    #expect(points.map(\.missRatio) == points.map(\.missRatio).sorted(by: >))
  }

  @Test func costsAreSizes() {
    let curve = LiveMissRatioCurve(ratio: 1, countsCosts: true)
    curve.cacheDid(.miss, keyHash: 1, cost: 0)
    curve.cacheDid(.insertion, keyHash: 1, cost: 30)
    curve.cacheDid(.miss, keyHash: 2, cost: 0)
    curve.cacheDid(.insertion, keyHash: 2, cost: 12)
    curve.cacheDid(.hit, keyHash: 1, cost: 30)
    #expect(curve.points().map(\.capacity) == [42])
    #expect(curve.points().map(\.missRatio) == [2.0 / 3])
    curve.cacheDid(.update, keyHash: 1, cost: 20)
    curve.cacheDid(.hit, keyHash: 1, cost: 20)
    #expect(curve.points().map(\.capacity) == [20, 42])
    #expect(curve.missRatio(atCapacity: 19) == 1)
  }

  @Test func absurdCostsAreSurvived() throws {
    let curve = LiveMissRatioCurve(ratio: 1, countsCosts: true)
    let cache = MemoryCache<Int, Int>(costLimit: 10, costs: .given, policy: .lru, observer: curve)
    for key in 0..<50 { #expect(!cache.set(key, forKey: key, cost: .max)) }
    for key in 0..<50 { #expect(cache.value(forKey: key) == nil) }
    #expect(curve.followed == 50)
    #expect(curve.missRatio(atCapacity: 1 << 40) == 1 && curve.missRatio(atCapacity: .max) == 0)
  }

  @Test func onlyGetsCountAndRemovalsForget() {
    let curve = LiveMissRatioCurve(ratio: 1)
    #expect(curve.missRatio(atCapacity: 1) == nil && curve.points().isEmpty)
    curve.cacheDid(.insertion, keyHash: 7, cost: 1)
    #expect(curve.missRatio(atCapacity: 1) == nil)
    curve.cacheDid(.hit, keyHash: 7, cost: 1)
    #expect(curve.missRatio(atCapacity: 1) == 0)
    curve.cacheDid(.removal, keyHash: 7, cost: 1)
    curve.cacheDid(.miss, keyHash: 7, cost: 0)
    #expect(curve.missRatio(atCapacity: 1_000) == 0.5 && curve.followed == 1)
  }

  @Test func theSampleStaysBounded() throws {
    let keys = keys(60_000, below: 20_000, seed: 2)
    let curve = LiveMissRatioCurve(ratio: 1, followedKeys: 2_000)
    let misses = try run(keys, countLimit: 4_000, observer: curve)
    #expect(curve.followed <= 2_000 && curve.followed > 500)
    // Halved as often as needed: about 20 000 keys were requested.
    #expect(curve.ratio == 0.0625 || curve.ratio == 0.125)
    let ratio = try #require(curve.missRatio(atCapacity: 4_000, gets: keys.count))
    #expect(abs(ratio - Double(misses) / Double(keys.count)) < 0.06)
  }

  @Test func keysOutsideTheSampleAreNotFollowed() throws {
    let curve = LiveMissRatioCurve(ratio: 0.25)
    _ = try run(Array(0..<4_000), countLimit: 100, observer: curve)
    #expect((900...1_100).contains(curve.followed))
    #expect(curve.missRatio(atCapacity: 100) == 1)
  }

  @Test func samplesOfKeysAreNested() {
    let half = SpatialSample(ratio: 0.5, salt: 3)
    let all = SpatialSample.all
    #expect(all.ratio == 1 && half.ratio == 0.5)
    let hashes = (0..<1_000).map { SplitMix64.mix($0) }
    let inHalf = hashes.filter { half.contains($0) }
    #expect((430...570).contains(inHalf.count))
    #expect(hashes.filter { all.contains($0) }.count == 1_000)
    let quarter = SpatialSample(ratio: 0.25, salt: 3)
    #expect(hashes.filter { quarter.contains($0) } == inHalf.filter { quarter.contains($0) })
    #expect(SpatialSample(ratio: 0.25, salt: 4) != quarter)
  }
}
