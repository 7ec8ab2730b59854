import Synchronization

/// The options by which the command that runs takes less memory: each notes itself when it is parsed.
enum MemoryOptions: Int {
  case none, limit, baselines

  private static let found = Atomic<Int>(none.rawValue)

  private static var all: MemoryOptions {
    MemoryOptions(rawValue: found.load(ordering: .relaxed)) ?? .none
  }

  /// Notes that the command has this option, and those before it.
  func note() { MemoryOptions.found.max(rawValue, ordering: .relaxed) }

  /// The end of a remedy that names `evict trace sample`.
  static var others: String {
    switch all {
    case .none: ""
    case .limit: " or --limit"
    case .baselines: ", --limit or --no-baselines"
    }
  }

  /// The message when there is no memory left, not even for a message.
  static var shortage: StaticString {
    switch all {
    case .none: "evict: out of memory; free some\n"
    case .limit: "evict: out of memory; use evict trace sample or --limit\n"
    case .baselines: "evict: out of memory; use evict trace sample, --limit or --no-baselines\n"
    }
  }
}
