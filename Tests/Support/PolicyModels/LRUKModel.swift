/// The oldest K-th latest request leaves; what was requested fewer than K times leaves before, the least
/// recently used first.
///
/// An evicted key's requests are remembered until `retained` requests after the latest of them. The keys
/// at the front of the history that the next request could not know are dropped at each miss and trim.
final class LRUKModel: PolicyModel {
  private var clock = 0
  private var requests: [Int: [Int]] = [:]  // of residents, the latest last
  private var history: [(key: Int, requests: [Int])] = []  // the oldest-evicted first

  private let k: Int
  private let retainedShare: String
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    k = options.parameters["k"].map { Int($0)! } ?? 2
    retainedShare = options.parameters["retained"] ?? "2"
    ghostShare = options.parameters["ghosts"]
    super.init(options)
  }

  override var residents: [Int] { Array(requests.keys) }
  override var ghosts: [Int] { history.map(\.key) }
  private var retained: Int { ModelOptions.floor(retainedShare, of: capacity) }

  override func hit(_ key: Int) {
    clock += 1
    requests[key]!.append(clock)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    clock += 1
    var known: [Int] = []
    if let index = history.firstIndex(where: { $0.key == key }) {
      let ghost = history.remove(at: index)
      if clock - ghost.requests.last! <= retained { known = ghost.requests }
    }
    while used + size > capacity { evictOne() }
    requests[key] = known + [clock]
    sizes[key] = size
    restoreLimits()
    return true
  }

  /// The time of the K-th latest request is 0 if there is none.
  private func rank(_ key: Int) -> (Int, Int) {
    let times = requests[key]!
    let last = breaks("ties go to the least recently used") ? -times.last! : times.last!
    if times.count < k && breaks("too few requests count as infinitely old") { return (last, 0) }
    return (times.count < k ? 0 : times[times.count - k], last)
  }

  private func evictOne() {
    let victim = requests.keys.min { rank($0) < rank($1) }!
    history.append((victim, requests.removeValue(forKey: victim)!))
    reportEviction(of: victim)
  }

  override func evict() {
    evictOne()
    restoreLimits()
  }

  override func forget(_ key: Int) {
    requests[key] = nil
    history.removeAll { $0.key == key }
  }

  override func restoreLimits() {
    let limit = ghostShare.map { ModelOptions.floor($0, of: capacity) } ?? .max
    while let oldest = history.first,
      length(of: history.map(\.key)) > limit || clock - oldest.requests.last! >= retained
    {
      history.removeFirst()
    }
  }
}
