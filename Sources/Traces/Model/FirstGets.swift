/// The gets of a trace with operations, and those of them that miss in every cache, however large.
///
/// A request is counted when it looks its object up (`get`, `read`) or is a block's `write`. It misses in every cache
/// when the object was never requested or written before, or was deleted since.
package struct FirstGets: Sendable {
  /// The requests that are counted.
  package private(set) var gets = 0
  /// Those of them that miss in every cache.
  package private(set) var misses = 0
  /// By id: true for an object that a cache without limit holds.
  private var isResident: [Bool] = []

  /// Nothing counted yet.
  package init() {}

  /// Counts the next requests. O(requests).
  package mutating func add(
    _ ids: UnsafeBufferPointer<UInt32>, _ operations: UnsafeBufferPointer<TraceOperation>
  ) {
    for (id, operation) in zip(ids, operations) {
      let id = Int(id)
      if id >= isResident.count {
        let room = max(id + 1, 2 * isResident.count, 1024)
        isResident += repeatElement(false, count: room - isResident.count)
      }
      switch operation.role {
      case .reference:
        gets += 1
        if !isResident[id] { misses += 1 }
        isResident[id] = true
      case .update: isResident[id] = true
      case .removal: isResident[id] = false
      case .renewal: break
      }
    }
  }
}

extension Trace {
  /// The gets, and those of them that miss in every cache; nil without operations. O(requests).
  package var firstGets: FirstGets? {
    guard let operations else { return nil }
    var gets = FirstGets()
    ids.withUnsafeBufferPointer { ids in
      operations.withUnsafeBufferPointer { operations in gets.add(ids, operations) }
    }
    return gets
  }
}
