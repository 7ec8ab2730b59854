/// The parameters that a policy had learned at points of a run: ARC's p, a learner's weights, one series per
/// name.
///
///     var internals = InternalsSeries(points: 100)
///     let counts = try runner.run(stream, options: options, internals: &internals)
///     internals.requests           // after how many requests
///     internals["p"]               // ARC's target at each of them
@usableFromInline
package struct InternalsSeries: Documented {
  /// The values of one name.
  package struct Series: Sendable, Equatable {
    /// The policy's name for it.
    package var name: String
    /// One value per point.
    package var values: [Double]

    /// A series with these values.
    package init(name: String, values: [Double]) {
      self.name = name
      self.values = values
    }
  }

  package var requests: [Int]
  package var series: [Series]

  /// The number of points to take, evenly spaced, the last at the end.
  @usableFromInline package let points: Int

  /// The most points that can be taken.
  package static let maximumPoints = 1_000_000

  /// Nothing taken yet; 0 points take nothing.
  package init(points: Int) {
    precondition((0...InternalsSeries.maximumPoints).contains(points), "at most a million points")
    self.points = points
    requests = []
    series = []
  }

  package init() { self.init(points: 0) }

  /// Series that were taken earlier, each with a value per point.
  package init(requests: [Int], series: [Series]) {
    precondition(series.allSatisfy { $0.values.count == requests.count }, "a value per point")
    points = requests.count
    self.requests = requests
    self.series = series
  }

  /// The values of one name, or nil if there is none.
  package subscript(name: String) -> [Double]? { series.first { $0.name == name }?.values }

  /// The next point after `done` of `total` requests: k × total / points for a whole k, floored.
  @usableFromInline
  package func point(after done: Int, of total: Int) -> Int {
    if points == 0 { return total }
    let next = (points * (done + 1) + total - 1) / total
    return next * total / points
  }

  /// Takes the values that `show` passes on, after `done` requests.
  @usableFromInline
  package mutating func take(after done: Int, from show: ((String, Double) -> Void) -> Void) {
    requests.append(done)
    show { name, value in
      if let index = series.firstIndex(where: { $0.name == name }) {
        series[index].values.append(value)
      } else {
        series.append(Series(name: name, values: [value]))
      }
    }
  }

  package static let fields: [Field<InternalsSeries>] = [
    Field("requests", \.requests, "requests done at each point, with the warm-up's", .exact),
    .others(
      than: "requests", \.series, of: Series(name: "", values: []), name: \.name, value: \.values,
      "the values of that name at each point", .exact),
  ]

  package mutating func finish(reading object: JSONNode) throws(ResultSetError) {
    for series in series where series.values.count != requests.count {
      throw object[series.name].wrong("a list of \(requests.count) numbers")
    }
    self = InternalsSeries(requests: requests, series: series)
  }
}
