extension [String] {
  /// The remedy for a name that is none of these: the nearest one, else all of them.
  package func remedy(for name: String) -> String {
    let distances = map { ($0, $0.lowercased().editDistance(to: name.lowercased())) }
    guard let (nearest, distance) = distances.min(by: { $0.1 < $1.1 }),
      distance <= Swift.max(1, name.count / 3), distance < name.count
    else { return "known are \(joined(separator: ", "))" }
    return "did you mean \(nearest)?"
  }
}

extension String {
  /// The least number of characters inserted, removed and replaced that makes the other text of this one.
  func editDistance(to other: String) -> Int {
    var row = Array(0...other.count)
    for (index, character) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, otherCharacter) in other.enumerated() {
        let replaced = diagonal + (character == otherCharacter ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = Swift.min(replaced, row[place] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
