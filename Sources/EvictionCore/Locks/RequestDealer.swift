import Synchronization

/// Deals requests out to threads, in order and a batch at a time, so that no thread runs ahead of the
/// others by more than it was dealt, however they are scheduled.
package final class RequestDealer: Sendable {
  private let next: Atomic<Int>
  private let range: Range<Int>
  private let batch: Int
  private let stopped = Atomic(false)

  /// A dealer of these requests, `batch` at once.
  package init(_ range: Range<Int>, batch: Int) {
    self.range = range
    self.batch = batch
    next = Atomic(range.lowerBound)
  }

  /// The next batch; an empty one at the end, and after ``stop()``.
  package func deal() -> Range<Int> {
    if isStopped { return 0..<0 }
    let start = next.add(batch, ordering: .relaxed).oldValue
    return min(start, range.upperBound)..<min(start + batch, range.upperBound)
  }

  /// The number of requests dealt.
  package var dealt: Int { min(next.load(ordering: .relaxed), range.upperBound) - range.lowerBound }

  /// In which quarter of its requests a place lies, from 0 to 3.
  package func quarter(of place: Int) -> Int { (place &- range.lowerBound) &* 4 / range.count }

  /// True if nothing is dealt any more.
  package var isStopped: Bool { stopped.load(ordering: .relaxed) }

  /// Deals nothing from now on.
  package func stop() { stopped.store(true, ordering: .relaxed) }
}
