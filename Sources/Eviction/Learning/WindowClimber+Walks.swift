import Parameters

extension WindowClimber {
  /// The two regions in a sample.
  struct Reading {
    let ratio: Double
    let change: Double
    let capacity: Int
    let window: Int
    let windowHits: Int
    let mainHits: Int
    /// The hits below which a region is starved.
    let bar: Int
    /// Positions that are no further apart are the same.
    let band: Int
    /// The smallest window.
    let floor: Double
    let windowDensity: Double
    let mainDensity: Double
    let probationDensity: Double

    init(
      _ climber: borrowing WindowClimber, ratio: Double, change: Double, window: Int,
      protected: Int
    ) {
      capacity = climber.capacity
      (self.ratio, self.change, self.window) = (ratio, change, window)
      windowHits = climber.windowHits
      mainHits = climber.hits - climber.windowHits
      bar = max(4, climber.requests >> 10)
      band = max(1, Int(0.02 * Double(capacity)))
      floor = 0.02 * Double(capacity)
      windowDensity = Double(windowHits) / Double(max(1, window))
      mainDensity = Double(mainHits) / Double(max(1, capacity - window))
      probationDensity =
        Double(climber.probationHits) / Double(max(1, capacity - window - protected))
    }

    var isWindowStarved: Bool { windowHits < bar }
    var isMainStarved: Bool { mainHits < bar }
    /// The window that leaves a quarter to the main cache.
    var upperCorner: Int { capacity - capacity / 4 }
    var largestStep: Double { 0.3 * Double(capacity) }
    /// Down to the floor, and never up.
    var flooredDescent: Double {
      let descent = floor - Double(window)
      return descent < 0 ? descent : -0.0
    }

    func capped(_ amount: Double) -> Double {
      abs(amount) > largestStep ? Double(signOf: amount, magnitudeOf: largestStep) : amount
    }

    func atLeastFloor(_ stride: Double) -> Double {
      Double(window) < floor ? max(stride, floor - Double(window)) : stride
    }

    /// True where the densities say nothing.
    var isBlind: Bool {
      isWindowStarved && isMainStarved || isWindowStarved && window <= capacity / 4
        || isMainStarved && window >= upperCorner
    }

    var shouldWalkDown: Bool {
      isMainStarved && window >= upperCorner
        || isWindowStarved && isMainStarved && window >= capacity / 2
    }

    /// The logarithm of the densities' ratio, where a region without hits counts an eighth of the bar.
    var steeringError: Double {
      let least = 0.125 * Double(bar)
      return PortableMath.log(
        max(windowDensity, least / Double(max(1, window)))
          / max(mainDensity, least / Double(max(1, capacity - window))))
    }
  }

  /// A walk of the window: where it started, and what its samples showed.
  struct Walk: BitwiseCopyable {
    enum Ending { case walking, confirmed, failed, crashed }

    let isAudit: Bool
    let isDown: Bool
    let window: Int
    let ratio: Double
    let anchorRate: Double
    let probationDensity: Double
    var samples = 0
    /// Samples in a row above the anchor's hit ratio, and below the bar.
    var above = 0
    var below = 0
    var hasBeatenStart = false

    init(
      isAudit: Bool, isDown: Bool, window: Int, ratio: Double, anchorRate: Double,
      probationDensity: Double
    ) {
      (self.isAudit, self.isDown, self.window) = (isAudit, isDown, window)
      (self.ratio, self.anchorRate) = (ratio, anchorRate)
      self.probationDensity = probationDensity
    }

    /// The samples that a walk may take.
    static var budget: Int { 16 }

    var direction: Double { isDown ? -1 : 1 }

    func crossesStart(_ position: Double) -> Bool {
      isDown ? position > Double(window) : position < Double(window)
    }

    /// The loss of hit ratio since the start that breaks the walk off.
    func crashBar(_ rates: Rates) -> Double {
      isAudit
        ? min(WindowClimber.shift, 0.15 * ratio)
        : min(3 * WindowClimber.shift, max(WindowClimber.shift, rates.noise))
    }

    /// The loss from sample to sample that turns the walk round.
    func reversalBar(_ rates: Rates) -> Double {
      isAudit ? min(WindowClimber.shift, 0.15 * max(ratio, rates.noise)) : crashBar(rates)
    }

    /// Above 0 for the window: up against probation as it was at the start, down against the main cache.
    func verdict(_ reading: Reading) -> Double {
      PortableMath.log(
        (reading.windowDensity + 1e-9) / ((isDown ? reading.mainDensity : probationDensity) + 1e-9))
    }
  }

  /// The price of walks of one kind.
  struct Ladder: BitwiseCopyable {
    /// The samples between two walks.
    var rung = 16
    /// Walks in a row that were broken off.
    var crashes = 0

    mutating func escalate() { rung = min(64, 2 * rung) }

    mutating func reward() { (rung, crashes) = (1, 0) }

