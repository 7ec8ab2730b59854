/// A comma in a list of numbers that looks like a thousands separator: `1,024` is 1024 to most who write it, and 1 and 24
/// as a list.
package struct ThousandsSeparator: Error, Equatable {
  /// The items that look like one number.
  let items: [String]

  /// The first such number of a list: up to three digits, and then three that begin with 0. Nil if there is none.
  package init?(in list: [String]) {
    func digits(_ item: String) -> Substring { item.prefix { ("0"..."9").contains($0) } }
    let places = list.indices.dropFirst()
    guard
      let second = places.first(where: { place in
        digits(list[place]).count == 3 && list[place].hasPrefix("0")
          && (1...3).contains(list[place - 1].count)
          && digits(list[place - 1]).count == list[place - 1].count
      })
    else { return nil }
    var items = [list[second - 1], list[second]]
    for item in list[(second + 1)...] {
      guard digits(items[items.count - 1]) == items[items.count - 1], digits(item).count == 3 else {
        break
      }
      items.append(item)
    }
    self.items = items
  }
}

extension ThousandsSeparator: CustomStringConvertible {
  /// Both readings, and how to write each.
  package var description: String {
    let text = items.joined(separator: ",")
    let parts = items.dropFirst().filter { $0.hasPrefix("0") }.map { item in
      let short = item.drop { $0 == "0" }
      return "\(short.first?.isNumber == true ? "" : "0")\(short) for \(item)"
    }
    return "“\(text)” may be one number or a list; write \(items.joined()), or in a list "
      + parts.joined(separator: ", ")
  }
}
