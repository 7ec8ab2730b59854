/// A column of an ``EvtFormat`` file, numbered as its header lists them.
enum EvtSection: Int, CaseIterable, Sendable {
  case ids, identities, sizes, times, operations, ttls, costs, classes, classNames, keyLengths,
    groups

  /// The optional column that it is, or belongs to; nil for those that every file has.
  var column: TraceColumns? {
    switch self {
    case .ids, .identities: nil
    case .sizes: .sizes
    case .times: .times
    case .operations: .operations
    case .ttls: .ttls
    case .costs: .costs
    case .classes, .classNames: .classes
    case .keyLengths: .keyLengths
    case .groups: .groups
    }
  }

  /// The name that messages print.
  var name: String {
    switch self {
    case .ids: "ids"
    case .identities: "identities of keys"
    case .classNames: "names of classes"
    default: column?.names.first ?? ""
    }
  }

  /// True where it holds a value for each request.
  var isOfRequests: Bool {
    switch self {
    case .ids, .sizes, .times, .operations, .ttls, .costs, .classes: true
    case .identities, .classNames, .keyLengths, .groups: false
    }
  }

  /// The bytes that a file of those numbers of requests and keys has of it; nil where the header alone
  /// knows.
  func bytes(requests: Int, distinct: Int, keys: KeyKind) -> Int? {
    switch self {
    case .ids, .classes: requests * 4
    case .identities: distinct * (keys == .integer ? 8 : 16)
    case .sizes, .times, .ttls, .costs: requests * 8
    case .operations: requests
    case .keyLengths: distinct * 4
    case .classNames, .groups: nil
    }
  }
}
