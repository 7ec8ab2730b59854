import EvictionCore
import Experiments
import Parameters
import Rendering
import Requests
import Results
import Runner
import Traces

/// The catalogs as JSON, for programs: `{"schema": "evictionlab.catalog/1", "policies": […]}`.
enum CatalogDocument {
  /// The schema that documents of this kind name.
  static let schema = "evictionlab.catalog/1"

  /// A document of catalogs, each under its name.
  static func json(_ catalogs: [(name: String, entries: [JSON])]) -> JSON {
    .object(
      [JSON.Member("schema", .string(schema))]
        + catalogs.map { JSON.Member($0.name, .array($0.entries)) })
  }
}

extension PolicyDescription {
  /// The policy's entry in a catalog document.
  var json: JSON {
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
  var json: JSON {
    [
      "name": .string(name), "summary": .string(summary),
      "parameters": .array(nestedParameters.map(\.json)), "paper": .string(paper),
      "idea": .string(idea), "decision": .string(decision), "complexity": .string(complexity),
      "differences": .string(differences), "needsSizes": .boolean(needsSizes),
      "mayRefuse": .boolean(mayRefuse), "needs": .array(needs.names.map { .string($0) }),
    ]
  }
}

extension CatalogEntry {
  /// The entry in a catalog document.
  var json: JSON {
    [
      "name": .string(name), "summary": .string(summary),
      "parameters": .array(parameters.map(\.json)),
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

extension TextTable {
  /// Parameters with their defaults, ranges and what they do.
  init(parameters: [Parameter]) {
    self.init([
      Column("parameter"), Column("default"), Column("range", isProse: true),
      Column("what it does", isProse: true),
    ])
    for parameter in parameters {
      let value = parameter.defaultValue?.description ?? "–"
      append([
        Cell(parameter.name), Cell(value), Cell(parameter.kind.range), Cell(parameter.help),
      ])
    }
  }
}
