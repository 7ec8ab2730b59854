import Parameters

/// The options of one run of a policy, whichever engine runs it.
@usableFromInline
package struct RunOptions: Sendable {
  /// C: objects, or bytes in a sized run.
  @usableFromInline package var capacity: Int
  /// The policy's parameters.
  @usableFromInline package var arguments: Arguments
  /// The random seed.
  @usableFromInline package var seed: UInt64
  /// Requests at the start that are run but not counted.
  @usableFromInline package var warmup: Int
  /// Counts sets as requests.
  @usableFromInline package var countsSets: Bool
  /// True if objects leave when their time to live is over.
  @usableFromInline package var expires: Bool
  /// The time that a miss takes; nil for none.
  @usableFromInline package var delay: MissDelay?
  /// Stops the run, which looks at it after a thousand requests at most, as one of them may take milliseconds; nil
  /// for what is only stopped by its observer.
  @usableFromInline package var cancellation: Cancellation?

  /// The most requests between two reports to the observer.
  @usableFromInline package var requestsBetweenReports = 1 << 20

  /// Options for one run.
  @usableFromInline package init(
    capacity: Int, arguments: Arguments, seed: UInt64 = 42, warmup: Int = 0,
    countsSets: Bool = false, expires: Bool = false
  ) {
    self.capacity = capacity
    self.arguments = arguments
    self.seed = seed
    self.warmup = warmup
    self.countsSets = countsSets
    self.expires = expires
  }

  /// The most requests between two looks at the cancellation: a look costs as much as one or two requests, and one
  /// that draws a sample takes as long as the sample is large.
  @usableFromInline
  package var requestsBetweenLooks: Int {
    if cancellation == nil { return .max }
    guard case .integer(let sample) = arguments.given["sample"] else { return 1 << 10 }
    return min(1 << 10, max(1, (1 << 16) / max(1, sample)))
  }
}
