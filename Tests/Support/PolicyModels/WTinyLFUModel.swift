import Eviction

/// A window, and a main cache of two segments or four; in each the least recent first.
///
/// A newcomer goes through the window; what the window pushes out must be more frequent than the main
/// cache's victim to take its place. With main=random the window and the one segment are in no order, and
/// who leaves is drawn.
final class WTinyLFUModel: PolicyModel {
  private var window: [Int] = []
  private var windowProtected: [Int] = []
  /// The main cache, the lowest segment first.
  private var segments: [[Int]]
  private var sketch: FrequencySketchModel

  private var windowQuota = 0
  private var protectedQuota = 0
  private var quotasAreFor = -1
  private let windowShare: String
  private let protectedShare: String
  private let stepShare: String
  private let windowProtectedShare: String

  private let climbs: Bool
  private let climberForm: String
  private var ratioClimber = RatioClimberModel(form: "simple", first: 0, capacity: 0)
  private let period: Int
  private var indicator: IndicatorModel?
  private var hits = 0
  private var requests = 0
  private var hasFilled = false
  private let victims: String
  private let dense: Int?
  private var climber: WindowClimberModel?
  private let main: String
  private var generator: SplitMix64
  private let feedbackForm: String
  private var feedback: FeedbackModel?

  override init(_ options: ModelOptions) {
    windowShare = options.parameters["window"] ?? "0.01"
    protectedShare = options.parameters["protected"] ?? "0.8"
    climberForm = options.parameters["climber"] ?? "simple"
    let isGradient = RatioClimberModel.gradients.contains(climberForm)
    stepShare = options.parameters["step"] ?? (isGradient ? "0.005" : "0.0625")
    main = options.parameters["main"] ?? "slru"
    segments = Array(repeating: [], count: ["slru": 2, "s4lru": 4, "random": 1][main]!)
    generator = SplitMix64(seed: options.seed)
    feedbackForm = options.parameters["feedback"] ?? "off"
    windowProtectedShare = options.parameters["windowProtected"] ?? "0"
    climbs = options.parameters["climb"] == "true"
    period = Int(options.parameters["period"] ?? "50000")!
    victims = options.parameters["victims"] ?? "caffeine"
    dense =
      options.parameters["density"] == "true" ? Int(options.parameters["dense"] ?? "4096")! : nil
    sketch = FrequencySketchModel(options.parameters)
    super.init(options)
    setQuotas()
  }

  override var residents: [Int] { window + windowProtected + segments.flatMap { $0 } }

  private func setQuotas() {
    // ⌊(1 − window) C⌋, in steps of a ten-thousandth.
    let rest = 10_000 - ModelOptions.floor(windowShare, of: 10_000)
    let mainQuota = 10_000.dividingFullWidth(rest.multipliedFullWidth(by: capacity)).quotient
    windowQuota = capacity - mainQuota
    protectedQuota =
      main == "s4lru" ? mainQuota / 4 : ModelOptions.floor(protectedShare, of: mainQuota)
    if feedbackForm == "window" { windowQuota = min(windowQuota, 256) }
    if feedbackForm != "off" {
      feedback = FeedbackModel(feedbackForm, capacity: capacity, protected: protectedQuota)
    }
    quotasAreFor = capacity
    ratioClimber = RatioClimberModel(
      form: climberForm, first: Double(ModelOptions.floor(stepShare, of: capacity)),
      capacity: Double(capacity))
    climber = dense.map { WindowClimberModel(maximum: capacity, threshold: $0) }
    if climberForm == "indicator" { indicator = IndicatorModel(period: period) }
    hits = 0
    requests = 0
  }

  private func frequency(_ key: Int) -> Int { sketch.frequency(of: keyHash(key)) }

  /// A resident that is drawn, or the least recent.
  private func next(of keys: [Int]) -> Int? {
    if main != "random" || keys.isEmpty { return keys.first }
    return keys[generator.index(below: keys.count)]
  }

  private func victimOfMain() -> Int? { segments.first { !$0.isEmpty }.flatMap { next(of: $0) } }
  private func victim() -> Int {
    victimOfMain() ?? next(of: window) ?? windowProtected.first!
  }

  private var windowLength: Int { length(of: window) + length(of: windowProtected) }
  private var windowProtectedQuota: Int {
    ModelOptions.floor(windowProtectedShare, of: windowQuota)
  }

