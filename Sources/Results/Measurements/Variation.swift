import Parameters

/// The difference of a run from the planned one, in something that chance decides elsewhere.
package struct Variation: Documented, Hashable {
  /// The part that differs.
  package enum Kind: String, Sendable, CaseIterable, JSONValue {
    /// Requests change places.
    case order
    /// The run begins at a later request.
    case beginning
    /// The capacity is a little larger or smaller.
    case size
  }

  package var kind = Kind.order
  /// Nil for all but orders.
  package var model: String?
  package var extent = 0.0
  package var number = 1
  /// The capacity of the run; nil for all but sizes. It follows from the others.
  package var capacity: Int?

  package init() {}

  /// A variation.
  package init(_ kind: Kind, model: String? = nil, extent: Double, number: Int) {
    self.kind = kind
    self.model = model
    self.extent = extent
    self.number = number
  }

  package static let fields: [Field<Variation>] = [
    Field("kind", \.kind, "what differs", .exact),
    .omittable("model", \.model, "how requests change places", .exact),
    Field(
      "extent", \.extent,
      "of an order, how many places a request moves at most; of a beginning, in which share of the requests it lies; of a size, by which share the capacity differs at most",
      .exact),
    Field("number", \.number, "which of them it is, from 1 on: the seed of what is drawn", .exact),
    .omittable("capacity", \.capacity, "the capacity of the run, for another size", .exact),
  ]

  /// The most places that a request moves.
  package static let longestReach = 1 << 20

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    let isOrder = kind == .order
    let isKnown =
      isOrder
      ? (1...Double(Variation.longestReach)).contains(extent) && extent == extent.rounded()
      : extent > 0 && extent <= 0.5
    if !isKnown {
      throw object["extent"].wrong(isOrder ? "a number of places" : "a share up to 0.5")
    }
    if number < 1 { throw object["number"].wrong("1 or more") }
  }

  package static func == (left: Variation, right: Variation) -> Bool {
    left.number == right.number && left.isAlike(right)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(model)
    hasher.combine(extent)
    hasher.combine(number)
  }

  /// True where the two differ at most in their numbers.
  package func isAlike(_ other: Variation) -> Bool {
    kind == other.kind && model == other.model && extent == other.extent
  }

  /// The difference as one reads it: `order 3 (window, 64 places)`.
  package var label: String {
    switch kind {
    case .order: "order \(number) (\(model ?? ""), \(Int(extent)) places)"
    case .beginning: "beginning \(number) (\(extent.percent))"
    case .size: "size \(number) (\(extent.percent))"
    }
  }
}

/// By how much variations of one kind move a hit ratio, or a miss ratio.
package struct VariationSpread: Sendable, Equatable {
  /// The kind.
  package let kind: Variation.Kind
  /// The number of runs.
  package let runs: Int
  /// The mean of their ratios.
  package let mean: Double
  /// The standard deviation of their ratios.
  package let deviation: Double

  /// The spread of ratios; nil for fewer than two.
  package init?(_ kind: Variation.Kind, _ ratios: [Double]) {
    guard ratios.count > 1, let mean = ratios.mean else { return nil }
    self.kind = kind
    runs = ratios.count
    self.mean = mean
    let squares = ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    deviation = (squares / Double(ratios.count - 1)).squareRoot()
  }

  /// A standard deviation below the mean to one above.
  package var range: ClosedRange<Double> { mean - deviation...mean + deviation }
}
