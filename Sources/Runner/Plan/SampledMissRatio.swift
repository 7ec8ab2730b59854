/// A miss ratio at a capacity of a whole trace, as a sample of its keys has it.
package struct SampledMissRatio: Sendable {
  package let capacity: Int
  package let missRatio: Double
  /// The standard error of the mean misses of a key, as one of the miss ratio.
  package let error: Double
  /// The part of the miss ratio that is due to the key with the most misses.
  package let largest: Double
  /// The miss ratios that disjoint parts of the sample stand for; none of a whole trace.
  package let parts: [Double]

  package init(
    capacity: Int, missRatio: Double, error: Double, largest: Double, parts: [Double]
  ) {
    self.capacity = capacity
    self.missRatio = missRatio
    self.error = error
    self.largest = largest
    self.parts = parts
  }

  /// The same as small caches have it that miss more often: the sample's and its parts'.
  package func shifted(by error: Double, parts partsError: Double) -> SampledMissRatio {
    SampledMissRatio(
      capacity: capacity, missRatio: missRatio + error, error: self.error, largest: largest,
      parts: parts.map { $0 + partsError })
  }

  /// The mean of the parts above the miss ratio of the sample.
  package var trend: Double { parts.reduce(0, +) / Double(parts.count) - missRatio }
}
