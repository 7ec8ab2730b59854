import EvictionCore
import Parameters
import Results

/// An order of caches of prefixes with its parameters, as a user wrote it.
package struct LeafOrderChoice: Sendable {
  /// Runs it.
  package let entry: LeafOrderEntry
  /// Its parameters, typed.
  package let arguments: Arguments
  /// False for a member of `all`.
  package let isNamed: Bool

  /// The order with its parameters, as results name it.
  package var label: String {
    Measurement.label(of: entry.information.name, Measurement.parameters(arguments))
  }

  /// The orders among specifications such as `lru`, `lru,reuse-odds:age=0.5`, `all` and `all,-frequency`, and the
  /// specifications of policies, which are the others.
  package static func parse(
    _ texts: [String]
  ) throws(PolicyError) -> (orders: [LeafOrderChoice], others: [String]) {
    var orders: [LeafOrderChoice] = []
    var others: [String] = []
    for text in texts.flatMap(\.listItems) {
      if text == "all" {
        orders += LeafOrders.all.map {
          LeafOrderChoice(
            entry: $0, arguments: Arguments(parameters: $0.information.parameters), isNamed: false)
        }
      }
      let isLeftOut = text.hasPrefix("-")
      guard let order = try LeafOrderChoice(parsing: String(text.dropFirst(isLeftOut ? 1 : 0)))
      else {
        others.append(text)
        continue
      }
      if isLeftOut {
        orders.removeAll { $0.isCovered(by: order) }
        if orders.isEmpty && others.isEmpty {
          throw .conflict(
            policy: order.label, explanation: "is left out, and no other policy is named before")
        }
      } else {
        orders.append(order)
      }
    }
    return (orders, others)
  }
}

extension LeafOrderChoice {
  /// Returns nil where no order has that name.
  fileprivate init?(parsing text: String) throws(PolicyError) {
    let name = text.prefix { $0 != ":" }
    guard let entry = LeafOrders.all.first(where: { $0.information.name == name }) else {
      return nil
    }
    do throws(SpecificationError) {
      let specification = try Specification(parsing: text)
      self.init(
        entry: entry, arguments: try specification.arguments(for: entry.information.parameters),
        isNamed: true)
    } catch { throw .specification(error) }
  }

  /// True where another choice names this order: without parameters, or with the same.
  fileprivate func isCovered(by other: LeafOrderChoice) -> Bool {
    entry.information.name == other.entry.information.name
      && (other.arguments.given.isEmpty || arguments.given == other.arguments.given)
  }
}
