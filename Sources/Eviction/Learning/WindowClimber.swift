/// Adapts the window of W-TinyLFU as Caffeine does at commit ccef95542 of August 2026.
///
/// Up to a capacity it follows the hit ratio, sample by sample, as the climber of 2018. Above it, it compares within one
/// sample the hits per unit of capacity of the window and of the main cache, and moves the border towards
/// the region that earns more (``steer(by:_:)``). That signal is blind where a region is too small to earn anything:
/// there a *walk* leads the window away, and back unless it paid (``Walk``). And it may rest where the hit ratio is
/// not best: an *anchor* remembers the best position (``Anchor``), and after a long rest an *audit*, another walk,
/// is judged by the hit ratio alone.
///
/// - Source: ben-manes/caffeine, WindowClimber.java, commit ccef95542 (6 August 2026).
@usableFromInline
struct WindowClimber: BitwiseCopyable {
  @usableFromInline var windowHits = 0
  @usableFromInline var probationHits = 0
  @usableFromInline var hits = 0
  @usableFromInline var requests = 0
  /// The longest sample, and the multiple of the sketch's sample that one is otherwise.
  @usableFromInline let longestSample: Int
  @usableFromInline var stretch = 1.0
  let capacity: Int
  let comparesDensities: Bool
  var previousRatio = 0.0
  /// The last step, with its direction.
  var step: Double
  var ladders = Ladders()
  var clock = AuditClock()
  var anchor = Anchor()
  var rates = Rates()
  var walk: Walk?
  /// The rest of a return to a walk's start that took more than one step.
  var undo = 0.0
  /// The samples until the next walk out of a blind corner.
  var refractory = 0

  /// A climber for a cache of that capacity; above `dense` it compares densities.
  init(capacity: Int, dense: Int) {
    self.capacity = capacity
    comparesDensities = capacity > dense
    longestSample = comparesDensities && capacity <= .max / 4 ? 4 * capacity : .max
    step = -WindowClimber.firstStep(capacity)
    if !comparesDensities && isSlow {
      step = -step
      stretch = slowStretch
    }
  }

  /// The change of the hit ratio that means another workload.
  static var shift: Double { 0.05 }

  /// A sixteenth of the capacity, at least 2.
  static func firstStep(_ capacity: Int) -> Double { max(0.0625 * Double(capacity), 2) }

  /// Counts a miss.
  @inlinable @inline(__always)
  mutating func recordMiss() { requests &+= 1 }

  /// Counts a hit of the window, of probation, or of the protected segment.
  @inlinable @inline(__always)
  mutating func recordHit(inWindow: Bool, inProbation: Bool) {
    requests &+= 1
    hits &+= 1
    if inWindow { windowHits &+= 1 }
    if inProbation { probationHits &+= 1 }
  }

  /// Returns true if the sample is complete.
  @inlinable @inline(__always)
  func isComplete(sketchSample: Int) -> Bool {
    requests > 0
      && requests
        >= (stretch == 1 ? min(longestSample, sketchSample) : Int(Double(sketchSample) * stretch))
  }

  /// Judges the sample, and begins another.
  ///
  /// - Returns: The growth of the window, rounded towards zero.
  @usableFromInline @inline(never)
  mutating func adapt(window: Int, protected: Int) -> Int {
    let ratio = Double(hits) / Double(requests)
    let change = ratio - previousRatio
    let amount: Double
    if comparesDensities {
      let reading = Reading(
        self, ratio: ratio, change: change, window: window, protected: protected)
      amount = route(reading)
      clock.tick(window: window, band: reading.band)
    } else {
      amount = followRatio(change)
    }
    previousRatio = ratio
    (windowHits, probationHits, hits, requests) = (0, 0, 0, 0)
    return Int(amount)
  }
}

// MARK: - By the hit ratio

extension WindowClimber {
  /// True where the window is a few objects, and one sample says little.
  var isSlow: Bool { capacity <= 512 }

  /// Up to four samples of the sketch, as the steps become smaller.
  var slowStretch: Double {
    let first = 0.0625 * Double(capacity)
    return max(1, min(4, first / max(abs(step), first / 4)))
  }

