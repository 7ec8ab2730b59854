extension String {
  /// The text in lines of at most `width` columns, broken at spaces; a longer word has its own line.
  package func wrapped(width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.displayWidth + 1 + word.displayWidth <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The text as a paragraph within a width, its last line not ended; as it is where there is no limit.
  package func filled(width: Int?) -> String {
    guard let width, displayWidth > width else { return self }
    return wrapped(width: width).joined(separator: "\n")
  }
}
