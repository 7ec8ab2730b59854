import Foundation
import IntervalCoverage
import Statistics
import TestConditions
import Testing

/// Intervals hold the truth as often as results/interval-coverage.md says: in 93 to 97 % of the simulations, and
/// less where the process is not one that they are made for.
@Suite(.enabled(if: isOptimized)) struct CoverageTests {
  private static let promised = 0.93...0.97

  /// The percentages of the table by its lines' first two cells.
  private static let table: [String: Double] = {
    let file = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../results/interval-coverage.md").standardizedFileURL
    let lines = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
    let entries = lines.compactMap { line -> (String, Double)? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > 3, let ratio = Double(cells[3]) else { return nil }
      return ("\(cells[0]) | \(cells[1])", ratio / 100)
    }
    return Dictionary(entries, uniquingKeysWith: { first, _ in first })
  }()

  /// Of fewer simulations than the table's; the difference is four standard errors at most.
  @Test(arguments: CoverageCase.all + CoverageCase.stationarity)
  func tableIsOfThisCode(_ example: CoverageCase) throws {
    let expected = try #require(CoverageTests.table[example.description], "make coverage")
    let (ratio, count) = try example.coverage(simulations: simulations(200))
    let error = (max(expected * (1 - expected), 0.005) / Double(max(count, 1))).squareRoot()
    #expect(abs(ratio - expected) <= 4 * error)
  }

  @Test func tableHasNoOtherLines() {
    let cases = CoverageCase.all + CoverageCase.stationarity
    #expect(Set(CoverageTests.table.keys) == Set(cases.map(\.description)))
  }

  /// What the intervals are made for: processes that the assumptions hold on, with enough data.
  @Test(arguments: [
    "stationary mean | independent, 100 windows", "next trace | independent, 100 windows",
    "stationary mean | AR(1), φ = 0.6, 400 windows", "next trace | AR(1), φ = 0.6, 400 windows",
    "mean over seeds | normal, 5 seeds", "median of repetitions | normal, 30 repetitions",
    "best above next best | independent, 8 policies × 3 capacities, 100 windows, all alike",
  ])
  func assumptionsSuffice(_ line: String) throws {
    #expect(try #require(CoverageTests.table[line]) >= CoverageTests.promised.lowerBound)
  }

  @Test func shiftOfHeavyTailedSets() throws {
    let coverage = try share(of: simulations(1_000)) { draws in
      let first = (0..<20).map { _ in draws.normal() / max(0.1, abs(draws.normal())) }
      let second = (0..<25).map { _ in 3 + draws.normal() / max(0.1, abs(draws.normal())) }
      let interval = try RankSumTest(first, second, of: .timings).interval()
      return interval?.contains(3) == true
    }
    #expect(CoverageTests.promised.contains(coverage))
  }

  @Test(arguments: [(0.5, 400), (0.99, 4_000)])
  func quantile(_ quantile: Double, _ count: Int) throws {
    let coverage = try share(of: simulations(1_000)) { draws in
      let sample = (0..<count).map { _ in -log(1 - draws.uniform()) }
      let interval = try QuantileInterval(sample, quantile, of: .timings).interval()
      return interval?.contains(-log(1 - quantile)) == true
    }
    #expect(CoverageTests.promised.contains(coverage))
  }

  /// The requests at which the interval begins to be given, and a tenth of that, at which it is not.
  @Test(arguments: [(30, 0.2), (60, 0.5), (60, 1.0)])
  func zipf(_ keys: Int, _ alpha: Double) {
    let shares = (1...keys).map { pow(Double($0), -alpha) }
    let sums = shares.indices.map { shares[...$0].reduce(0, +) }
    func coverage(_ requests: Double) -> Double {
      share(of: simulations(400)) { draws in
        var counts = [UInt32](repeating: 0, count: keys)
        for _ in 0..<Int(requests) {
          let place = draws.uniform() * sums[keys - 1]
          counts[sums.firstIndex { $0 > place } ?? keys - 1] += 1
        }
        // Keys are ranked by what was drawn, as those of a trace are.
        counts.sort(by: >)
        guard let fit = ZipfFit(descendingCounts: counts) else { return false }
        return abs(fit.alpha - alpha) <= 1.96 * fit.standardError
      }
    }
    let needed = Double(keys * keys) / (2 * alpha * alpha)
    #expect((0.9...0.98).contains(coverage(needed)))
    #expect(coverage(4 * needed) >= 0.92)
    if alpha < 1 { #expect(coverage(needed / 10) < 0.9) }
  }
}
