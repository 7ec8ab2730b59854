import Synchronization

/// Two times that a thread leaves for another.
final class SharedTimes: Sendable {
  private let times = Mutex((0.0, 0.0))

  func set(_ first: Double, _ second: Double) { times.withLock { $0 = (first, second) } }

  func get() -> (Double, Double) { times.withLock { $0 } }
}