  /// On in the same direction unless the hit ratio fell, else back; in smaller and smaller steps.
  mutating func followRatio(_ change: Double) -> Double {
    let amount = change >= 0 ? step : -step
    step =
      abs(change) >= WindowClimber.shift
      ? Double(signOf: amount, magnitudeOf: WindowClimber.firstStep(capacity))
      : (isSlow ? 0.995 : 0.98) * amount
    if isSlow { stretch = slowStretch }
    return amount
  }
}

// MARK: - By densities

extension WindowClimber {
  /// Chooses what moves the window after a sample: a walk, a return, or the densities.
  mutating func route(_ reading: Reading) -> Double {
    if isShielded { anchor.shield -= 1 }
    if abs(reading.change) >= WindowClimber.shift && !isShielded && anchor.standDown(reading) {
      rates = Rates()
    }
    if rates.smoothed == nil {
      rates.smoothed = reading.ratio
    } else {
      rates.update(reading.ratio)
      anchor.track(reading, rates, isWalking: walk != nil)
    }
    if let walk {
      switch ending(of: walk, reading) {
      case .walking: return stride(isFirst: false, reading)
      case .confirmed:
        anchor.plant(reading.window, rates.current)
        if walk.isAudit {
          anchor.park(for: AuditClock.standardWait)
          return 0
        }
        anchor.release()
        return steer(by: reading.steeringError, reading)
      case let ending: return turnBack(from: walk, ending, reading)
      }
    }
    if undo != 0 {
      let stride = reading.capped(undo)
      undo -= stride
      return commit(stride)
    }
    if anchor.isReturning { return commit(anchor.strideHome(reading)) }
    if reading.isBlind {
      if refractory > 0 {
        if clock.isDue { return beginAudit(reading) }
        refractory -= 1
        return reading.atLeastFloor(0)
      }
      begin(isAudit: false, isDown: reading.shouldWalkDown, reading)
      return stride(isFirst: true, reading)
    }
    if anchor.hasFallen(reading, rates) { return commit(anchor.strideHome(reading)) }
    if clock.isDue { return beginAudit(reading) }
    if anchor.isHeld { return 0 }
    return steer(by: reading.steeringError, reading)
  }

  /// True while a position that an audit has just confirmed rides out changes of the hit ratio.
  var isShielded: Bool { walk == nil && anchor.isHeld && anchor.shield > 0 }

  mutating func commit(_ stride: Double) -> Double {
    step = stride
    return stride
  }

  /// A step in proportion to the logarithm of the densities' ratio: 3 % of the capacity per unit, 30 % at most.
  mutating func steer(by error: Double, _ reading: Reading) -> Double {
    let magnitude = min(reading.largestStep, abs(error) * 0.03 * Double(capacity))
    let stride = error >= 0 ? magnitude : -magnitude
    let isBelow = stride < 0 && Double(reading.window) + stride < reading.floor
    return commit(reading.atLeastFloor(isBelow ? reading.flooredDescent : stride))
  }

  mutating func beginAudit(_ reading: Reading) -> Double {
    let isDown = clock.chooseDown(reading, stride: ladders[isAudit: true].stride(reading))
    begin(isAudit: true, isDown: isDown, reading)
    clock.still = 0
    return stride(isFirst: true, reading)
  }

  mutating func begin(isAudit: Bool, isDown: Bool, _ reading: Reading) {
    walk = Walk(
      isAudit: isAudit, isDown: isDown, window: reading.window, ratio: reading.ratio,
      anchorRate: anchor.window == nil ? rates.current : anchor.rate,
      probationDensity: reading.probationDensity)
  }

