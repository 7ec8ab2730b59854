// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Interleaving

// A twin of the part of Dispatch that the caches use.

public final class DispatchQueue: @unchecked Sendable {
  public struct Attributes: Sendable {
    public static let concurrent = Attributes()
  }

  public static let main = DispatchQueue(label: "main")

  /// Work that is inside or waits, in the order in which it came.
  private var items: [Item] = []
  private let isConcurrent: Bool

  private final class Item {
    let isAlone: Bool

    init(isAlone: Bool) { self.isAlone = isAlone }
  }

  public init(label: String, qos: DispatchQoS = .default, attributes: Attributes? = nil) {
    isConcurrent = attributes != nil
  }

  public static func global(qos: DispatchQoS = .default) -> DispatchQueue {
    DispatchQueue(label: "global", attributes: .concurrent)
  }

  public func sync(flags: DispatchWorkItemFlags? = nil, execute body: () -> Void) {
    Exploration.point("queue")
    run(enqueue(flags), body)
  }

  public func async(
    flags: DispatchWorkItemFlags? = nil, execute body: @escaping @Sendable () -> Void
  ) {
    Exploration.point("queue")
    let item = enqueue(flags)
    Exploration.start { self.run(item, body) }
    Exploration.point("go on")
  }

  private func enqueue(_ flags: DispatchWorkItemFlags?) -> Item {
    let item = Item(isAlone: !isConcurrent || flags == .barrier)
    items.append(item)
    return item
  }

  private func run(_ item: Item, _ body: () -> Void) {
    Exploration.wait("turn in the queue") {
      for earlier in items {
        if earlier === item { return true }
        if earlier.isAlone || item.isAlone { return false }
      }
      return false
    }
    body()
    Exploration.point("leave the queue")
    items.removeAll { $0 === item }
    Exploration.point("go on")
  }
}

public enum DispatchQoS: Sendable { case `default`, utility, userInitiated, background }

public enum DispatchWorkItemFlags: Sendable { case barrier }

public final class DispatchSemaphore: @unchecked Sendable {
  private var value: Int

  public init(value: Int) { self.value = value }

  public func wait() {
    Exploration.wait("semaphore") { value > 0 }
    value -= 1
    Exploration.point("go on")
  }

  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    Exploration.wait("semaphore", until: timeout.uptimeNanoseconds) { value > 0 }
    if value == 0 { return .timedOut }
    value -= 1
    Exploration.point("go on")
    return .success
  }

  @discardableResult
  public func signal() -> Int {
    Exploration.point("signal")
    value += 1
    Exploration.point("go on")
    return 0
  }
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }
