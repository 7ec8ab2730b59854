import Parameters

/// The options of one run of a policy, whichever engine runs it.
public struct RunOptions: Sendable {
  /// C: objects, or bytes in a sized run.
  public var capacity: Int
  /// The policy's parameters.
  public var arguments: Arguments
  /// The random seed.
  public var seed: UInt64
  /// Requests at the start that are run but not counted.
  public var warmup: Int
  /// Counts sets as requests.
  public var countsSets: Bool
  /// True if objects leave when their time to live is over.
  public var expires: Bool
  /// Stops the run, which looks at it every few requests, as one of them may take milliseconds; nil for what is only
  /// stopped by its observer.
  public var cancellation: Cancellation?

  /// Options for one run.
  public init(
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
}
