/// A clock that counts requests: a fixed number of them makes a tick.
@usableFromInline
struct RequestClock: BitwiseCopyable {
  @usableFromInline let requestsPerTick: Int
  @usableFromInline var requests = 0
  /// Completed ticks, modulo 2³².
  @usableFromInline var tick: UInt32 = 0

  @inlinable
  init(requestsPerTick: Int) { self.requestsPerTick = requestsPerTick }

  /// Counts a request.
  @inlinable @inline(__always)
  mutating func advance() {
    requests &+= 1
    if requests < requestsPerTick { return }
    requests = 0
    tick &+= 1
  }
}
