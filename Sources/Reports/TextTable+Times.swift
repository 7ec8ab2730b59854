import Rendering

extension TextTable {
  /// The nanoseconds from which on a column is read more easily in other units.
  private static let manyNanoseconds = 1e5

  /// The table with each time in the unit of its size, in those columns of nanoseconds that have a long one.
  ///
  /// The exact nanoseconds stay beside them.
  var withTimesInTheirUnits: TextTable {
    let long = columns.indices.filter { index in
      columns[index].title.hasSuffix(" ns")
        && groups.joined().contains {
          (Double($0[index].text) ?? 0) >= TextTable.manyNanoseconds
        }
    }
    if long.isEmpty { return self }
    var table = TextTable(
      columns.indices.map { index in
        let column = columns[index]
        if !long.contains(index) { return column }
        return Column(
          String(column.title.dropLast(3)), column.alignment, key: column.key, rank: column.rank,
          isProse: column.isProse)
      })
    for group in groups {
      table.beginGroup()
      for row in group {
        table.append(
          row.indices.map { index in
            long.contains(index) ? TextTable.timed(row[index]) : row[index]
          })
      }
    }
    return table
  }

  /// A cell of nanoseconds with its unit; one that has no number, such as `–`, stays as it is.
  private static func timed(_ cell: Cell) -> Cell {
    if let time = Double(cell.text) {
      return Cell(
        Headline.duration(Int(time)), isBest: cell.isBest, exact: cell.exact ?? cell.text)
    }
    return cell.text.hasPrefix("<")
      ? Cell("\(cell.text)\u{A0}ns", isBest: cell.isBest, exact: cell.exact) : cell
  }
}
