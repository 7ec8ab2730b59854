import Laboratory
import Testing

/// Hit counts that must not change unless a policy's definition does. The plain models give the same on
/// the first requests of these traces.
@Suite("Hit counts on the bundled traces stay", .inReleaseBuilds)
struct BundledCountsTests {
  struct Row: CustomTestStringConvertible {
    let trace: String
    let capacity: Int
    let hits: [String: Int]

    var testDescription: String { "\(trace) at \(capacity)" }
  }

  static let rows = [
    Row(
      trace: "build.csv.zst", capacity: 100,
      hits: [
        "lru": 33_256, "fifo": 30_841, "lfu": 50_173, "mru": 23_780,
        "random": 38_870, "arc": 51_655, "slru": 49_363,
      ]),
    Row(
      trace: "build.csv.zst", capacity: 400,
      hits: [
        "lru": 142_066, "fifo": 139_516, "lfu": 136_589, "mru": 95_068,
        "random": 139_139, "arc": 143_129, "slru": 139_344,
      ]),
    Row(
      trace: "history.txt.zst", capacity: 300,
      hits: [
        "lru": 72_934, "fifo": 72_380, "lfu": 16_290, "mru": 9334,
        "random": 70_579, "arc": 72_447, "slru": 67_522,
      ]),
    Row(
      trace: "history.txt.zst", capacity: 3000,
      hits: [
        "lru": 102_883, "fifo": 102_423, "lfu": 145_925, "mru": 98_431,
        "random": 135_688, "arc": 104_251, "slru": 145_258,
      ]),
    Row(
      trace: "orders.txt.zst", capacity: 100,
      hits: [
        "lru": 142_210, "fifo": 124_724, "lfu": 125_858, "mru": 9965,
        "random": 123_015, "arc": 151_563, "slru": 145_081,
      ]),
    Row(
      trace: "orders.txt.zst", capacity: 1000,
      hits: [
        "lru": 251_620, "fifo": 239_421, "lfu": 248_043, "mru": 83_311,
        "random": 238_171, "arc": 258_620, "slru": 261_235,
      ]),
    Row(
      trace: "search.txt.zst", capacity: 200,
      hits: [
        "lru": 3595, "fifo": 3600, "lfu": 5565, "mru": 3471,
        "random": 3203, "arc": 6304, "slru": 5552,
      ]),
    Row(
      trace: "search.txt.zst", capacity: 2000,
      hits: [
        "lru": 14_044, "fifo": 14_374, "lfu": 27_093, "mru": 40_106,
        "random": 49_340, "arc": 29_634, "slru": 27_093,
      ]),
    Row(
      trace: "zipf.txt.zst", capacity: 964,
      hits: [
        "lru": 134_178, "fifo": 125_271, "lfu": 145_566, "mru": 26_063,
        "random": 125_670, "arc": 144_591, "slru": 145_549,
      ]),
    Row(
      trace: "hotscan.txt.zst", capacity: 550,
      hits: [
        "lru": 33_259, "fifo": 28_874, "lfu": 58_676, "mru": 10_068,
        "random": 28_913, "arc": 59_084, "slru": 53_943,
      ]),
  ]

  @Test("for every policy", arguments: rows)
  func goldenCounts(row: Row) throws {
    let stream = RequestStream(try WholeTraces.load(row.trace), needs: .nextUse)
    var hits: [String: Int] = [:]
    for runner in PolicyRunner.all {
      let name = runner.information.name
      hits[name] = try simulate(name, stream, capacity: row.capacity).hits
    }
    #expect(hits == row.hits)
  }
}
