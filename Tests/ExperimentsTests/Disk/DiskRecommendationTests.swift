import Results
import Testing

struct DiskRecommendationTests {
  /// A round in which reading `size` bytes takes 1 000 ns and 1 ns a byte in the database, and `file` ns
  /// from a file, seen with the thresholds 0 and 2^16.
  private func round(_ number: Int, file: Double) -> [Measurement] {
    [0, 1 << 16].map { threshold in
      var measurement = Measurement(kind: .disk, trace: "t", policy: "lru", capacity: 10)
      var disk = DiskMeasures {
        $0.setup.round = number
        $0.setup.inlineThreshold = threshold
        $0.setup.pageSize = 4_096
        $0.setup.durability = "none"
      }
      disk.sizes = (8..<16).map { exponent in
        var size = SizeTimes {
          $0.from = 1 << exponent
          $0.isInline = threshold > 0
        }
        size.reads = 10
        size.read = threshold > 0 ? 1_000 + Double(1 << exponent) : file
        return size
      }
      measurement.disk = disk
      return measurement
    }
  }

  @Test func theThresholdLiesWhereFilesBecomeFaster() throws {
    // At 2^12 the database takes 5 096 ns, at 2^13 9 192.
    let measurements = round(1, file: 8_000) + round(2, file: 3_000) + round(3, file: 8_000)
    let recommendation = try #require(
      DiskRecommendation.recommendations(from: measurements).first)
    #expect(recommendation.rounds == 3)
    #expect(recommendation.coverage == 0.75)
    // The largest size that is still in the database.
    #expect(recommendation.inlineThreshold == (1 << 13) - 1)
    #expect(recommendation.interval == (1 << 11) - 1...(1 << 13) - 1)
    let read = try #require(recommendation.crossovers.first)
    #expect(recommendation.crossovers.count == 1)
    #expect(read.operation == "read")
    // Between the middles of two sizes.
    let size = try #require(read.size)
    #expect(size > 4_096 && size < 1.5 * 8_192)
    #expect(try #require(read.low) < 4_096)
    #expect(recommendation.text.hasPrefix("An inline threshold of 8191 bytes is the fastest here "))
  }

  @Test func filesMayAlwaysOrNeverBeFaster() throws {
    let always = try #require(DiskRecommendation.recommendations(from: round(1, file: 1)).first)
    #expect(always.inlineThreshold == (1 << 8) - 1)
    #expect(always.crossovers.first?.size == 0)
    let never = try #require(DiskRecommendation.recommendations(from: round(1, file: 1e9)).first)
    #expect(never.inlineThreshold == (1 << 16) - 1)
    #expect(never.crossovers.first?.size == nil)
    #expect(never.text.contains("read never"))
  }

  @Test func valuesOfTheOnlySizeGoWhereTheyAreFaster() throws {
    func recommended(file: Double) throws -> Int {
      var measurements = round(1, file: file)
      for index in measurements.indices {
        measurements[index].disk?.sizes.removeAll { $0.from != 1 << 15 }
      }
      return try #require(
        DiskRecommendation.recommendations(from: measurements).first
      ).inlineThreshold
    }
    #expect(try recommended(file: 1_000) < 1 << 15)
    #expect(try recommended(file: 1e6) >= (1 << 16) - 1)
  }

  @Test func onlyRoundsThatChooseAreCounted() throws {
    let seenOnce = round(3, file: 1).filter { $0.disk?.setup.inlineThreshold == 0 }
    let measurements = round(1, file: 8_000) + round(2, file: 8_000) + seenOnce
    let recommendation = try #require(
      DiskRecommendation.recommendations(from: measurements).first)
    #expect(recommendation.rounds == 2)
    #expect(recommendation.coverage == 0.5)
  }

  @Test func oneThresholdAloneRecommendsNothing() {
    let measurements = round(1, file: 1).filter { $0.disk?.setup.inlineThreshold == 0 }
    #expect(DiskRecommendation.recommendations(from: measurements).isEmpty)
  }
}
