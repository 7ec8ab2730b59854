/// LIRS as its authors' program does it: a stack S with its bottom first, a queue Q with its front first.
///
/// A block on S or Q is LIR, resident HIR, or not resident. The bottom of S is always a LIR block: that
/// is the pruning, done after every step.
final class LIRSModel: PolicyModel {
  private var stack: [Int] = []
  private var queue: [Int] = []
  private var lir: Set<Int> = []
  private var evicted: [Int] = []  // not resident, in the order of their evictions
  private var last: Int?

  private let isSized: Bool
  private let leastHIR: Int
  private let countsRepeats: Bool
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    isSized = options.isSized
    leastHIR = options.parameters["hirs"] == "1" ? 1 : 2
    countsRepeats = options.parameters["repeats"] == "count"
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
    if key == last && !countsRepeats { return }
    last = key
    let wasInStack = stack.contains(key)
    if lir.contains(key) && breaks("a LIR hit moves to the top of S") { return }
    stack.take(key)
    stack.append(key)
    if !lir.contains(key) {
      if wasInStack {
        queue.take(key)
        lir.insert(key)
      } else if !breaks("a hit moves to the end of Q") {
        queue.take(key)
        queue.append(key)
      }
    }
    demote()
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isWarmUp = lirSize + size <= lirLimit && !breaks("LIR blocks come first")
    while used + size > capacity { evictOne() }
    let isKnown = stack.contains(key)
    stack.take(key)
    evicted.take(key)
    stack.append(key)
    sizes[key] = size
    if isWarmUp || isKnown { lir.insert(key) } else { queue.append(key) }
    demote()
    boundGhosts()
    last = key
    return true
  }

  /// The bottom LIR block becomes the end of Q while there are too many.
  private func demote() {
    prune()
    while lirSize > lirLimit {
      let bottom = stack.removeFirst()
      lir.remove(bottom)
      queue.insert(bottom, at: breaks("the bottom LIR block joins the end of Q") ? 0 : queue.count)
      prune()
    }
  }

  private func prune() {
    while let bottom = stack.first, !lir.contains(bottom) {
      stack.removeFirst()
      evicted.take(bottom)
    }
  }

  private func evictOne() {
    if queue.isEmpty {
      let bottom = stack.removeFirst()
      lir.remove(bottom)
      queue.append(bottom)
      prune()
    }
    let victim = queue.removeFirst()
    if breaks("a victim stays in S") { stack.take(victim) }
    if stack.contains(victim) { evicted.append(victim) }
    reportEviction(of: victim)
  }

  override func evict() {
    evictOne()
    boundGhosts()
  }

  override func forget(_ key: Int) {
    stack.take(key)
    queue.take(key)
    lir.remove(key)
    evicted.take(key)
    if last == key { last = nil }
    prune()
  }

  override func restoreLimits() {
    demote()
    boundGhosts()
  }

  /// The oldest-evicted blocks leave S.
  private func boundGhosts() {
    guard let ghostShare else { return }
    while length(of: evicted) > ModelOptions.floor(ghostShare, of: capacity) {
      stack.take(evicted.removeFirst())
    }
  }
}
