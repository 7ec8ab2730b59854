import Parameters
import Rendering

extension TextTable {
  /// Parameters with their defaults, ranges and what they do.
  init(parameters: [Parameter]) {
    self.init(
      [
        Column("parameter"), Column("default"), Column("range", isProse: true),
        Column("what it does", isProse: true),
      ],
      rows: parameters.map {
        let value = $0.defaultValue?.description ?? "–"
        return [Cell($0.name), Cell(value), Cell($0.kind.range), Cell($0.help)]
      })
  }

  /// A table of names, each with what it stands for.
  init(_ names: String, _ prose: String, _ rows: [(name: String, prose: String)]) {
    self.init(
      [Column(names), Column(prose, isProse: true)], rows: rows.map { [Cell($0), Cell($1)] })
  }

  /// A table of rows.
  init(_ columns: [Column], rows: [[Cell]]) {
    self.init(columns)
    for row in rows { append(row) }
  }
}
