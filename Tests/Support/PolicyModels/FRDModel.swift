/// FRD: a stack S with its bottom first, and a filter with its least recent first; what is in S and not a main object
/// has a history there.
final class FRDModel: PolicyModel {
  private var stack: [Int] = []
  private var filter: [Int] = []
  private var main: Set<Int> = []
  private var evicted: [Int] = []  // not resident, in the order of their evictions
  private let mainShare: String
  private let ghostShare: String?
  private let climb: String
  private let period: Int
  private var mainLimit = 0
  private var beganWith = 0
  private var sample: [Bool] = []
  private var ratios: [Double] = []
  private var isGrowing = false
  private var indicator = IndicatorModel(period: 1)

  override init(_ options: ModelOptions) {
    mainShare = options.parameters["main"] ?? "0.9"
    ghostShare = options.parameters["ghosts"]
    climb = options.parameters["climb"] ?? "off"
    period = Int(options.parameters["period"] ?? "50000")!
    super.init(options)
    begin()
  }

  /// M of a new capacity, from which it climbs.
  private func begin() {
    mainLimit = max(1, min(capacity - 1, ModelOptions.floor(mainShare, of: capacity)))
    beganWith = capacity
    sample = []
    ratios = []
    isGrowing = false
    indicator = IndicatorModel(period: period)
  }

  private func adapt(_ key: Int, isHit: Bool) {
    var filter: Int
    switch climb {
    case "simple":
      defer { sample.append(isHit) }
      if sample.count < 10 * capacity { return }
      ratios.append(Double(sample.count { $0 }) / Double(sample.count))
      sample = []
      guard let previous = ratios.dropLast().last, previous > 0 else { return }
      if ratios.last! < previous { isGrowing.toggle() }
      let step = ModelOptions.floor("0.05", of: capacity)
      filter = capacity - mainLimit + (isGrowing ? step : -step)
    case "indicator":
      indicator.record(keyHash(key))
      guard let share = indicator.judge() else { return }
      filter = Int(share * Double(capacity))
    default: return
    }
    if filter <= 0 { filter = 1 }
    if filter >= capacity { filter = capacity - 1 }
    mainLimit = capacity - filter
  }

  override var residents: [Int] { Array(main) + filter }
  override var ghosts: [Int] { evicted }

  private var mainSize: Int { length(of: Array(main)) }
  private var isOver: Bool { climb != "off" && mainSize > mainLimit }

  override func hit(_ key: Int) {
    adapt(key, isHit: true)
    stack.take(key)
    stack.append(key)
    if !main.contains(key) {
      filter.take(key)
      filter.append(key)
    }
    prune()
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    adapt(key, isHit: false)
    let isPromoted = stack.contains(key) && size <= mainLimit
    let fitsMain = mainSize + size <= mainLimit
    let isFull = used + size > capacity
    while used + size > capacity {
      if isPromoted ? mainSize + size > mainLimit : isOver { evictMain() } else { evictOne() }
    }
    stack.take(key)
    evicted.take(key)
    sizes[key] = size
    if isPromoted || fitsMain && !(climb != "off" && isFull) {
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
    if isOver { evictMain() } else { evictOne() }
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
    if beganWith != capacity { begin() }
    prune()
    while mainSize > mainLimit && climb == "off" {
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
