import CInline
import EvictionCore
import Traces

/// The source of the simulation loop's requests; specialised, so that what a source does not have costs
/// nothing.
@usableFromInline
package protocol RequestSource {
  /// The requests of a block.
  init(_ columns: RequestColumns)
  /// True if sizes or costs may differ from 1, or operations from get, so that sums say more than
  /// counts.
  var weighs: Bool { get }
  /// The slot of request number `index`.
  func slot(at index: Int) -> Slot
  /// The stable hash of the key of request number `index`; 0 where hashes were not computed.
  func keyHash(at index: Int) -> UInt64
  /// Brings near what ``keyHash(at:)`` will read.
  func prefetchKeyHash(at index: Int)
  /// Request number `index`, with the fields that a policy needs.
  func request(at index: Int, needs: RequestNeeds) -> Request
  /// Returns the operation of request number `index`.
  func role(at index: Int) -> TraceOperation.Role
  /// True if requests tell the sizes of their objects.
  var tellsSizes: Bool { get }
  /// The time of request number `index`; 0 where the trace has none.
  func time(at index: Int) -> Int64
  /// The time to live of its object, in nanoseconds; 0 for none.
  func timeToLive(at index: Int) -> Int64
  /// Returns true if request number `index` writes its object, which then has the request's size.
  func writes(at index: Int) -> Bool
}

extension RequestSource {
  /// The size of a request whose object's size no request has told yet.
  @inlinable package static var unknownSize: Int { .max }
}

/// Plain gets of objects that count one.
@usableFromInline
package struct PlainSource: RequestSource {
  @usableFromInline package let ids: UnsafePointer<UInt32>
  @usableFromInline package let keyHashes: UnsafePointer<UInt64>?
  @usableFromInline package let nextUses: UnsafePointer<UInt32>?
  @usableFromInline package let times: UnsafePointer<Int64>?
  @usableFromInline package let ttls: UnsafePointer<Int64>?
  @usableFromInline package let keyLengths: UnsafePointer<UInt32>?
  @usableFromInline package let classes: UnsafePointer<UInt32>?

  @usableFromInline
  package init(_ columns: RequestColumns) {
    ids = columns.ids
    keyHashes = columns.keyHashes
    nextUses = columns.nextUses
    times = columns.times
    ttls = columns.ttls
    keyLengths = columns.keyLengths
    classes = columns.classes
  }

  @inlinable @inline(__always)
  package var weighs: Bool { false }

  @inlinable @inline(__always)
  package var tellsSizes: Bool { false }

  @inlinable @inline(__always)
  package func slot(at index: Int) -> Slot { ids[index] }

  @inlinable @inline(__always)
  package func keyHash(at index: Int) -> UInt64 { keyHashes.map { $0[Int(ids[index])] } ?? 0 }

  @inlinable @inline(__always)
  package func prefetchKeyHash(at index: Int) {
    if let keyHashes { evl_prefetch(keyHashes + Int(ids[index])) }
  }

  @inlinable @inline(__always)
  package func request(at index: Int, needs: RequestNeeds) -> Request {
    var request = Request(slot: ids[index])
    let slot = Int(request.slot)
    if needs.contains(.keyHash) { request.keyHash = keyHash(at: index) }
    if needs.contains(.time), let times { request.time = times[index] }
    if needs.contains(.nextUse), let nextUses {
      request.index = index
      let next = nextUses[index]
      request.nextUse = next == NextUses.none ? .max : Int(next)
    }
    if needs.contains(.keyLength), let keyLengths { request.keyLength = Int(keyLengths[slot]) }
    if needs.contains(.requestClass), let classes { request.requestClass = classes[index] }
    if needs.contains(.expiry), let times, let ttls, ttls[index] != 0 {
      // A time to live as long as can be said is for ever, whenever it begins.
      let (expiry, isForever) = times[index].addingReportingOverflow(ttls[index])
      request.expiry = isForever ? .max : expiry
    }
    return request
  }

  @inlinable @inline(__always)
  package func time(at index: Int) -> Int64 { times.map { $0[index] } ?? 0 }

  @inlinable @inline(__always)
  package func timeToLive(at index: Int) -> Int64 { ttls.map { $0[index] } ?? 0 }

  @inlinable @inline(__always)
  package func role(at index: Int) -> TraceOperation.Role { .reference }

  @inlinable @inline(__always)
  package func writes(at index: Int) -> Bool { false }
}

/// Requests with whatever columns the trace has.
@usableFromInline
package struct ColumnSource: RequestSource {
  @usableFromInline package let plain: PlainSource
  @usableFromInline package let sizes: UnsafePointer<UInt64>?
  @usableFromInline package let costs: UnsafePointer<Double>?
  @usableFromInline package let operations: UnsafePointer<TraceOperation>?
  @usableFromInline package let weighs: Bool

  @usableFromInline
  package init(_ columns: RequestColumns) {
    plain = PlainSource(columns)
    sizes = columns.sizes
    costs = columns.costs
    operations = columns.operations
    weighs = sizes != nil || costs != nil || operations != nil
  }

  @inlinable @inline(__always)
  package var tellsSizes: Bool { sizes != nil }

  @inlinable @inline(__always)
  package func slot(at index: Int) -> Slot { plain.slot(at: index) }

  @inlinable @inline(__always)
  package func keyHash(at index: Int) -> UInt64 { plain.keyHash(at: index) }

  @inlinable @inline(__always)
  package func prefetchKeyHash(at index: Int) { plain.prefetchKeyHash(at: index) }

  @inlinable @inline(__always)
  package func request(at index: Int, needs: RequestNeeds) -> Request {
    var request = plain.request(at: index, needs: needs)
    if let sizes { request.size = Int(clamping: sizes[index]) }
    if let costs { request.cost = costs[index] }
    return request
  }

  @inlinable @inline(__always)
  package func time(at index: Int) -> Int64 { plain.time(at: index) }

  @inlinable @inline(__always)
  package func timeToLive(at index: Int) -> Int64 { plain.timeToLive(at: index) }

  @inlinable @inline(__always)
  package func role(at index: Int) -> TraceOperation.Role {
    operations.map { $0[index].role } ?? .reference
  }

  @inlinable @inline(__always)
  package func writes(at index: Int) -> Bool { operations.map { $0[index].isWrite } ?? false }
}
