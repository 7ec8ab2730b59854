import CacheReplay
import Eviction
import EvictionCore
import Foundation
import Testing

@Suite struct DurationHistogramTests {
  private static let values: [UInt64] = {
    var random = SplitMix64(seed: 9)
    return (0..<30_000).map { _ in UInt64(random.index(below: 1 << random.index(below: 30) + 1)) }
  }()

  @Test func mergedThreadsAreAsOne() {
    var whole = DurationHistogram()
    var threads = [DurationHistogram](repeating: DurationHistogram(), count: 7)
    for (index, value) in Self.values.enumerated() {
      whole.record(value)
      threads[index % 7].record(value)
    }
    let merged = DurationHistogram(merging: threads)
    #expect(merged.latency == whole.latency)
    #expect(merged.summary == whole.summary)
    #expect(merged.percentileDistribution == whole.percentileDistribution)
  }

  @Test func exportIsHdrHistogramsPercentileDistribution() throws {
    var histogram = DurationHistogram()
    for value in Self.values { histogram.record(value) }
    let text = histogram.percentileDistribution
    #expect(text.hasPrefix("       Value     Percentile TotalCount 1/(1-Percentile)\n\n"))
    let file = try PercentileFile(text)
    #expect(file.count == Self.values.count)
    #expect(file.rows.last?.percentile == 1)
    #expect(file.rows.last?.total == Self.values.count)
    let longest = Double(try #require(Self.values.max()))
    #expect(abs(file.max / longest - 1) < 0.001)
    let sorted = Self.values.sorted()
    for (row, next) in zip(file.rows, file.rows.dropFirst()) {
      #expect(row.percentile < next.percentile && row.value <= next.value)
      #expect(abs(row.inverse * (1 - row.percentile) - 1) < 0.01)
      // To three digits, as many values lie at or below this one as the row says.
      let exact = Double(sorted[row.total - 1])
      #expect(row.value >= exact && row.value <= exact * 1.001 + 1)
      #expect(Double(row.total) >= row.percentile * Double(file.count) - 1)
    }
    let mean = Double(Self.values.reduce(0, +)) / Double(Self.values.count)
    #expect(abs(file.mean / mean - 1) < 0.001)
  }

  @Test func exportOfNothingIsReadable() throws {
    let file = try PercentileFile(DurationHistogram().percentileDistribution)
    #expect(file.rows.isEmpty && file.count == 0)
  }
}

/// Reads the layout that HdrHistogram's `outputPercentileDistribution` writes: a heading, an empty line,
/// rows of value, percentile, count and 1/(1 − percentile), the last without it, and lines of `#[…]`.
private struct PercentileFile {
  struct Row {
    let value: Double
    let percentile: Double
    let total: Int
    let inverse: Double
  }

  var rows: [Row] = []
  var mean = 0.0
  var max = 0.0
  var count = 0

  init(_ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[1].isEmpty)
    for line in lines.dropFirst(2) where !line.hasPrefix("#") && !line.isEmpty {
      let fields = line.split(separator: " ")
      rows.append(
        Row(
          value: try #require(Double(fields[0])), percentile: try #require(Double(fields[1])),
          total: try #require(Int(fields[2])),
          inverse: fields.count == 4 ? try #require(Double(fields[3])) : .infinity))
    }
    mean = try Self.number("Mean", in: text)
    max = try Self.number("Max", in: text)
    count = Int(try Self.number("Total count", in: text))
  }

  private static func number(_ name: String, in text: String) throws -> Double {
    let rest = text[try #require(text.firstRange(of: name)).upperBound...]
    let digits = rest.drop { " =".contains($0) }.prefix { $0.isNumber || $0 == "." }
    return try #require(Double(digits))
  }
}
