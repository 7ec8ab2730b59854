import Parameters

extension FRD {
  /// The values of `climb`: what the room of the main objects follows.
  enum Climb: String, CaseIterable {
    /// Nothing: it stays.
    case off
    /// The hit ratio from sample to sample.
    case simple
    /// The skew and the frequencies of the keys.
    case indicator
  }

  /// Counts a request, and moves M when a sample is complete.
  @usableFromInline @inline(never)
  mutating func adapt(hash: UInt64, isHit: Bool) {
    let filter: Int
    if climb == .simple {
      let growth = climber.judge(sample: capacity <= .max / 10 ? 10 * capacity : .max)
      climber.record(isHit: isHit)
      if growth == 0 { return }
      filter = (capacity - objects.mainLimit) + growth * Fraction(5, 100).floor(of: capacity)
    } else {
      indicator!.record(hash)
      guard let share = indicator!.judge() else { return }
      filter = Int(share * Double(capacity))
    }
    objects.mainLimit = max(1, capacity - max(1, filter))
  }
}

/// Walks in equal steps, and turns round when the hit ratio falls.
struct SteadyClimber: BitwiseCopyable {
  private var hits = 0
  private var requests = 0
  private var previousRatio = 0.0
  private var isGrowing = false

  mutating func record(isHit: Bool) {
    requests += 1
    if isHit { hits += 1 }
  }

  /// Begins another sample if this one is complete.
  ///
  /// - Returns: The direction of the step, 1 or −1; 0 within a sample, and after one without a hit to compare with.
  mutating func judge(sample: Int) -> Int {
    if requests < sample { return 0 }
    let ratio = Double(hits) / Double(requests)
    let previous = previousRatio
    previousRatio = ratio
    hits = 0
    requests = 0
    if previous == 0 { return 0 }
    if ratio < previous { isGrowing.toggle() }
    return isGrowing ? 1 : -1
  }
}
