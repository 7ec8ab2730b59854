extension TextTable {
  /// The table in Markdown, the best cells in bold.
  package var markdown: String {
    let rules = columns.map { $0.alignment == .left ? ":---" : "---:" }
    let rows = groups.joined().map { row in
      row.map { cell in
        let text = cell.text.markdownEscaped
        return cell.isBest ? "**\(text)**" : text
      }
    }
    return ([columns.map { $0.title.markdownEscaped }, rules] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}
