import Synchronization

/// Deals a replay's requests out to its threads, in order and a few at a time, so that no thread runs
/// ahead of the others by more than it was dealt, however they are scheduled.
final class RequestDealer: Sendable {
  /// Requests dealt at once: few enough to keep the trace's order, enough to make dealing cheap.
  static let usualHand = 16

  private let next: Atomic<Int>
  private let range: Range<Int>
  private let hand: Int
  private let stopped = Atomic(false)

  init(_ range: Range<Int>, hand: Int = usualHand) {
    self.range = range
    self.hand = hand
    next = Atomic(range.lowerBound)
  }

  /// The next few requests; none at the end, and after ``stop()``.
  func deal() -> Range<Int> {
    if isStopped { return 0..<0 }
    let start = next.add(hand, ordering: .relaxed).oldValue
    return min(start, range.upperBound)..<min(start + hand, range.upperBound)
  }

  /// How many requests were dealt.
  var dealt: Int { min(next.load(ordering: .relaxed), range.upperBound) - range.lowerBound }

  /// How many requests there are to deal.
  var count: Int { range.count }

  /// In which quarter of its requests a place lies, from 0 to 3.
  func quarter(of place: Int) -> Int { (place &- range.lowerBound) &* 4 / range.count }

  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  func stop() { stopped.store(true, ordering: .relaxed) }
}
