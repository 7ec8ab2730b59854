import Synchronization

/// A request to stop, made on any thread and asked about by work that goes on.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Creates a cancellation that is not requested yet.
  public init() {}

  /// Asks to stop.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// True if a stop was requested.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
