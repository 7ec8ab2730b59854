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

  /// The orders among specifications such as `lru`, `lru,reuse-odds:age=0.5` and `all`, and the specifications of
  /// policies, which are the others.
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
      let name = text.prefix { $0 != ":" }
      guard let entry = LeafOrders.all.first(where: { $0.information.name == name }) else {
        others.append(text)
        continue
      }
      do throws(SpecificationError) {
        let specification = try Specification(parsing: text)
        orders.append(
          LeafOrderChoice(
            entry: entry,
            arguments: try specification.arguments(for: entry.information.parameters),
            isNamed: true))
      } catch { throw .specification(error) }
    }
    return (orders, others)
  }
}
