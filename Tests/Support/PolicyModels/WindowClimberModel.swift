import Parameters

/// Caffeine's window climber of August 2026, as one class with its state in plain variables.
final class WindowClimberModel {
  enum Event { case window, probation, protected, miss }

  private let maximum: Int
  private let isDense: Bool
  private var counts: [Event: Int] = [:]
  private var lastRate = 0.0
  private var step: Double

  // The rates: nil until the first sample.
  private var mean: Double?
  private var deviation = 0.05
  // The anchor.
  private var anchorWindow: Int?
  private var anchorRate = 0.0
  private var isHeld = false
  private var shield = 0
  private var isReturning = false
  private var returnsLeft = 0
  private var shortfalls = 0
  // The audit clock.
  private var still = 0
  private var wait = 4
  private var lastWindow: Int?
  private var auditsDown = false
  // Ladders: 0 for starvation, 1 for audits.
  private var rungs = [16, 16]
  private var crashes = [0, 0]
  // Walks.
  private var walk:
    (
      kind: Int, down: Bool, window: Int, rate: Double, anchorRate: Double, probation: Double
    )?
  private var walked = 0
  private var above = 0
  private var below = 0
  private var hasBeaten = false
  private var undo = 0.0
  private var refractory = 0

  init(maximum: Int, threshold: Int) {
    self.maximum = maximum
    isDense = maximum > threshold
    step = max(0.0625 * Double(maximum), 2)
    if isDense || maximum > 512 { step = -step }
  }

  func record(_ event: Event) { counts[event, default: 0] += 1 }

  private var restart: Double { max(0.0625 * Double(maximum), 2) }

  private func period(_ sketchSample: Int) -> Int {
    if isDense { return min(4 * maximum, sketchSample) }
    if maximum > 512 { return sketchSample }
    let first = 0.0625 * Double(maximum)
    let ratio = max(1, min(4, first / max(abs(step), first / 4)))
    return ratio == 1 ? sketchSample : Int(Double(sketchSample) * ratio)
  }

  /// The growth of the window if the sample is complete.
  func judge(window: Int, protected: Int, sketchSample: Int) -> Int? {
    let requests = counts.values.reduce(0, +)
    if requests == 0 || requests < period(sketchSample) { return nil }
    let hits = requests - counts[.miss, default: 0]
    let rate = Double(hits) / Double(requests)
    let change = rate - lastRate
    let amount: Double
    if isDense {
      amount = densely(rate, change, requests, window, protected)
      let band = max(1, Int(0.02 * Double(maximum)))
      still = lastWindow == nil || abs(window - lastWindow!) <= band ? still + 1 : max(0, still - 1)
      lastWindow = window
    } else {
      amount = change >= 0 ? step : -step
      if abs(change) >= 0.05 {
        step = amount.sign == .minus ? -restart : restart
      } else {
        step = (maximum <= 512 ? 0.995 : 0.98) * amount
      }
    }
    lastRate = rate
    counts = [:]
    return Int(amount)
  }

