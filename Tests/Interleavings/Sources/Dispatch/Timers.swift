// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Interleaving

public struct DispatchTime: Comparable, Sendable {
  public let uptimeNanoseconds: UInt64

  public init(uptimeNanoseconds: UInt64) { self.uptimeNanoseconds = uptimeNanoseconds }

  public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)

  public static func now() -> DispatchTime { DispatchTime(uptimeNanoseconds: Exploration.clock) }

  public static func < (one: DispatchTime, other: DispatchTime) -> Bool {
    one.uptimeNanoseconds < other.uptimeNanoseconds
  }

  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
    let (sum, isLate) = time.uptimeNanoseconds.addingReportingOverflow(interval.count)
    return DispatchTime(uptimeNanoseconds: isLate ? .max : sum)
  }
}

public enum DispatchTimeInterval: Sendable {
  case nanoseconds(Int)
  case milliseconds(Int)

  var count: UInt64 {
    switch self {
    case .nanoseconds(let count): UInt64(max(count, 0))
    case .milliseconds(let count): UInt64(max(count, 0)) * 1_000_000
    }
  }
}

public protocol DispatchSourceTimer: AnyObject, Sendable {
  func schedule(
    deadline: DispatchTime, repeating: DispatchTimeInterval?, leeway: DispatchTimeInterval?)
  func setEventHandler(handler: @escaping () -> Void)
  func activate()
  func cancel()
}

extension DispatchSourceTimer {
  public func schedule(deadline: DispatchTime) {
    schedule(deadline: deadline, repeating: nil, leeway: nil)
  }
}

public enum DispatchSource {
  public static func makeTimerSource(queue: DispatchQueue) -> any DispatchSourceTimer {
    Timer(queue: queue)
  }

  private final class Timer: DispatchSourceTimer, @unchecked Sendable {
    private let queue: DispatchQueue
    private var deadline: UInt64?
    private var interval: UInt64?
    private var handler: (() -> Void)?

    init(queue: DispatchQueue) { self.queue = queue }

    func schedule(
      deadline: DispatchTime, repeating: DispatchTimeInterval?, leeway: DispatchTimeInterval?
    ) {
      self.deadline = deadline.uptimeNanoseconds
      interval = repeating?.count
    }

    func setEventHandler(handler: @escaping () -> Void) { self.handler = handler }

    func activate() {
      Exploration.start(isDaemon: true) { [self] in
        while handler != nil {
          let due = deadline
          // Another deadline may have been set meanwhile.
          Exploration.wait("timer", until: due) { handler == nil || deadline != due }
          if Exploration.isEnding { return }
          guard handler != nil, let deadline, deadline <= Exploration.clock else { continue }
          self.deadline = interval.map { max(deadline + $0, Exploration.clock) }
          queue.sync { handler?() }
          // However slow the machine is, there is time for others.
          Exploration.yield("timer")
        }
      }
    }

    func cancel() { handler = nil }
  }
}
