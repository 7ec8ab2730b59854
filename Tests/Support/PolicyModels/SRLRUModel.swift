/// SR-LRU; in each list the least recent first.
final class SRLRUModel: PolicyModel {
  private var r: [Int] = []
  private var sr: [Int] = []
  private var history: [Int] = []
  private var demotedKeys: Set<Int> = []  // of those in SR
  private var newKeys: Set<Int> = []  // residents and ghosts
  private var srLimit: Int
  private let ghostShare: String

  override init(_ options: ModelOptions) {
    srLimit = max(1, Int((Double(options.capacity) / 100).rounded()))
    ghostShare = options.parameters["ghosts"] ?? "1"
    super.init(options)
  }

  override var residents: [Int] { r + sr }
  override var ghosts: [Int] { history }

  private var rLimit: Int { capacity - srLimit }
  private var demoted: Int { length(of: sr.filter { demotedKeys.contains($0) }) }
  private var newGhosts: Int { length(of: history.filter { newKeys.contains($0) }) }

  override func hit(_ key: Int) {
    if !r.contains(key) {
      if demotedKeys.contains(key) {
        srLimit = max(1, srLimit - step(newGhosts, demoted, size: requestSize))
        demotedKeys.remove(key)
      }
      sr.take(key)
      while length(of: r) + sizes[key]! > rLimit && !r.isEmpty { demote() }
    }
    r.take(key)
    r.append(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let wasGhost = history.contains(key)
    history.take(key)
    if wasGhost && newKeys.contains(key) {
      srLimit = min(srLimit + step(demoted, newGhosts, size: size), max(1, capacity - 1))
    }
    let fillsR = sr.isEmpty && length(of: r) + size <= rLimit
    let fillsSR = used + size <= capacity && length(of: sr) + size <= srLimit
    while used + size > capacity { evict() }
    newKeys.remove(key)
    sizes[key] = size
    if wasGhost || fillsR {
      r.append(key)
    } else {
      sr.append(key)
      if !fillsSR { newKeys.insert(key) }
    }
    if wasGhost || !(fillsR || fillsSR) {
      while length(of: r) >= rLimit && !r.isEmpty { demote() }
    }
    return true
  }

  override func evict() {
    let victim = sr.isEmpty ? r.removeFirst() : sr.removeFirst()
    demotedKeys.remove(victim)
    history.append(victim)
    reportEviction(of: victim)
    boundHistory()
  }

  private func step(_ upper: Int, _ lower: Int, size: Int) -> Int {
    size == 0 ? 0 : max(1, Int(Double(upper) / Double(max(size, lower)) + 0.5)) * size
  }

  private func demote() {
    let key = r.removeFirst()
    sr.append(key)
    demotedKeys.insert(key)
  }

  private func boundHistory() {
    while length(of: history) > ModelOptions.floor(ghostShare, of: capacity) {
      newKeys.remove(history.removeFirst())
    }
  }

  override func restoreLimits() {
    srLimit = min(srLimit, max(1, capacity - 1))
    while length(of: r) > rLimit { demote() }
    boundHistory()
  }

  override func forget(_ key: Int) {
    r.take(key)
    sr.take(key)
    history.take(key)
    demotedKeys.remove(key)
    newKeys.remove(key)
  }
}