  private func densely(
    _ rate: Double, _ change: Double, _ requests: Int, _ window: Int, _ protected: Int
  ) -> Double {
    let whole = Double(maximum)
    let windowHits = counts[.window, default: 0]
    let mainHits = counts[.probation, default: 0] + counts[.protected, default: 0]
    let bar = max(4, requests / 1_024)
    let band = max(1, Int(0.02 * whole))
    let floor = 0.02 * whole
    let windowDensity = Double(windowHits) / Double(max(1, window))
    let mainDensity = Double(mainHits) / Double(max(1, maximum - window))
    let probationDensity =
      Double(counts[.probation, default: 0]) / Double(max(1, maximum - window - protected))
    let upper = maximum - maximum / 4
    let (starved, mainStarved) = (windowHits < bar, mainHits < bar)

    func cap(_ amount: Double) -> Double {
      abs(amount) <= 0.3 * whole ? amount : amount < 0 ? -0.3 * whole : 0.3 * whole
    }
    func lifted(_ stride: Double) -> Double {
      Double(window) < floor ? max(stride, floor - Double(window)) : stride
    }
    func descended(_ stride: Double) -> Double {
      if stride >= 0 || Double(window) + stride >= floor { return stride }
      return Double(window) > floor ? floor - Double(window) : -0.0
    }
    func take(_ stride: Double) -> Double {
      step = stride
      return stride
    }
    func fullStride(_ kind: Int) -> Double {
      min(0.3 * whole, (rungs[kind] >= 64 ? 4 : rungs[kind] >= 32 ? 2 : 1) * restart)
    }
    func isAtAnchor() -> Bool { anchorWindow != nil && abs(window - anchorWindow!) <= band }
    func release() {
      isHeld = false
      shield = 0
    }
    func steer() -> Double {
      let least = 0.125 * Double(bar)
      let error = PortableMath.log(
        max(windowDensity, least / Double(max(1, window)))
          / max(mainDensity, least / Double(max(1, maximum - window))))
      let size = min(0.3 * whole, abs(error) * 0.03 * whole)
      return take(lifted(descended(error >= 0 ? size : -size)))
    }
    func home() -> Double {
      returnsLeft -= 1
      let way = Double(anchorWindow! - window)
      if abs(way) <= 0.3 * whole || returnsLeft <= 0 { isReturning = false }
      return take(cap(way))
    }
    func turnBack(hasCrashed: Bool) -> Double {
      let (kind, start) = (walk!.kind, walk!.window)
      walk = nil
      let hasFailed = !hasCrashed || crashes[kind] >= 2
      if hasFailed { rungs[kind] = min(64, 2 * rungs[kind]) }
      if kind == 1 {
        wait =
          hasFailed && !hasCrashed && rungs[1] >= 64
          ? min(512, 2 * max(wait, rungs[1])) : max(16, rungs[1])
      }
      refractory = rungs[0]
      let way = Double(start - window)
      let stride = cap(way)
      undo = way - stride
      return take(stride)
    }
    func walkOn(isFirst: Bool) -> Double {
      let (kind, down, start) = (walk!.kind, walk!.down, walk!.window)
      let full = fullStride(kind)
      let forward = down ? -full : full
      var stride: Double
      if isFirst {
        stride = forward
      } else if kind == 1 && below > 0 {
        stride = 0.98 * step
        if abs(stride) < 2 { stride = step.sign == .minus ? -2 : 2 }
      } else {
        let noise = 3 * deviation
        let turn =
          kind == 1
          ? min(0.05, 0.15 * max(walk!.rate, noise)) : min(3 * 0.05, max(0.05, noise))
        stride = change > -turn ? step : -step
        if abs(change) >= turn {
          stride = stride.sign == .minus ? -full : full
        } else {
          stride = 0.98 * stride
        }
        if abs(stride) < 2 { stride = forward }
      }
      let end = Double(window) + stride
      if down ? end > Double(start) : end < Double(start) {
        crashes[kind] = 0
        return turnBack(hasCrashed: false)
      }
      walked += 1
      return take(descended(stride))
    }
    func setOut(_ kind: Int, down: Bool) -> Double {
      walk = (
        kind, down, window, rate, anchorWindow == nil ? mean! : anchorRate, probationDensity
      )
      (walked, above, below, hasBeaten) = (0, 0, 0, false)
      return walkOn(isFirst: true)
    }
    func audit() -> Double {
      var down = auditsDown
      if window <= Int(2 * floor) {
        down = false
      } else if window >= upper {
        down = true
      } else {
        let room = auditsDown ? Double(upper - window) : Double(window) - floor
        if room >= fullStride(1) { auditsDown.toggle() }
        down = auditsDown
      }
      still = 0
      return setOut(1, down: down)
    }

    func isShielded() -> Bool { walk == nil && isHeld && shield > 0 }
    if isShielded() { shield -= 1 }
    if abs(change) >= 0.05 && !isShielded() {
      if isAtAnchor() {
        anchorWindow = nil
        mean = nil
        deviation = 0.05
      }
      release()
      isReturning = false
      shortfalls = 0
    }
    if mean == nil {
      mean = rate
    } else {
      deviation += 0.2 * (abs(rate - mean!) - deviation)
      mean! += 0.2 * (rate - mean!)
      let isSettled = walk == nil && !isReturning
      if isAtAnchor() {
        anchorRate = mean!
      } else if isSettled
        && (anchorWindow == nil || mean! > anchorRate + max(0.01, 3 * deviation))
      {
        if anchorWindow != nil { release() }
        (anchorWindow, anchorRate) = (window, mean!)
      }
    }

    if let current = walk {
      let kind = current.kind
      let crash =
        kind == 1 ? min(0.05, 0.15 * current.rate) : min(3 * 0.05, max(0.05, 3 * deviation))
      below = rate <= current.rate - crash ? below + 1 : 0
      if below > 0 && (kind == 0 || crashes[1] == 0 || below >= 3) {
        crashes[kind] += 1
        return turnBack(hasCrashed: true)
      }
      if kind == 1 {
        above = rate > current.anchorRate + 0.01 ? above + 1 : 0
        hasBeaten = hasBeaten || rate >= current.rate
        if walked >= 5 && above >= 4 && hasBeaten {
          walk = nil
          (rungs, crashes, refractory, wait) = ([1, 16], [0, 0], 0, 32)
          (anchorWindow, anchorRate) = (window, mean!)
          (isHeld, shield) = (true, 32)
          return 0
        }
      } else {
        let watched = current.down ? mainHits : windowHits
        if watched >= 4 * bar && walked >= (rungs[0] >= 64 ? 10 : rungs[0] >= 32 ? 2 : 0) {
          crashes[0] = 0
          let verdict = PortableMath.log(
            (windowDensity + 1e-9) / ((current.down ? mainDensity : current.probation) + 1e-9))
          if !(current.down ? verdict < 0 : verdict > 0) { return turnBack(hasCrashed: false) }
          walk = nil
          rungs[0] = 1
          refractory = 0
          (anchorWindow, anchorRate) = (window, mean!)
          release()
          return steer()
        }
      }
      if walked < 16 { return walkOn(isFirst: false) }
      crashes[kind] = 0
      return turnBack(hasCrashed: false)
    }
    if undo != 0 {
      let stride = cap(undo)
      undo -= stride
      return take(stride)
    }
    if isReturning { return home() }
    let isDead = starved && mainStarved
    if isDead || starved && window <= maximum / 4 || mainStarved && window >= upper {
      if refractory == 0 {
        return setOut(
          0, down: mainStarved && window >= upper || isDead && window >= maximum / 2)
      }
      if still >= wait { return audit() }
      refractory -= 1
      return lifted(0)
    }
    if anchorWindow != nil && !isAtAnchor() && mean! < anchorRate - max(0.01, 3 * deviation) {
      shortfalls += 1
      if shortfalls >= 4 {
        shortfalls = 0
        (returnsLeft, isReturning, isHeld) = (8, true, true)
        return home()
      }
    } else {
      shortfalls = 0
    }
    if still >= wait { return audit() }
    return isHeld ? 0 : steer()
  }
}
