extension Array {
  /// The elements with equal keys together, in the order of their first appearance.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var places: [Key: Int] = [:]
    var groups: [[Element]] = []
    for element in self {
      let place = places[key(element), default: groups.count]
      if place == groups.count {
        places[key(element)] = place
        groups.append([])
      }
      groups[place].append(element)
    }
    return groups
  }
}

extension Array where Element: Hashable {
  /// Each element once, in the order of their first appearance.
  package var unique: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}

extension Array<Double> {
  /// The arithmetic mean; nil for none.
  package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }

  /// The value in the middle, of two their mean; nil for none.
  package var median: Double? {
    let sorted = sorted()
    return isEmpty ? nil : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
