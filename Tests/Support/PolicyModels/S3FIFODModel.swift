/// S3-FIFO-D as the authors' code does it; in each queue the oldest first. `recent` holds the newest of `ghostQueue`.
final class S3FIFODModel: PolicyModel {
  private var small: [Int] = []
  private var main: [Int] = []
  private var ghostQueue: [Int] = []
  private var recent: [Int] = []
  private var mainGhosts: [Int] = []
  private var counter: [Int: Int] = [:]
  private var smallLimit = 0
  private var ghostLimit = 0
  private var smallHits = 0
  private var mainHits = 0
  private var limitsAt = 0

  private let smallShare: String
  private let historyShare: String

  override init(_ options: ModelOptions) {
    smallShare = options.parameters["small"] ?? "0.1"
    historyShare = options.parameters["history"] ?? "0.1"
    super.init(options)
    setLimits()
  }

  override var residents: [Int] { small + main }
  override var ghosts: [Int] { ghostQueue + mainGhosts }

  private var mainLimit: Int { capacity - smallLimit }

  private func setLimits() {
    limitsAt = capacity
    smallLimit = max(1, ModelOptions.floor(smallShare, of: capacity))
    ghostLimit = mainLimit
  }

  override func hit(_ key: Int) { counter[key] = min(counter[key]! + 1, 3) }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isKnown = ghostQueue.contains(key)
    if recent.contains(key) { smallHits += 1 }
    if mainGhosts.contains(key) { mainHits += 1 }
    forget(key)
    while used + size > capacity { evict() }
    if isKnown {
      while !main.isEmpty && length(of: main) + size > mainLimit {
        reportEviction(of: clock())
      }
    }
    sizes[key] = size
    counter[key] = 0
    if isKnown { main.append(key) } else { small.append(key) }
    adapt()
    return true
  }

  private func clock() -> Int {
    while counter[main[0]]! > 0 {
      let passed = main.removeFirst()
      counter[passed]! -= 1
      main.append(passed)
    }
    return main.removeFirst()
  }

  override func evict() {
    let before = residents.count
    while residents.count == before {
      if small.isEmpty {
        evictMain()
        continue
      }
      let oldest = small.removeFirst()
      if counter[oldest]! > 0 {
        counter[oldest] = 0
        main.append(oldest)
        while length(of: main) > mainLimit { evictMain() }
      } else {
        ghostQueue.append(oldest)
        recent.append(oldest)
        reportEviction(of: oldest)
        boundGhosts()
      }
    }
  }

  private func evictMain() {
    let victim = clock()
    mainGhosts.append(victim)
    reportEviction(of: victim)
    boundGhosts()
  }

  private func adapt() {
    if mainGhosts.isEmpty {
      smallHits = 0
      mainHits = 0
    }
    if smallHits + mainHits <= 100 { return }
    let step = max(1, min(smallLimit, mainLimit) / 1000)
    var change = 0
    if smallHits > 2 * mainHits && mainLimit > capacity / 100 { change = min(step, mainLimit) }
    if mainHits > 2 * smallHits && smallLimit > capacity / 100 { change = -min(step, smallLimit) }
    smallLimit += change
    ghostLimit += change
    smallHits = smallHits * 8 / 10
    mainHits = mainHits * 8 / 10
  }

  private func boundGhosts() {
    let history = ModelOptions.floor(historyShare, of: capacity)
    while length(of: recent) > history { recent.removeFirst() }
    while length(of: mainGhosts) > history { mainGhosts.removeFirst() }
    while length(of: ghostQueue) > ghostLimit { recent.take(ghostQueue.removeFirst()) }
  }

  override func restoreLimits() {
    if capacity != limitsAt { setLimits() }
    boundGhosts()
  }

  override func forget(_ key: Int) {
    small.take(key)
    main.take(key)
    ghostQueue.take(key)
    recent.take(key)
    mainGhosts.take(key)
  }
}