  override func hit(_ key: Int) {
    climb(key, isHit: true)
    adapt(hit: key)
    sketch.record(keyHash(key))
    feedback?.count()
    if feedbackForm == "window" && segments[1].contains(key) { sketch.record(keyHash(key)) }
    if main == "random" { return }
    if window.contains(key) {
      window.take(key)
      if Double(windowProtectedShare) == 0 || sizes[key]! > windowProtectedQuota {
        window.append(key)
      } else {
        windowProtected.append(key)
        demoteWithinWindow()
      }
    } else if windowProtected.contains(key) {
      windowProtected.take(key)
      windowProtected.append(key)
    } else {
      let level = segments.firstIndex { $0.contains(key) }!
      segments[level].take(key)
      let isTop = level == segments.count - 1
      segments[isTop || sizes[key]! > protectedQuota ? level : level + 1].append(key)
      demoteProtected()
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    climb(key, isHit: false)
    adapt(hit: nil)
    sketch.record(keyHash(key))
    feedback?.count()
    if let feedback, feedbackForm == "gain" {
      for _ in 0..<feedback.level { sketch.record(keyHash(key)) }
    }
    let isAdmitted =
      victims == "caffeine" ? admit(key, size: size) : admitByVictims(key, size: size)
    if isAdmitted { sketch.note(residents: residents.count) }
    return isAdmitted
  }

  private func admit(_ key: Int, size: Int) -> Bool {
    var stays = false
    while used + size > capacity {
      if stays || size <= windowQuota {
        compete(newSize: size)
        continue
      }
      hasFilled = true
      let victim = self.victim()
      var growth = 0
      if frequency(key) <= frequency(victim) {
        (stays, growth) = feedback?.judge(keyHash(key)) ?? (false, 0)
        if !stays {
          follow(growth)
          return false
        }
      }
      evict(victim)
      if feedbackForm == "window" { move(growth, taken: size) }
    }
    sizes[key] = size
    if size > windowQuota {
      segments[0].append(key)
    } else {
      demoteWindow(to: windowQuota - size)
      window.append(key)
    }
    return true
  }

  /// The main cache has what the window's quota leaves; candidates need room there.
  private func admitByVictims(_ key: Int, size: Int) -> Bool {
    if size > windowQuota {
      if !mainTakes(size: size, frequency: frequency(key)) { return false }
      while used + size > capacity { evict(victim()) }
      sizes[key] = size
      segments[0].append(key)
      return true
    }
    var candidates: [Int] = []
    while length(of: window) + size > windowQuota { candidates.append(window.removeFirst()) }
    while let candidate = candidates.popLast() {
      if mainTakes(size: sizes[candidate]!, frequency: frequency(candidate)) {
        segments[0].append(candidate)
      } else {
        evict(candidate)
      }
    }
    while used + size > capacity { evict(victim()) }
    sizes[key] = size
    window.append(key)
    return true
  }

  private func mainTakes(size: Int, frequency candidate: Int) -> Bool {
    let quota = capacity - windowQuota
    var excess: Int { length(of: segments[0] + segments[1]) + size - quota }
    if excess <= 0 { return true }
    hasFilled = true
    if size > quota { return false }
    var leaving: [Int] = []
    for key in segments[0] + segments[1] where length(of: leaving) < excess { leaving.append(key) }
    let frequencies = leaving.map { frequency($0) }
    switch victims {
    case "implicit": if candidate <= frequencies[0] { return false }
    case "aggregated": if candidate <= frequencies.reduce(0, +) { return false }
    default:
      for (key, other) in zip(leaving, frequencies) {
        if candidate <= other { return false }
        evict(key)
      }
      return true
    }
    for key in leaving { evict(key) }
    return true
  }

  override func evict() { compete(newSize: 1) }

  private func compete(newSize: Int) {
    let overflows = newSize <= windowQuota && windowLength + newSize > windowQuota
    let candidate = overflows ? next(of: window) : nil
    guard let victim = victimOfMain() else {
      return evict(candidate ?? next(of: window) ?? windowProtected.first!)
    }
    guard let candidate else { return evict(victim) }
    var (stays, growth) = (true, 0)
    if frequency(candidate) <= frequency(victim) {
      (stays, growth) = feedback?.judge(keyHash(candidate)) ?? (false, 0)
    }
    evict(stays ? victim : candidate)
    if stays && growth > 0 && feedbackForm == "window" {
      window.take(candidate)
      window.append(candidate)
      move(growth, taken: sizes[candidate]!)
    } else if stays {
      leaveWindow(candidate)
      segments[0].append(candidate)
    } else {
      follow(growth)
    }
  }

  /// The window shrinks with the level, to what it began with.
  private func follow(_ growth: Int) {
    if feedbackForm != "window" { return }
    windowQuota += growth
    protectedQuota -= growth
    demoteWindow(to: windowQuota)
  }

  private func leaveWindow(_ key: Int) {
    if main == "random" { window.replaceByLast(key) } else { window.take(key) }
  }

  private func evict(_ key: Int) {
    hasFilled = true
    forget(key)
    reportEviction(of: key)
  }

  override func forget(_ key: Int) {
    leaveWindow(key)
    windowProtected.take(key)
    for level in segments.indices {
      if main == "random" {
        segments[level].replaceByLast(key)
      } else {
        segments[level].take(key)
      }
    }
  }

  override func restoreLimits() {
    if quotasAreFor != capacity {
      setQuotas()
      sketch.limit(residents: capacity)
    }
    demoteWithinWindow()
    demoteWindow(to: windowQuota)
    demoteProtected()
  }

  private func demoteWindow(to quota: Int) {
    while windowLength > quota {
      guard let key = next(of: window) else {
        segments[0].append(windowProtected.removeFirst())
        continue
      }
      leaveWindow(key)
      segments[0].append(key)
    }
  }

  private func demoteWithinWindow() {
    while length(of: windowProtected) > windowProtectedQuota {
      window.append(windowProtected.removeFirst())
    }
  }

  private func demoteProtected() {
    for level in segments.indices.reversed() where level > 0 {
      while length(of: segments[level]) > protectedQuota {
        segments[level - 1].append(segments[level].removeFirst())
      }
    }
  }

  private func climb(_ key: Int, isHit: Bool) {
    if !climbs || !hasFilled { return }
    if indicator != nil {
      if let value = indicator!.judge() {
        move(Int(value * 80 / 100 * Double(capacity)) - windowQuota)
      }
      return indicator!.record(keyHash(key))
    }
    let isGradient = RatioClimberModel.gradients.contains(climberForm)
    if requests >= (isGradient ? max(1, sketch.sample / 200) : sketch.sample) {
      let growth = ratioClimber.judge(Double(hits) / Double(requests), window: windowQuota)
      hits = 0
      requests = 0
      move(growth)
    }
    requests += 1
    if isHit { hits += 1 }
  }

  private func adapt(hit key: Int?) {
    guard let climber, hasFilled else { return }
    if let growth = climber.judge(
      window: windowQuota, protected: protectedQuota, sketchSample: sketch.sample)
    {
      move(growth)
    }
    guard let key else { return climber.record(.miss) }
    climber.record(
      window.contains(key) ? .window : segments[0].contains(key) ? .probation : .protected)
  }

  private func move(_ amount: Int, taken: Int = 0) {
    if amount > 0 {
      var left = min(amount, protectedQuota)
      windowQuota += left
      protectedQuota -= left
      demoteProtected()
      left -= taken
      while let next = segments[0].first, sizes[next]! <= left {
        left -= sizes[next]!
        window.append(segments[0].removeFirst())
      }
    } else if amount < 0 {
      let loss = min(-amount, max(windowQuota - 1, 0))
      windowQuota -= loss
      protectedQuota += loss
      demoteWindow(to: windowQuota)
    }
  }
}

extension [Int] {
  fileprivate mutating func replaceByLast(_ key: Int) {
    guard let index = firstIndex(of: key) else { return }
    self[index] = self[count - 1]
    removeLast()
  }
}

/// Who was refused in the last half of a period, and the level that refusals move.
private struct FeedbackModel {
  private(set) var level = 0
  private let period: Int
  private let highest: Int
  private let isGain: Bool
  private var refused: Set<[UInt64]> = []
  private var requests = 0
  private var number = 0
  private var lastChange = 0