  /// The next step of the walk. One that would cross its start found nothing, and turns back.
  mutating func stride(isFirst: Bool, _ reading: Reading) -> Double {
    guard let walk else { return 0 }
    var stride = nextStride(of: walk, isFirst: isFirst, reading)
    if walk.crossesStart(Double(reading.window) + stride) {
      self.walk = nil
      ladders[isAudit: walk.isAudit].crashes = 0
      return turnBack(from: walk, .failed, reading)
    }
    if stride < 0 && Double(reading.window) + stride < reading.floor {
      stride = reading.flooredDescent
    }
    self.walk?.samples += 1
    return commit(stride)
  }

  func nextStride(of walk: Walk, isFirst: Bool, _ reading: Reading) -> Double {
    let full = ladders[isAudit: walk.isAudit].stride(reading)
    if isFirst { return walk.direction * full }
    if walk.isAudit && walk.below > 0 {
      let held = 0.98 * step
      return abs(held) < 2 ? Double(signOf: step, magnitudeOf: 2) : held
    }
    let bar = walk.reversalBar(rates)
    let heading = reading.change > -bar ? step : -step
    let stride =
      abs(reading.change) >= bar ? Double(signOf: heading, magnitudeOf: full) : 0.98 * heading
    return abs(stride) < 2 ? walk.direction * full : stride
  }

  /// Judges the walk after a sample, and ends it unless it goes on.
  mutating func ending(of current: Walk, _ reading: Reading) -> Walk.Ending {
    var walk = current
    let isBelow = reading.ratio <= walk.ratio - walk.crashBar(rates)
    walk.below = isBelow ? walk.below + 1 : 0
    let isTolerant = walk.isAudit && ladders[isAudit: true].crashes > 0
    if isBelow && (!isTolerant || walk.below >= 3) {
      self.walk = nil
      ladders[isAudit: walk.isAudit].crashes += 1
      return .crashed
    }
    let ending =
      walk.isAudit ? auditEnding(of: &walk, reading) : starvationEnding(of: walk, reading)
    self.walk = ending == .walking ? walk : nil
    return ending
  }

  /// An audit pays if the hit ratio was above the anchor's for four samples, after five.
  mutating func auditEnding(of walk: inout Walk, _ reading: Reading) -> Walk.Ending {
    walk.above = reading.ratio > walk.anchorRate + Rates.leastMargin ? walk.above + 1 : 0
    if reading.ratio >= walk.ratio { walk.hasBeatenStart = true }
    if walk.samples >= 5 && walk.above >= 4 && walk.hasBeatenStart {
      ladders[isAudit: true] = Ladder()
      refractory = 0
      ladders[isAudit: false].reward()
      clock.wait = AuditClock.standardWait
      return .confirmed
    }
    if walk.samples < Walk.budget { return .walking }
    ladders[isAudit: true].crashes = 0
    return .failed
  }

  /// A walk out of a blind corner pays if the densities, once there are hits enough, say so.
  mutating func starvationEnding(of walk: Walk, _ reading: Reading) -> Walk.Ending {
    let watched = walk.isDown ? reading.mainHits : reading.windowHits
    let isJudged =
      watched >= 4 * reading.bar && walk.samples >= ladders[isAudit: false].commitment
    if !isJudged && walk.samples < Walk.budget { return .walking }
    ladders[isAudit: false].crashes = 0
    if !isJudged || walk.verdict(reading) * walk.direction <= 0 { return .failed }
    ladders[isAudit: false].reward()
    refractory = 0
    return .confirmed
  }

  /// Returns towards the walk's start, and makes the next walk of its kind dearer if it failed.
  mutating func turnBack(
    from walk: Walk, _ ending: Walk.Ending, _ reading: Reading
  ) -> Double {
    let hasCrashed = ending == .crashed
    let hasFailed =
      ending == .failed || hasCrashed && ladders[isAudit: walk.isAudit].crashes >= 2
    if hasFailed { ladders[isAudit: walk.isAudit].escalate() }
    if walk.isAudit {
      clock.reschedule(
        hasFailed: hasFailed, hasCrashed: hasCrashed, rung: ladders[isAudit: true].rung)
    }
    refractory = ladders[isAudit: false].rung
    let amount = Double(walk.window - reading.window)
    let stride = reading.capped(amount)
    undo = amount - stride
    return commit(stride)
  }
}
