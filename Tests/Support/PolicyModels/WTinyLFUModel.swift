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
  private var feedback: RefusalFeedbackModel?

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
      feedback = RefusalFeedbackModel(feedbackForm, capacity: capacity, protected: protectedQuota)
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
