import EvictionCore
import Parameters
import Requests

extension CachePolicy {
  /// Replays `stream` through a real cache of this policy.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - options: The options of the replay.
  ///   - specification: The policy's name and parameters.
  ///   - observer: Called now and then with the requests done in all passes; returning false
  ///     stops the replay.
  /// - Returns: The measurements, or nil if the observer stopped it.
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  /// - Complexity: O(requests) times the cost of a get and a set, for each pass.
  package func replay(
    _ stream: RequestStream, options: ReplayOptions, policy specification: Specification,
    observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> ReplayOutcome? {
    let policy = with(PolicyDescription.ownParameters(of: specification))
    return try ReplayPasses(stream: stream, options: options) { (lock) throws(PolicyError) in
      try ReplayedCache(
        of: policy, options: options.run, isSized: stream.isSized,
        arrangement: CacheArrangement(options), times: stream.times, lock: { lock() })
    }.run(observer: observer)
  }
}
