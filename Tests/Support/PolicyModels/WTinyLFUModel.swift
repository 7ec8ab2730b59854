/// A window, and a main cache of two segments; in each the least recent first.
///
/// A newcomer goes through the window; what the window pushes out must be more frequent than the main
/// cache's victim to take its place.
final class WTinyLFUModel: PolicyModel {
  private var window: [Int] = []
  private var windowProtected: [Int] = []
  private var probation: [Int] = []
  private var protected: [Int] = []
  private var sketch: FrequencySketchModel

  private var windowQuota = 0
  private var protectedQuota = 0
  private var quotasAreFor = -1
  private let windowShare: String
  private let protectedShare: String
  private let stepShare: String
  private let windowProtectedShare: String

  private let climbs: Bool
  private var step = 0.0
  private var previousRatio = 0.0
  private var hits = 0
  private var requests = 0
  private var hasFilled = false
  private let victims: String
  private let dense: Int?
  private var climber: WindowClimberModel?

  override init(_ options: ModelOptions) {
    windowShare = options.parameters["window"] ?? "0.01"
    protectedShare = options.parameters["protected"] ?? "0.8"
    stepShare = options.parameters["step"] ?? "0.0625"
    windowProtectedShare = options.parameters["windowProtected"] ?? "0"
    climbs = options.parameters["climb"] == "true"
    victims = options.parameters["victims"] ?? "caffeine"
    dense =
      options.parameters["density"] == "true" ? Int(options.parameters["dense"] ?? "4096")! : nil
    sketch = FrequencySketchModel(options.parameters)
    super.init(options)
    setQuotas()
  }

  override var residents: [Int] { window + windowProtected + probation + protected }

  private func setQuotas() {
    // ⌊(1 − window) C⌋, in steps of a ten-thousandth.
    let rest = 10_000 - ModelOptions.floor(windowShare, of: 10_000)
    let main = 10_000.dividingFullWidth(rest.multipliedFullWidth(by: capacity)).quotient
    windowQuota = capacity - main
    protectedQuota = ModelOptions.floor(protectedShare, of: main)
    quotasAreFor = capacity
    step = -Double(ModelOptions.floor(stepShare, of: capacity))
    climber = dense.map { WindowClimberModel(maximum: capacity, threshold: $0) }
    previousRatio = 0
    hits = 0
    requests = 0
  }

  private func frequency(_ key: Int) -> Int { sketch.frequency(of: keyHash(key)) }

  private var victim: Int {
    probation.first ?? protected.first ?? window.first ?? windowProtected.first!
  }

  private var windowLength: Int { length(of: window) + length(of: windowProtected) }
  private var windowProtectedQuota: Int {
    ModelOptions.floor(windowProtectedShare, of: windowQuota)
  }

  override func hit(_ key: Int) {
    climb(isHit: true)
    adapt(hit: key)
    sketch.record(keyHash(key))
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
    } else if protected.contains(key) {
      protected.take(key)
      protected.append(key)
    } else {
      probation.take(key)
      if sizes[key]! > protectedQuota {
        probation.append(key)
      } else {
        protected.append(key)
        demoteProtected()
      }
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    climb(isHit: false)
    adapt(hit: nil)
    sketch.record(keyHash(key))
    let isAdmitted =
      victims == "caffeine" ? admit(key, size: size) : admitByVictims(key, size: size)
    if isAdmitted { sketch.note(residents: residents.count) }
    return isAdmitted
  }

  private func admit(_ key: Int, size: Int) -> Bool {
    if size > windowQuota {
      while used + size > capacity {
        hasFilled = true
        if frequency(key) <= frequency(victim) { return false }
        evict(victim)
      }
      sizes[key] = size
      probation.append(key)
    } else {
      while used + size > capacity { compete(newSize: size) }
      sizes[key] = size
      demoteWindow(to: windowQuota - size)
      window.append(key)
    }
    return true
  }

  /// The main cache has what the window's quota leaves; candidates need room there.
  private func admitByVictims(_ key: Int, size: Int) -> Bool {
    if size > windowQuota {
      if !mainTakes(size: size, frequency: frequency(key)) { return false }
      while used + size > capacity { evict(victim) }
      sizes[key] = size
      probation.append(key)
      return true
    }
    var candidates: [Int] = []
    while length(of: window) + size > windowQuota { candidates.append(window.removeFirst()) }
    while let candidate = candidates.popLast() {
      if mainTakes(size: sizes[candidate]!, frequency: frequency(candidate)) {
        probation.append(candidate)
      } else {
        evict(candidate)
      }
    }
    while used + size > capacity { evict(victim) }
    sizes[key] = size
    window.append(key)
    return true
  }

  private func mainTakes(size: Int, frequency candidate: Int) -> Bool {
    let quota = capacity - windowQuota
    var excess: Int { length(of: probation + protected) + size - quota }
    if excess <= 0 { return true }
    hasFilled = true
    if size > quota { return false }
    var leaving: [Int] = []
    for key in probation + protected where length(of: leaving) < excess { leaving.append(key) }
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

  override func evict() {
    if windowQuota == 0 { evict(victim) } else { compete(newSize: 1) }
  }

  private func compete(newSize: Int) {
    let candidate = window.first
    let victim = self.victim
    if candidate == nil || windowLength + newSize <= windowQuota {
      evict(victim)
    } else if frequency(candidate!) > frequency(victim) {
      evict(victim)
      window.take(candidate!)
      probation.append(candidate!)
    } else {
      evict(candidate!)
    }
  }

  private func evict(_ key: Int) {
    hasFilled = true
    forget(key)
    reportEviction(of: key)
  }

  override func forget(_ key: Int) {
    window.take(key)
    windowProtected.take(key)
    probation.take(key)
    protected.take(key)
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
      probation.append(window.isEmpty ? windowProtected.removeFirst() : window.removeFirst())
    }
  }

  private func demoteWithinWindow() {
    while length(of: windowProtected) > windowProtectedQuota {
      window.append(windowProtected.removeFirst())
    }
  }

  private func demoteProtected() {
    while length(of: protected) > protectedQuota { probation.append(protected.removeFirst()) }
  }

  private func climb(isHit: Bool) {
    if !climbs || !hasFilled { return }
    if requests >= sketch.sample { judge() }
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
      window.contains(key) ? .window : probation.contains(key) ? .probation : .protected)
  }

  /// After each sample: on in the same direction if the hit ratio did not fall, else back.
  private func judge() {
    let ratio = Double(hits) / Double(requests)
    let change = ratio - previousRatio
    if change < 0 { step = -step }
    move(Int(step))
    if abs(change) >= 0.05 {
      let first = Double(ModelOptions.floor(stepShare, of: capacity))
      step = step >= 0 ? first : -first
    } else {
      step *= 0.98
    }
    previousRatio = ratio
    hits = 0
    requests = 0
  }

  private func move(_ amount: Int) {
    if amount > 0 {
      var left = min(amount, protectedQuota)
      windowQuota += left
      protectedQuota -= left
      demoteProtected()
      while let next = probation.first, sizes[next]! <= left {
        left -= sizes[next]!
        window.append(probation.removeFirst())
      }
    } else if amount < 0 {
      let loss = min(-amount, max(windowQuota - 1, 0))
      windowQuota -= loss
      protectedQuota += loss
      demoteWindow(to: windowQuota)
    }
  }
}