  init(_ form: String, capacity: Int, protected: Int) {
    isGain = form == "gain"
    period = max(1, min(isGain ? 256 : 1_024, capacity))
    highest = isGain ? 5 : min(256, protected)
  }

  mutating func count() {
    if requests % period == 0 { number += 1 }
    if requests % max(1, period / 2) == 0 { refused = [] }
    requests += 1
  }

  /// Four bits of a block of 512, as many blocks as give each request of the longest period 8, a power of two.
  private func places(_ hash: UInt64) -> [[UInt64]] {
    var blocks: UInt64 = 1
    while Int(blocks) * 64 < (isGain ? 256 : 1_024) { blocks *= 2 }
    let second = SplitMix64.mix(hash)
    return (0..<4).map { index in [second % blocks, (second >> (28 + 9 * index)) % 512] }
  }

  mutating func judge(_ hash: UInt64) -> (stays: Bool, growth: Int) {
    let isRepeated = places(hash).allSatisfy { refused.contains($0) }
    let before = level
    let quiet = number - lastChange
    let stays = quiet > 0 && isRepeated
    if stays && quiet >= (isGain ? level : 0) {
      level = min(highest, level + (isGain ? 1 : 8))
      lastChange = number
    } else if !stays && quiet > 1 + (isGain ? level : 0) {
      level = max(0, level - (isGain ? 1 : 4))
      lastChange = number
    }
    if !stays { for place in places(hash) { refused.insert(place) } }
    return (stays, level - before)
  }
}

/// The climbers that follow the hit ratio of samples alone.
private struct RatioClimberModel {
  static let gradients = ["sgd", "adam", "nadam", "amsgrad"]
  private let form: String
  private let first: Double
  private let capacity: Double
  private var step: Double
  private var ratios: [Double] = [0]
  private var windows: [Int] = []
  private var falls = 0
  private var isUp = false
  private var smoothed = 0.0
  private var moment = 0.0
  private var squares: [Double] = [0]
  private var rest = 0.0

