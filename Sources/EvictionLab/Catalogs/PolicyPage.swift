import EvictionCore
import Parameters
import Prefixes
import Rendering
import Requests

/// The page of a policy, an admission filter, a prefetcher or an order for prefixes, to read in a terminal.
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
    title = "\(policy.information.name): \(policy.information.markedSummary)"
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

  /// The page of a prefetcher.
  init(_ prefetcher: PrefetcherInformation) {
    title = "prefetcher \(prefetcher.name): \(prefetcher.summary)"
    sections = [
      ("paper", prefetcher.paper), ("idea", prefetcher.idea), ("decision", prefetcher.decision),
      ("cost", prefetcher.complexity), ("elsewhere", prefetcher.differences),
      ("reads", prefetcher.readsKeys ? "keys that are integers" : ""),
      ("runs in", "simulations of a whole trace of gets, where objects count one"),
    ].filter { !$0.1.isEmpty }
    parameters = prefetcher.nestedParameters
  }

  /// The page of an order for caches of prefixes.
  init(order: LeafOrderEntry) {
    title = "order for prefixes \(order.information.name): \(order.information.summary)"
    sections = [
      ("follows", order.origin),
      ("runs in", "evict prefix only: it ranks the ends of chains of blocks"),
    ]
    parameters = order.information.parameters
  }

  /// The page: its title, what is known, and the parameters, within the style's width.
  func text(style: ReportStyle) -> String {
    let width = style.width ?? Terminal.usualWidth
    let label = sections.map(\.title.displayWidth).max() ?? 0
    var page = title.filled(width: style.proseWidth) + "\n\n"
    for section in sections {
      let lines = section.text.wrapped(width: width - label - 4)
      for (index, line) in lines.enumerated() {
        let title = index == 0 ? section.title : ""
        page += "  \(title)\(String(repeating: " ", count: label - title.displayWidth))  \(line)\n"
      }
    }
    if parameters.isEmpty { return page }
    return page + "\n" + TextTable(parameters: parameters).text(style: style)
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
      (
        "variants", information.variants.map { "\($0)" }.joined(separator: ", ")
      ),
      (
        "status",
        information.isReinterpretation
          ? "a reinterpretation of a published description: not in all, and not ranked" : ""
      ),
      ("runs in", information.isBound ? "simulation only: a bound to compare with" : ""),
    ]
    return sections.filter { !$0.1.isEmpty }
  }
}

extension PolicyInformation {
  /// The summary, marked where it is one of a reinterpretation.
  var markedSummary: String { isReinterpretation ? "\(summary) (reinterpretation)" : summary }
}
