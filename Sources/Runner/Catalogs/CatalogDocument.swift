import EvictionCore
import Parameters
import Prefixes
import Requests
import Results

/// The catalogs as JSON, for programs: `{"schema": "evictionlab.catalog/1", "policies": […]}`.
package enum CatalogDocument {
  /// The schema that documents of this kind name.
  package static let schema = "evictionlab.catalog/1"

  /// A document of catalogs, each under its name.
  package static func json(_ catalogs: [(name: String, entries: [JSON])]) -> JSON {
    .object(
      [JSON.Member("schema", .string(schema))]
        + catalogs.map { JSON.Member($0.name, .array($0.entries)) })
  }
}

extension PolicyDescription {
  /// The policy's entry in a catalog document.
  package var json: JSON {
    [
      "name": .string(information.name), "summary": .string(information.summary),
      "parameters": .array(parameters.map(\.json)), "paper": .string(information.paper),
      "bytesPerEntry": .integer(information.bytesPerSlot),
      "idea": .string(information.idea), "hit": .string(information.hit),
      "miss": .string(information.miss), "eviction": .string(information.eviction),
      "ghosts": .string(information.ghosts), "complexity": .string(information.complexity),
      "differences": .string(information.differences),
      "minimumCapacity": .integer(information.minimumCapacity),
      "isBound": .boolean(information.isBound),
      "isReinterpretation": .boolean(information.isReinterpretation),
      "variants": .array(information.variants.map { .string("\($0)") }),
      "mayRefuse": .boolean(information.mayRefuse(Arguments(parameters: parameters))),
      "needs": .array(needs.names.map { .string($0) }),
    ]
  }
}

extension AdmissionInformation {
  /// The filter's entry in a catalog document; its parameters as they are written behind a policy.
  package var json: JSON {
    [
      "name": .string(name), "summary": .string(summary),
      "parameters": .array(nestedParameters.map(\.json)), "paper": .string(paper),
      "idea": .string(idea), "decision": .string(decision), "complexity": .string(complexity),
      "differences": .string(differences), "needsSizes": .boolean(needsSizes),
      "mayRefuse": .boolean(mayRefuse), "needs": .array(needs.names.map { .string($0) }),
    ]
  }
}

extension PrefetcherInformation {
  /// The prefetcher's entry in a catalog document; its parameters as they are written behind a policy.
  package var json: JSON {
    [
      "name": .string(name), "summary": .string(summary),
      "parameters": .array(nestedParameters.map(\.json)), "paper": .string(paper),
      "idea": .string(idea), "decision": .string(decision), "complexity": .string(complexity),
      "differences": .string(differences), "readsKeys": .boolean(readsKeys),
    ]
  }
}

extension CatalogEntry {
  /// The entry in a catalog document.
  package var json: JSON {
    [
      "name": .string(name), "summary": .string(summary),
      "parameters": .array(parameters.map(\.json)),
    ]
  }
}

extension LeafOrderEntry {
  /// The order's entry in a catalog document.
  package var json: JSON {
    [
      "name": .string(information.name), "summary": .string(information.summary),
      "origin": .string(origin), "parameters": .array(information.parameters.map(\.json)),
    ]
  }
}

extension Parameter {
  fileprivate var json: JSON {
    [
      "name": .string(name), "type": .string(kind.name),
      "default": defaultValue.map { JSON($0) } ?? .null, "range": .string(kind.range),
      "help": .string(help),
    ]
  }
}
