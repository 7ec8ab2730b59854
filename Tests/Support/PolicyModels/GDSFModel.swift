import EvictionTesting

/// The lowest priority leaves and becomes L; among equals the least recently used.
///
/// A priority is L + requests × cost × 10⁶ / size, computed when the object is used, left to right. The
/// newcomer may be counted among the residents when room is made for it, and is refused when it leaves.
final class GDSFModel: PolicyModel {
  private var priority: [Int: Double] = [:]  // of residents
  private var requests: [Int: Double] = [:]
  private var lastUse: [Int: Int] = [:]
  private var l = 0.0
  private var clock = 0
  private let objective: String
  private let countsRequests: Bool
  private let insertsFirst: Bool

  override init(_ options: ModelOptions) {
    objective = options.parameters["objective"] ?? "cost"
    countsRequests = options.parameters["frequency"] != "false"
    insertsFirst = options.parameters["order"] == "insert-first"
    super.init(options)
  }

  override var residents: [Int] { Array(priority.keys) }

  override func hit(_ key: Int) {
    if countsRequests { requests[key]! += 1 }
    use(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    if !insertsFirst {
      while used + size > capacity { evict() }
    }
    sizes[key] = size
    requests[key] = 1
    use(key)
    while used + size > capacity {
      let victim = takeLowest()
      if victim == key { return false }
      reportEviction(of: victim)
    }
    return true
  }

  private func use(_ key: Int) {
    clock += 1
    lastUse[key] = clock
    switch objective {
    case "hits": priority[key] = l + requests[key]! * 1e6 / Double(max(sizes[key]!, 1))
    case "bytes": priority[key] = l + requests[key]! * 1e6
    default:
      priority[key] = l + requests[key]! * cost(key) * 1e6 / Double(max(sizes[key]!, 1))
    }
  }

  override func evict() { reportEviction(of: takeLowest()) }

  private func takeLowest() -> Int {
    let victim = residents.min {
      (priority[$0]!, lastUse[$0]!) < (priority[$1]!, lastUse[$1]!)
    }!
    l = priority[victim]!
    priority[victim] = nil
    return victim
  }

  override func forget(_ key: Int) { priority[key] = nil }
}
