import Eviction
import EvictionCore
import RecordedTraces
import Requests
import SimulatedCounts
import Testing

/// The hit ratios of the ARC paper's tables, and the counts behind them.
@Suite("Published hit counts come out to the last hit", .inReleaseBuilds, .withPublicTraces)
struct PublishedCountsTests {
  struct Row: CustomTestStringConvertible {
    let trace: String
    let policy: String
    /// Capacity, hit ratio in per cent as printed, hits.
    let cells: [(capacity: Int, percent: String, hits: Int)]

    var testDescription: String { "\(policy) on \(trace)" }
  }

  static let rows = [
    Row(
      trace: "OLTP.lis.zst", policy: "lru",
      cells: [
        (1_000, "32.83", 300_122), (2_000, "42.47", 388_235), (5_000, "53.65", 490_443),
        (10_000, "60.70", 554_906), (15_000, "64.63", 590_851),
      ]),
    Row(
      trace: "OLTP.lis.zst", policy: "arc",
      cells: [
        (1_000, "38.95", 356_015), (2_000, "46.08", 421_200), (5_000, "55.25", 505_080),
        (10_000, "61.87", 565_609), (15_000, "65.40", 597_857),
      ]),
    Row(
      trace: "OLTP.lis.zst", policy: "arc:arithmetic=integer",
      cells: [
        (1_000, "39.06", 357_049), (2_000, "46.17", 422_026), (5_000, "55.12", 503_840),
        (10_000, "61.92", 566_021), (15_000, "65.58", 599_472),
      ]),
    Row(trace: "P2.lis.zst", policy: "lru", cells: [(32_768, "18.47", 2_350_757)]),
    Row(trace: "P2.lis.zst", policy: "arc", cells: [(32_768, "27.38", 3_485_175)]),
    Row(trace: "P3.lis.zst", policy: "lru", cells: [(32_768, "3.57", 139_485)]),
    Row(trace: "P3.lis.zst", policy: "arc", cells: [(32_768, "17.11", 669_507)]),
  ]

  @Test("for LRU, ARC and ARC in whole numbers", arguments: rows)
  func publishedCounts(row: Row) throws {
    let stream = RequestStream(try WholeTraces.load(row.trace))
    for cell in row.cells {
      let counts = try simulate(row.policy, stream, capacity: cell.capacity)
      #expect(counts.hits == cell.hits, "\(row.policy) at \(cell.capacity)")
      #expect(percent(counts.hits, of: counts.requests) == cell.percent)
    }
  }

  /// Rounded half up to two decimals, exactly.
  private func percent(_ hits: Int, of requests: Int) -> String {
    let hundredths = (hits * 20_000 + requests) / (2 * requests)
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
  }
}