  init(form: String, first: Double, capacity: Double) {
    self.form = form
    self.first = first
    self.capacity = capacity
    step = form == "trust-region" ? first : -first
  }

  /// The growth of the window after a sample.
  mutating func judge(_ ratio: Double, window: Int) -> Int {
    let change = ratio - ratios.last!
    let gradient = (1 - ratio) - (1 - ratios.last!)
    let amount: Double
    switch form {
    case "simple":
      if change < 0 { step = -step }
      amount = step
      step = abs(change) >= 0.05 ? (step >= 0 ? first : -first) : 0.98 * step
    case "correlation": amount = correlated(change, window)
    case "trust-region": amount = trusted(change)
    default: amount = descent(gradient)
    }
    ratios.append(ratio)
    windows.append(window)
    if form == "simple" { return Int(amount) }
    rest += amount
    let whole = rest.rounded(.down)
    rest -= whole
    return Int(whole)
  }

  private mutating func correlated(_ change: Double, _ window: Int) -> Double {
    let move = window - (windows.last ?? window)
    if move == 0 { return max(1, first) }
    falls = change < 0 ? falls + 1 : 0
    if falls == 5 {
      falls = 0
      return max(1, first)
    }
    if change == 0 { return 0 }
    let length = max(1, 0.95 * Double(abs(move)))
    return (move < 0) == (change < 0) ? length : -length
  }

  private mutating func trusted(_ change: Double) -> Double {
    smoothed = 0.7 * smoothed + 0.3 * abs(change)
    let previous = ratios.count > 1 ? abs(ratios[ratios.count - 1] - ratios[ratios.count - 2]) : 0
    if previous > 1e-12 {
      if smoothed / previous < 0.25 { step *= 0.5 }
      if smoothed / previous > 0.75 { step *= 1.5 }
    }
    let least = max(1, 0.001 * capacity)
    step = max(least, min(step, max(least + 1, 0.1 * capacity)))
    if change < 0 { isUp.toggle() }
    let length = change < -0.005 ? 0.5 * step : step
    return isUp ? length : -length
  }

  private mutating func descent(_ gradient: Double) -> Double {
    moment = 0.9 * moment + 0.1 * gradient
    if form == "sgd" { return first * moment }
    squares.append(0.999 * squares.last! + 0.001 * gradient * gradient)
    if form == "amsgrad" { return first * moment / (squares.max()!.squareRoot() + 1e-8) }
    let samples = squares.count - 1
    let momentBias = 1 - (0..<samples).reduce(1.0) { power, _ in power * 0.9 }
    let squareBias = 1 - (0..<samples).reduce(1.0) { power, _ in power * 0.999 }
    let root = (squares.last! / squareBias).squareRoot() + 1e-8
    if form == "adam" { return first * (moment / momentBias) / root }
    return first / root * (0.9 * (moment / momentBias) + 0.1 / momentBias * gradient)
  }
}
