import Parameters

extension WTinyLFU {
  /// The values of `climber`: what a change of the hit ratio from sample to sample says about the window.
  public enum Climber: String, CaseIterable, Sendable {
    /// Goes on in steps that become smaller as long as the ratio does not fall, else turns round.
    case simple
    /// Goes on if the window and the ratio moved in the same direction, else back, by 95 % of the last move.
    case correlation
    /// Turns round when the ratio falls, in steps that grow and shrink with the smoothed change.
    case trustRegion = "trust-region"
    /// Gradient descent with momentum.
    case sgd
    /// Adaptive moment estimation.
    case adam
    /// Adam with Nesterov's momentum.
    case nadam
    /// Adam with the largest second moment so far.
    case amsgrad
    /// Sets the window by the skew and the frequencies of the keys, whatever the hit ratio.
    case indicator

    /// True for those that take the change of the miss ratio for a gradient, in samples of a two-hundredth.
    var isGradient: Bool {
      switch self {
      case .simple, .correlation, .trustRegion, .indicator: false
      case .sgd, .adam, .nadam, .amsgrad: true
      }
    }

    /// The default of `step` for gradients, as a share of the capacity.
    static var gradientStep: Fraction { Fraction(5, 1_000) }
  }
}

extension WindowTinyLFU {
  /// Counts a request for the indicator, after judging a complete sample.
  ///
  /// - Returns: The growth of the window to its share of the capacity, at most 80 %; 0 within a sample.
  @usableFromInline @inline(never)
  mutating func indicate(_ hash: UInt64) -> Int {
    let share = indicator!.judge()
    indicator!.record(hash)
    return share.map { Int($0 * 80 / 100 * Double(capacity)) - windowQuota } ?? 0
  }

  /// Moves the window's quota if the climber's sample is complete, and counts the request.
  @inlinable @inline(__always)
  mutating func adapt<Lists: RecencyLists & ~Copyable>(
    to request: Request, hitIn slot: Slot?, lists: inout Lists,
    host: inout some SlotHost & ~Copyable
  ) {
    if hasFeedback {
      return countForFeedback(request, hitIn: slot, lists: lists)
    }
    if !hasFilled { return }
    if !comparesDensities {
      let growth =
        climberForm == .indicator
        ? indicate(request.keyHash)
        : climber.record(
          climberForm, isHit: slot != nil,
          sample: followsGradient ? max(1, sketch.sample / 200) : sketch.sample,
          window: windowQuota, capacity: capacity)
      return moveWindow(by: growth, lists: &lists, host: &host)
    }
    if densityClimber.isComplete(sketchSample: sketch.sample) {
      moveWindow(
        by: densityClimber.adapt(window: windowQuota, protected: protectedQuota), lists: &lists,
        host: &host)
    }
    if let slot {
      let list = lists.owner(of: slot)
      densityClimber.recordHit(
        inWindow: list == .window, inProbation: list == .probation)
    } else {
      densityClimber.recordMiss()
    }
  }

  @inlinable @inline(__always)
  mutating func moveWindow<Lists: RecencyLists & ~Copyable>(
    by growth: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if growth > 0 {
      growWindow(by: min(growth, protectedQuota), lists: &lists, host: &host)
    } else if growth < 0 {
      let loss = min(-growth, max(windowQuota - 1, 0))
      windowQuota -= loss
      protectedQuota += loss
      demote(from: .window, to: windowQuota, lists: &lists, host: &host)
    }
  }

  /// The window takes `growth` from the protected segment's quota, and objects of at most what that leaves beside
  /// `taken`, the next victims first.
  @inlinable
  mutating func growWindow<Lists: RecencyLists & ~Copyable>(
    by growth: Int, taken: Int = 0, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    windowQuota += growth
    protectedQuota -= growth
    demote(from: .protected, to: protectedQuota, lists: &lists, host: &host)
    var left = growth - taken
    while let slot = lists.back(of: .probation), host.size(of: slot) <= left {
      left -= host.size(of: slot)
      lists.move(slot, from: .probation, toFrontOf: .window, size: host.size(of: slot))
    }
  }
}
