import Parameters

/// Values measured one after the other, put together into batches so long that the batches' medians do not
/// depend on each other any more.
///
/// Batches begin with one value each and double until the test finds nothing at 5 %, or fewer than 20 would
/// be left. Medians let single wild values pass.
///
/// - Paper: G. S. Fishman, “Grouping observations in digital simulation”, Management Science 24(5), 1978.
struct IndependentBatches: Equatable {
  /// The remaining test when batches got as long as they can.
  let independence: SerialIndependenceTest
  /// Values in a batch.
  let length: Int
  /// The batches' medians.
  let medians: [Double]

  /// Values that it takes.
  static let least = 10

  init(_ values: [Double]) throws(StatisticsError) {
    var length = 1
    while true {
      let count = values.count / length
      let medians = (0..<count).map { batch in
        Array(values[batch * length..<(batch + 1) * length]).median ?? 0
      }
      let test = try SerialIndependenceTest(medians)
      if test.pValue >= 0.05 || values.count / (2 * length) < 20 {
        (self.independence, self.length, self.medians) = (test, length, medians)
        return
      }
      length *= 2
    }
  }
}
