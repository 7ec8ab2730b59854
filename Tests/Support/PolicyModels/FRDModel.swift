/// FRD: a stack S with its bottom first, and a filter with its least recent first; what is in S and not a main object
/// has a history there.
final class FRDModel: PolicyModel {
  private var stack: [Int] = []
  private var filter: [Int] = []
  private var main: Set<Int> = []
  private var evicted: [Int] = []  // not resident, in the order of their evictions
  private let mainShare: String
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    mainShare = options.parameters["main"] ?? "0.9"
    ghostShare = options.parameters["ghosts"]
    super.init(options)
  }

  override var residents: [Int] { Array(main) + filter }
  override var ghosts: [Int] { evicted }

  private var mainSize: Int { length(of: Array(main)) }
  private var mainLimit: Int {
    max(1, min(capacity - 1, ModelOptions.floor(mainShare, of: capacity)))
  }

  override func hit(_ key: Int) {
    stack.take(key)
    stack.append(key)
    if !main.contains(key) {
      filter.take(key)
      filter.append(key)
    }
    prune()
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isPromoted = stack.contains(key) && size <= mainLimit
    let fitsMain = mainSize + size <= mainLimit
    let isFull = used + size > capacity
    while used + size > capacity {
      if isPromoted && mainSize + size > mainLimit { evictMain() } else { evictOne() }
    }
    stack.take(key)
    evicted.take(key)
    sizes[key] = size
    if isPromoted || fitsMain {
      stack.append(key)
      main.insert(key)
    } else {
      filter.append(key)
      if isFull { stack.append(key) }
    }
    restoreLimits()
    return true
  }

  private func prune() {
    while let bottom = stack.first, !main.contains(bottom) {
      stack.removeFirst()
      evicted.take(bottom)
    }
  }

  private func evictMain() {
    let victim = stack.removeFirst()
    main.remove(victim)
    prune()
    reportEviction(of: victim)
  }

  private func evictOne() {
    if filter.isEmpty { return evictMain() }
    let victim = filter.removeFirst()
    if stack.contains(victim) { evicted.append(victim) }
    reportEviction(of: victim)
  }

  override func evict() {
    evictOne()
    boundGhosts()
  }

  override func forget(_ key: Int) {
    stack.take(key)
    filter.take(key)
    main.remove(key)
    evicted.take(key)
    prune()
  }

  override func restoreLimits() {
    prune()
    while mainSize > mainLimit {
      let bottom = stack.removeFirst()
      main.remove(bottom)
      filter.append(bottom)
      prune()
    }
    boundGhosts()
  }

  private func boundGhosts() {
    guard let ghostShare else { return }
    while length(of: evicted) > ModelOptions.floor(ghostShare, of: capacity) {
      stack.take(evicted.removeFirst())
    }
  }
}
