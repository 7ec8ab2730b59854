// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Interleaving

/// A twin of the standard library's: any thread that waits may be the next.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private final class Box {
    var value: Value
    var isHeld = false

    init(_ value: consuming Value) { self.value = value }
  }

  private let box: Box

  public init(_ value: consuming sending Value) { box = Box(value) }

  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let box = box
    Exploration.wait("lock") { !box.isHeld }
    return try holding(body)
  }

  public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    Exploration.point("try to lock")
    if box.isHeld { return nil }
    return try holding(body)
  }

  private borrowing func holding<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    box.isHeld = true
    Exploration.point("locked")
    defer {
      Exploration.point("unlock")
      box.isHeld = false
      Exploration.point("go on")
    }
    return try body(&box.value)
  }
}
