/// The policies that the best of a sweep cannot be told apart from over the orders that were run.
package struct OrderLeaders: Sendable, Equatable {
  /// The policies, the best first: one alone is ahead of all others.
  package let policies: [String]
  /// The number of policies that were compared.
  package let compared: Int
  /// The orders in words: `10 orders (window, no request further than 64 places)`.
  package let orders: String
  /// The orders that this number of policies needs; nil where there are enough.
  package let needed: Int?

  /// Leaders.
  package init(policies: [String], compared: Int, orders: String, needed: Int? = nil) {
    self.policies = policies
    self.compared = compared
    self.orders = orders
    self.needed = needed
  }

  /// The conclusion, in a sentence without its full stop.
  package var text: String {
    if let needed {
      return "\(orders) are too few to tell \(compared) policies apart; give --orders \(needed)"
    }
    if policies.count == 1 {
      let others = compared == 2 ? "the other" : "all \(compared - 1) others"
      return "\(policies[0]) is ahead of \(others) over \(orders)"
    }
    let shown = policies.prefix(4)
    let rest = policies.count - shown.count
    let names =
      rest > 0
      ? shown.joined(separator: ", ") + " and \(rest) more"
      : shown.dropLast().joined(separator: ", ") + " and \(shown[shown.count - 1])"
    return "\(names) cannot be told apart over \(orders)"
  }
}
