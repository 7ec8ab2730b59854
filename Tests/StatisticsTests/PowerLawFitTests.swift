import Foundation
import Statistics
import Testing

@Suite struct PowerLawFitTests {
  /// As many of each value as the law says, from `first` on.
  private func law(_ alpha: Double, from first: Int, size: Double) -> [Int] {
    (first..<2_000).flatMap { x in
      [Int](repeating: x, count: Int((size * pow(Double(x) / Double(first), -alpha)).rounded()))
    }
  }

  @Test(arguments: [2.5, 3.5])
  func valuesOfTheLawGiveItsExponent(_ alpha: Double) throws {
    let fit = try PowerLawFit(law(alpha, from: 3, size: 1e5), from: 3)
    // Counts are whole numbers and end at 2000, so that the law is met only so far.
    #expect(abs(fit.alpha - alpha) < 0.01)
    #expect(fit.distance < 2e-3)
    #expect(fit.interval().contains(fit.alpha))
  }

  @Test func tailIsFoundWhereItBegins() throws {
    let body = (1..<10).flatMap { [Int](repeating: $0, count: 300) }
    let fit = try PowerLawFit(body + law(2.2, from: 10, size: 800))
    #expect((9...14).contains(fit.from))
    #expect(abs(fit.alpha - 2.2) < 0.1)
  }

  @Test func sharesFall() throws {
    let fit = try PowerLawFit(law(2.5, from: 3, size: 1e4), from: 3)
    #expect(fit.share(from: 2) == 1 && fit.share(from: 3) == 1)
    #expect(abs(fit.share(from: 30) - pow(10, -1.5)) < 0.01)
  }

  @Test func bootstrapTellsTheLawFromSteps() throws {
    let law = try PowerLawFit(law(2.5, from: 2, size: 150), from: 2)
    #expect(law.pValue(replicates: 19, seed: 1) > 0.1)
    let steps = try PowerLawFit(
      [Int](repeating: 2, count: 200) + [Int](repeating: 20, count: 200), from: 2)
    #expect(steps.pValue(replicates: 19, seed: 1) == 0.05)
    #expect(law.pValue(replicates: 9, seed: 4) == law.pValue(replicates: 9, seed: 4))
  }

  @Test func littleAndWrongIsRefused() {
    let few = #expect(throws: StatisticsError.self) { try PowerLawFit([1, 2, 3]) }
    #expect(
      few?.description == "3 values in the tail, and at least 10 are needed; "
        + "take more, and not all the same")
    #expect(throws: StatisticsError.self) { try PowerLawFit([Int](repeating: 7, count: 100)) }
    let zero = #expect(throws: StatisticsError.self) { try PowerLawFit([1, 0, 2]) }
    #expect(zero?.description == "value 2 is 0.0; values are 1 to 2^52")
    #expect(throws: StatisticsError.self) { try PowerLawFit([1, Int.max]) }
    #expect(throws: StatisticsError.self) { try PowerLawFit([1, 2], from: 0) }
  }

  @Test func largeValuesAreFitted() throws {
    let values = (0..<100).map { (1 << 40) + ($0 * $0 << 30) }
    let fit = try PowerLawFit(values, from: 1 << 40)
    #expect(fit.alpha > 1 && fit.distance < 1)
  }
}
