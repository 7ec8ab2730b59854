/// DLIRS: a stack S with its bottom first, a queue Q with its front first; what is in S and not LIR is HIR.
final class DLIRSModel: PolicyModel {
  private var stack: [Int] = []
  private var queue: [Int] = []
  private var lir: Set<Int> = []
  private var demotedKeys: Set<Int> = []
  private var hirLimit: Int
  private let ghostShare: String

  override init(_ options: ModelOptions) {
    hirLimit = max(1, Int((Double(options.capacity) / 100).rounded()))
    ghostShare = options.parameters["ghosts"] ?? "1"
    super.init(options)
    lirLimit = options.capacity - hirLimit
    limitsAt = options.capacity
  }

  private var lirLimit = 0
  private var limitsAt = 0

  override var residents: [Int] { Array(lir) + queue }
  override var ghosts: [Int] { stack.filter { !lir.contains($0) && !queue.contains($0) } }

  private var lirSize: Int { length(of: Array(lir)) }

  override func hit(_ key: Int) {
    let size = sizes[key]!
    let wasInStack = stack.contains(key)
    stack.take(key)
    if lir.contains(key) {
      stack.append(key)
      prune()
    } else if wasInStack {
      queue.take(key)
      demote(for: size)
      stack.append(key)
      lir.insert(key)
    } else {
      if demotedKeys.contains(key) {
        let demoted = length(of: Array(demotedKeys))
        lirLimit = min(capacity - 1, lirLimit + step(length(of: ghosts), demoted, size))
        demotedKeys.remove(key)
      }
      queue.take(key)
      queue.append(key)
      stack.append(key)
      boundStack()
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isKnown = stack.contains(key)
    if isKnown {
      let demoted = length(of: Array(demotedKeys))
      lirLimit = max(1, lirLimit - step(demoted, length(of: ghosts), size))
      stack.take(key)
      demote(for: size)
    }
    let fillsLIR = length(of: queue) == 0 && lirSize + size <= lirLimit
    while used + size > capacity { evictOne() }
    sizes[key] = size
    stack.append(key)
    if isKnown || fillsLIR { lir.insert(key) } else { queue.append(key) }
    boundStack()
    return true
  }

  private func step(_ upper: Int, _ lower: Int, _ size: Int) -> Int {
    size == 0 ? 0 : max(1, Int(Double(upper) / Double(max(size, lower)) + 0.5)) * size
  }

  private func demote(for size: Int) {
    while lirSize > 0 && lirSize + size > lirLimit { demoteBottom() }
  }

  private func demoteBottom() {
    prune()
    let bottom = stack.removeFirst()
    lir.remove(bottom)
    demotedKeys.insert(bottom)
    queue.append(bottom)
    prune()
  }

  private func prune() {
    while let bottom = stack.first, !lir.contains(bottom) { stack.removeFirst() }
  }

  private func boundStack() {
    let directory = capacity + ModelOptions.floor(ghostShare, of: capacity)
    while length(of: residents + ghosts) > directory,
      let lowest = stack.first(where: { !lir.contains($0) })
    {
      stack.take(lowest)
    }
  }

  private func evictOne() {
    demote(for: 0)
    if queue.isEmpty { demoteBottom() }
    let victim = queue.removeFirst()
    demotedKeys.remove(victim)
    reportEviction(of: victim)
  }

  override func evict() {
    evictOne()
    boundStack()
  }

  override func restoreLimits() {
    lirLimit = max(1, capacity - (limitsAt - lirLimit))
    limitsAt = capacity
    demote(for: 0)
    boundStack()
  }

  override func forget(_ key: Int) {
    let wasKnown = stack.contains(key) || queue.contains(key)
    stack.take(key)
    queue.take(key)
    lir.remove(key)
    demotedKeys.remove(key)
    if wasKnown { prune() }
  }
}
