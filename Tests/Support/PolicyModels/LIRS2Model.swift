/// LIRS2 as its authors' program does it: a stack S with its bottom first, a queue Q with its front first.
///
/// S has a block at most twice: for the request before the last, and above that for the last one. The bottom of S is
/// always a LIR block: that is the pruning, done after every step.
final class LIRS2Model: PolicyModel {
  private var stack: [Int] = []
  private var queue: [Int] = []
  private var lir: Set<Int> = []
  private var evicted: [Int] = []  // not resident, in the order of their evictions
  private var new: Set<Int> = []  // those whose lower place is without a request
  private var last: Int?

  private let isSized: Bool
  private let leastHIR: Int
  private let multiple: Int
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    isSized = options.isSized
    leastHIR = Int(options.parameters["hirs"] ?? "4")!
    multiple = Int(options.parameters["stack"] ?? "8")!
    ghostShare = options.parameters["ghosts"]
    super.init(options)
  }

  override var residents: [Int] { Array(lir) + queue }
  override var ghosts: [Int] { evicted }

  private var lirSize: Int { length(of: Array(lir)) }
  private var lirLimit: Int {
    capacity - (isSized ? capacity / 100 : min(capacity, max(leastHIR, capacity / 100)))
  }

  override func hit(_ key: Int) {
    if key == last && !breaks("a repeat changes nothing") { return }
    last = key
    let hadBoth = place(key)
    if !lir.contains(key) {
      queue.take(key)
      if hadBoth { lir.insert(key) } else { queue.append(key) }
    }
    restoreStack()
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let fillsLIR = lirSize + size <= lirLimit && !breaks("LIR blocks come first")
    while used + size > capacity { evictOne() }
    sizes[key] = size
    if evicted.contains(key) {
      evicted.take(key)
      if place(key) || fillsLIR { lir.insert(key) } else { queue.append(key) }
    } else {
      stack += [key, key]
      if !breaks("a place without a request does not count") { new.insert(key) }
      if fillsLIR { lir.insert(key) } else { queue.append(key) }
    }
    if lir.contains(key) && places(of: key) == 1 {
      stack.append(key)
      new.insert(key)
    }
    restoreStack()
    boundGhosts()
    last = key
    return true
  }

  /// The block's lower place moves to the top. Returns true if S had both from requests.
  private func place(_ key: Int) -> Bool {
    let hadBoth = places(of: key) == 2
    if hadBoth { stack.take(key) }
    stack.append(key)
    let wasNew = new.remove(key) != nil
    return (hadBoth || breaks("both places are in S")) && !wasNew
  }

  private func places(of key: Int) -> Int { stack.count { $0 == key } }

  /// The bottom LIR block becomes the end of Q while there are too many, and S holds 8 C.
  private func restoreStack() {
    prune()
    while lirSize > lirLimit {
      let bottom = stack.removeFirst()
      lir.remove(bottom)
      queue.insert(bottom, at: breaks("the bottom LIR block joins the end of Q") ? 0 : queue.count)
      prune()
    }
    while length(of: stack) > multiple * capacity {
      guard let lowest = stack.firstIndex(where: { !lir.contains($0) }) else { break }
      stack.remove(at: lowest)
    }
  }

  private func prune() {
    while let bottom = stack.first, !lir.contains(bottom) { stack.removeFirst() }
  }

  private func evictOne() {
    if queue.isEmpty {
      let bottom = stack.removeFirst()
      lir.remove(bottom)
      queue.append(bottom)
      prune()
    }
    let victim = queue.removeFirst()
    if breaks("a victim stays in S") { stack.removeAll { $0 == victim } }
    evicted.append(victim)
    reportEviction(of: victim)
  }

  override func evict() {
    evictOne()
    boundGhosts()
  }

  override func forget(_ key: Int) {
    stack.removeAll { $0 == key }
    queue.take(key)
    lir.remove(key)
    evicted.take(key)
    new.remove(key)
    if last == key { last = nil }
    prune()
  }

  override func restoreLimits() {
    restoreStack()
    boundGhosts()
  }

  /// The oldest-evicted blocks are forgotten.
  private func boundGhosts() {
    guard let ghostShare else { return }
    while length(of: evicted) > ModelOptions.floor(ghostShare, of: capacity) { forget(evicted[0]) }
  }
}
