/// LIRS as its authors' program does it: a stack S with its bottom first, a queue Q with its front first.
///
/// A block on S or Q is LIR, resident HIR, or not resident. The bottom of S is always a LIR block: that
/// is the pruning, done after every step.
class LIRSModel: PolicyModel {
  final var stack: [Int] = []
  final var queue: [Int] = []
  final var lir: Set<Int> = []
  final var evicted: [Int] = []  // not resident, in the order of their evictions
  final var last: Int?

  private let isSized: Bool
  private let leastHIR: Int
  private let countsRepeats: Bool
  private let ghostShare: String?
  private let remembersAll: Bool

  /// A model whose blocks also take other steps.
  ///
  /// - Parameter remembersAll: True if a block that is not resident is remembered outside of S, too.
  init(_ options: ModelOptions, leastHIR: Int, remembersAll: Bool) {
    self.remembersAll = remembersAll
    isSized = options.isSized
    self.leastHIR = options.parameters["hirs"].map { Int($0)! } ?? leastHIR
    countsRepeats = options.parameters["repeats"] == "count"
    ghostShare = options.parameters["ghosts"]
    super.init(options)
  }

  override convenience init(_ options: ModelOptions) {
    self.init(options, leastHIR: 2, remembersAll: false)
  }

  final override var residents: [Int] { Array(lir) + queue }
  final override var ghosts: [Int] { evicted }

  private var lirSize: Int { length(of: Array(lir)) }
  private var lirLimit: Int {
    capacity - (isSized ? capacity / 100 : min(capacity, max(leastHIR, capacity / 100)))
  }

  final func fillsLIR(size: Int) -> Bool {
    lirSize + size <= lirLimit && !breaks("LIR blocks come first")
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
    let isWarmUp = fillsLIR(size: size)
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
  final func demote() {
    prune()
    while lirSize > lirLimit {
      let bottom = stack.removeFirst()
      lir.remove(bottom)
      queue.insert(bottom, at: breaks("the bottom LIR block joins the end of Q") ? 0 : queue.count)
      prune()
    }
  }

  final func prune() {
    while let bottom = stack.first, !lir.contains(bottom) {
      stack.removeFirst()
      if !remembersAll { evicted.take(bottom) }
    }
  }

  final func evictOne() {
    if queue.isEmpty {
      let bottom = stack.removeFirst()
      lir.remove(bottom)
      queue.append(bottom)
      prune()
    }
    let victim = queue.removeFirst()
    if breaks("a victim stays in S") { stack.removeAll { $0 == victim } }
    if remembersAll || stack.contains(victim) { evicted.append(victim) }
    reportEviction(of: victim)
  }

  final override func evict() {
    evictOne()
    boundGhosts()
  }

  override func forget(_ key: Int) {
    stack.removeAll { $0 == key }
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

  /// The oldest-evicted blocks are forgotten.
  final func boundGhosts() {
    guard let ghostShare else { return }
    while length(of: evicted) > ModelOptions.floor(ghostShare, of: capacity) { forget(evicted[0]) }
  }
}
