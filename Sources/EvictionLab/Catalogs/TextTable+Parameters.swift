import Parameters
import Rendering

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
