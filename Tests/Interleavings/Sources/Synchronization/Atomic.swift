// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Interleaving

/// A twin of the standard library's: every operation is a point of the schedule, and is sequentially consistent.
///
/// It lies in memory as the real one does.
@_rawLayout(like: Value, movesAsLike)
public struct Atomic<Value>: ~Copyable, @unchecked Sendable {
  public init(_ value: consuming Value) { place.initialize(to: value) }

  deinit { place.deinitialize(count: 1) }

  private var place: UnsafeMutablePointer<Value> {
    withUnsafePointer(to: self) {
      UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: Value.self)
    }
  }

  public func load(ordering: AtomicOrdering) -> Value {
    Exploration.point("load")
    return place.pointee
  }

  public func store(_ value: consuming Value, ordering: AtomicOrdering) {
    let value = value
    _ = change("store") { _ in value }
  }

  public func exchange(_ value: consuming Value, ordering: AtomicOrdering) -> Value {
    let value = value
    return change("exchange") { _ in value }.oldValue
  }

  /// Others see the change before the thread goes on: there is a point after it, too.
  @discardableResult
  private func change(
    _ operation: StaticString, _ body: (Value) -> Value
  ) -> (oldValue: Value, newValue: Value) {
    Exploration.point(operation)
    let old = place.pointee
    let new = body(old)
    place.pointee = new
    Exploration.point("go on")
    return (old, new)
  }
}

extension Atomic where Value: Equatable {
  public func compareExchange(
    expected: Value, desired: Value, ordering: AtomicOrdering
  ) -> (exchanged: Bool, original: Value) {
    let old = change("compare and exchange") { $0 == expected ? desired : $0 }.oldValue
    return (old == expected, old)
  }

  /// Fails at times without a reason, as the real one may.
  public func weakCompareExchange(
    expected: Value, desired: Value, ordering: AtomicOrdering
  ) -> (exchanged: Bool, original: Value) {
    if Exploration.draw(below: 8) == 7 { return (false, load(ordering: ordering)) }
    return compareExchange(expected: expected, desired: desired, ordering: ordering)
  }
}

extension Atomic where Value: FixedWidthInteger {
  @discardableResult
  public func add(_ value: Value, ordering: AtomicOrdering) -> (oldValue: Value, newValue: Value) {
    change("add") { $0 + value }
  }

  @discardableResult
  public func subtract(
    _ value: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) { change("subtract") { $0 - value } }

  @discardableResult
  public func wrappingAdd(
    _ value: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) { change("add") { $0 &+ value } }

  @discardableResult
  public func wrappingSubtract(
    _ value: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) { change("subtract") { $0 &- value } }

  @discardableResult
  public func max(_ value: Value, ordering: AtomicOrdering) -> (oldValue: Value, newValue: Value) {
    change("max") { Swift.max($0, value) }
  }

  @discardableResult
  public func min(_ value: Value, ordering: AtomicOrdering) -> (oldValue: Value, newValue: Value) {
    change("min") { Swift.min($0, value) }
  }

  @discardableResult
  public func bitwiseOr(
    _ value: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) { change("or") { $0 | value } }

  @discardableResult
  public func bitwiseAnd(
    _ value: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) { change("and") { $0 & value } }
}

/// Every ordering, of whatever operation: all are the strongest here.
public enum AtomicOrdering: Sendable {
  case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent
}

public typealias AtomicLoadOrdering = AtomicOrdering
public typealias AtomicStoreOrdering = AtomicOrdering
public typealias AtomicUpdateOrdering = AtomicOrdering

public func atomicMemoryFence(ordering: AtomicOrdering) { Exploration.point("fence") }
