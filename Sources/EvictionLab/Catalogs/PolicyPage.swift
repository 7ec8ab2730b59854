import EvictionCore
import Parameters
import Rendering
import Requests

/// The page of a policy or an admission filter, to read in a terminal.
///
///     lru: least recently used
///
///       paper        R. L. Mattson et al., …
///       idea         What was used lately …
struct PolicyPage: Sendable {
  private let title: String
  private let sections: [(title: String, text: String)]
  private let parameters: [Parameter]

  /// The page of a policy.
  init(_ policy: PolicyDescription) {
    title = "\(policy.information.name): \(policy.information.summary)"
    sections = PolicyPage.sections(of: policy)
    parameters = policy.parameters
  }

  /// The page of an admission filter.
  init(_ filter: AdmissionInformation) {
    title = "admission filter \(filter.name): \(filter.summary)"
    sections = [
      ("paper", filter.paper), ("idea", filter.idea), ("decision", filter.decision),
      ("cost", filter.complexity), ("elsewhere", filter.differences),
      (
        "reads", (filter.needs.names + (filter.needsSizes ? ["sizes"] : [])).joined(separator: ", ")
      ),
    ].filter { !$0.1.isEmpty }
    parameters = filter.nestedParameters
  }

  /// The page: its title, what is known, and the parameters. Lines are at most `width` columns wide,
  /// but those of the table.
  func text(width: Int = 80) -> String {
    let label = sections.map(\.title.displayWidth).max() ?? 0
    var page = "\(title)\n\n"
    for section in sections {
      let lines = section.text.wrapped(width: width - label - 4)
      for (index, line) in lines.enumerated() {
        let title = index == 0 ? section.title : ""
        page += "  \(title)\(String(repeating: " ", count: label - title.displayWidth))  \(line)\n"
      }
    }
    return parameters.isEmpty ? page : page + "\n" + TextTable(parameters: parameters).text()
  }

  /// The sections of the page, without those that a policy leaves empty.
  static func sections(of policy: PolicyDescription) -> [(title: String, text: String)] {
    let information = policy.information
    var cost = information.complexity
    cost += cost.isEmpty ? "" : " "
    cost += "\(information.bytesPerSlot) bytes per entry"
    cost += information.ghosts == "None." ? "." : ", ghosts included."
    let least = information.minimumCapacity
    let sections = [
      ("paper", information.paper), ("idea", information.idea), ("on a hit", information.hit),
      ("on a miss", information.miss), ("eviction", information.eviction),
      ("ghosts", information.ghosts), ("cost", cost), ("elsewhere", information.differences),
      ("reads", policy.needs.names.joined(separator: ", ")),
      ("capacity", least > 1 ? "at least \(least)" : ""),
      ("runs in", information.isBound ? "simulation only: a bound to compare with" : ""),
    ]
    return sections.filter { !$0.1.isEmpty }
  }
}

extension String {
  /// The text in lines of at most `width` columns, broken at spaces; a longer word has its own line.
  func wrapped(width: Int) -> [String] {
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
}