    /// The samples that a walk takes before stray hits may end it.
    var commitment: Int { rung >= 64 ? 10 : rung >= 32 ? 2 : 0 }

    func stride(_ reading: Reading) -> Double {
      let scale = rung >= 64 ? 4.0 : rung >= 32 ? 2.0 : 1.0
      return min(reading.largestStep, scale * WindowClimber.firstStep(reading.capacity))
    }
  }

  /// One for audits, and one for walks out of blind corners.
  struct Ladders: BitwiseCopyable {
    private var audit = Ladder()
    private var starvation = Ladder()

    subscript(isAudit isAudit: Bool) -> Ladder {
      get { isAudit ? audit : starvation }
      set { if isAudit { audit = newValue } else { starvation = newValue } }
    }
  }

  /// Counts the samples that the window has stood still, until an audit is due.
  struct AuditClock: BitwiseCopyable {
    var still = 0
    /// The first audit comes early.
    var wait = 4
    var last: Int?
    var isDown = false

    static var standardWait: Int { 32 }

    var isDue: Bool { still >= wait }

    mutating func tick(window: Int, band: Int) {
      let isStill = last.map { abs(window - $0) <= band } ?? true
      still = isStill ? still + 1 : max(0, still - 1)
      last = window
    }

    mutating func reschedule(hasFailed: Bool, hasCrashed: Bool, rung: Int) {
      wait = hasFailed && !hasCrashed && rung >= 64 ? min(512, 2 * max(wait, rung)) : max(16, rung)
    }

    /// Towards the farther end, or by turns, but not where there is less room than a stride.
    mutating func chooseDown(_ reading: Reading, stride: Double) -> Bool {
      if reading.window <= Int(2 * reading.floor) { return false }
      if reading.window >= reading.upperCorner { return true }
      let room =
        isDown
        ? Double(reading.upperCorner - reading.window) : Double(reading.window) - reading.floor
      if room >= stride { isDown.toggle() }
      return isDown
    }
  }

  /// The position where the hit ratio was best, and the way back to it.
  struct Anchor: BitwiseCopyable {
    var window: Int?
    var rate = 0.0
    /// True while the window stays, whatever the densities say.
    var isHeld = false
    var shield = 0
    var isReturning = false
    var returnsLeft = 0
    /// Samples in a row below its hit ratio.
    var shortfalls = 0

    mutating func plant(_ window: Int, _ rate: Double) { (self.window, self.rate) = (window, rate) }

    mutating func park(for samples: Int) { (isHeld, shield) = (true, samples) }

    mutating func release() { (isHeld, shield) = (false, 0) }

    func isAt(_ reading: Reading) -> Bool {
      window.map { abs(reading.window - $0) <= reading.band } ?? false
    }

    /// Follows the hit ratio while the window is there, and moves to a clearly better position.
    mutating func track(_ reading: Reading, _ rates: Rates, isWalking: Bool) {
      let isSettled = !isWalking && !isReturning
      if window == nil {
        if isSettled { plant(reading.window, rates.current) }
      } else if isAt(reading) {
        rate = rates.current
      } else if isSettled && rates.current > rate + rates.margin {
        plant(reading.window, rates.current)
        release()
      }
    }

    /// Begins the return if the hit ratio was clearly lower for four samples.
    mutating func hasFallen(_ reading: Reading, _ rates: Rates) -> Bool {
      guard window != nil, !isAt(reading), rates.current < rate - rates.margin else {
        shortfalls = 0
        return false
      }
      shortfalls += 1
      if shortfalls < 4 { return false }
      shortfalls = 0
      returnsLeft = 8
      isReturning = true
      isHeld = true
      return true
    }

    mutating func strideHome(_ reading: Reading) -> Double {
      returnsLeft -= 1
      let remaining = Double((window ?? -1) - reading.window)
      if abs(remaining) <= reading.largestStep || returnsLeft <= 0 { isReturning = false }
      return reading.capped(remaining)
    }

    /// Another workload: nothing is held, and what was claimed of this very position is forgotten.
    ///
    /// - Returns: True if it is.
    mutating func standDown(_ reading: Reading) -> Bool {
      let isDiscarded = isAt(reading)
      if isDiscarded { window = nil }
      release()
      isReturning = false
      shortfalls = 0
      return isDiscarded
    }
  }

  /// The smoothed hit ratio of the samples, and its mean deviation.
  struct Rates: BitwiseCopyable {
    var smoothed: Double?
    var deviation = 0.05

    static var leastMargin: Double { 0.01 }

    var current: Double { smoothed ?? .nan }
    var noise: Double { 3 * deviation }
    var margin: Double { max(Rates.leastMargin, noise) }

    mutating func update(_ ratio: Double) {
      deviation += 0.2 * (abs(ratio - current) - deviation)
      smoothed = current + 0.2 * (ratio - current)
    }
  }
}
