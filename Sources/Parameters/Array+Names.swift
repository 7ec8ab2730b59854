extension [String] {
  /// The remedy for a name that is none of these: the nearest one, else all of them.
  package func remedy(for name: String) -> String {
    suggestion(for: name) ?? "known are \(joined(separator: ", "))"
  }

  /// The nearest of these as the remedy for a name that is none of them; nil where none is near. Of names equally
  /// near it is the one that is nearest without its punctuation: `lru-k` for `lruk`.
  package func suggestion(for name: String) -> String? {
    let distances = map { known in
      (
        name: known, whole: known.lowercased().editDistance(to: name.lowercased()),
        bare: known.bare.editDistance(to: name.bare)
      )
    }
    guard let nearest = distances.min(by: { ($0.whole, $0.bare) < ($1.whole, $1.bare) }),
      nearest.whole <= Swift.max(1, name.count / 3), nearest.whole < name.count
    else { return nil }
    return "did you mean \(nearest.name)?"
  }
}

extension [CatalogEntry] {
  /// The remedy for a name that none of these has: the nearest name, those whose summary has the word, or all.
  package func remedy(for name: String) -> String {
    let (names, word) = (map(\.name), name.lowercased())
    let told = filter {
      $0.summary.lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0 == word }
    }
    if told.isEmpty || names.suggestion(for: name) != nil { return names.remedy(for: name) }
    return "did you mean \(told.map(\.name).joined(separator: " or "))?"
  }
}

extension String {
  /// The letters and digits alone, in lower case.
  fileprivate var bare: String { lowercased().filter { $0.isLetter || $0.isNumber } }

  /// The least number of characters inserted, removed and replaced, and of neighbours exchanged, that makes
  /// the other text of this one.
  func editDistance(to other: String) -> Int {
    let (own, other) = (Array(self), Array(other))
    var before: [Int] = []
    var row = Array(0...other.count)
    for (index, character) in own.enumerated() {
      var next = [index + 1]
      for place in other.indices {
        var least = Swift.min(
          row[place] + (character == other[place] ? 0 : 1), row[place + 1] + 1, next[place] + 1)
        if index > 0, place > 0, character == other[place - 1], own[index - 1] == other[place] {
          least = Swift.min(least, before[place - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[other.count]
  }
}
