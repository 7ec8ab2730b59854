/// The host of a cache's policy: the account of what the entries take, and a list of what the policy decides.
///
/// It knows slots and costs, no keys and values, so that a policy is compiled for it once, whatever a cache
/// holds. The store carries the decisions out when the policy returns.
@usableFromInline
struct SlotLedger: ~Copyable {
  /// True if the policy's C counts costs; otherwise every object counts one.
  @usableFromInline let countsCosts: Bool
  /// C.
  @usableFromInline var limit: Int
  /// The admission filter, if there is one.
  @usableFromInline var gate: AdmissionGate

  /// The address of the entries' costs: in memory that the store owns, `stride` bytes from slot to slot.
  @usableFromInline var costs: UnsafeRawPointer
  @usableFromInline let stride: Int
  /// The hashes of the keys by slot, if a filter compares them.
  @usableFromInline var keyHashes = SlotArray<UInt64>(repeating: 0)

  /// The residents.
  @usableFromInline var count = 0
  @usableFromInline var totalCost = 0
  @usableFromInline var evictions = 0
  /// The slot of the operation under way, which must outlive it even if the policy forgets it.
  @usableFromInline var requested: Slot = .max
  @usableFromInline var requestedWasForgotten = false

  /// The slots that were evicted or forgotten, in their order; marked if they were forgotten.
  @usableFromInline var decisions: UnsafeMutablePointer<UInt32>
  @usableFromInline var decisionCount = 0
  @usableFromInline var decisionRoom = 16

  /// Marks a ghost that was forgotten; slots are smaller.
  @inlinable static var forgotten: UInt32 { 1 << 31 }
  /// Marks a slot that was evicted, and forgotten next.
  @inlinable static var evictedAndForgotten: UInt32 { 1 << 30 }

  init(
    countsCosts: Bool, limit: Int, filter: AdmissionFilter?, costs: UnsafeRawPointer, stride: Int
  ) {
    self.countsCosts = countsCosts
    self.limit = limit
    self.costs = costs
    self.stride = stride
    gate = AdmissionGate(filter)
    decisions = .allocate(capacity: decisionRoom)
  }

  @inlinable deinit { decisions.deallocate() }

  /// The cost of a slot's entry.
  @inlinable @inline(__always)
  func cost(of slot: Slot) -> Int { costs.load(fromByteOffset: Int(slot) &* stride, as: Int.self) }

  @inlinable @inline(__always)
  mutating func append(_ decision: UInt32) {
    if decisionCount == decisionRoom { growDecisions() }
    decisions[decisionCount] = decision
    decisionCount &+= 1
  }

  @usableFromInline
  mutating func growDecisions() {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * decisionRoom)
    larger.moveInitialize(from: decisions, count: decisionCount)
    decisions.deallocate()
    decisions = larger
    decisionRoom *= 2
  }
}

extension SlotLedger: SlotHost {
  @inlinable @inline(__always)
  var used: Int { countsCosts ? totalCost : count }

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool { request.size <= limit &- used }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { countsCosts ? cost(of: slot) : 1 }

  @inlinable @inline(__always)
  mutating func mayEvict(_ victim: Slot) -> Bool {
    if !gate.isAsking { return true }
    return gate.mayEvict(keyHashes[victim])
  }

  @inlinable @inline(__always)
  var hasRefused: Bool { gate.hasRefused }

  @inlinable @inline(__always)
  mutating func didEvict(_ slot: Slot) {
    evictions &+= 1
    count &-= 1
    totalCost &-= cost(of: slot)
    append(slot)
  }

  @inlinable @inline(__always)
  mutating func didForget(_ slot: Slot) {
    if slot == requested {
      requestedWasForgotten = true
    } else if decisionCount > 0 && decisions[decisionCount &- 1] == slot {
      decisions[decisionCount &- 1] = slot | SlotLedger.evictedAndForgotten
    } else {
      append(slot | SlotLedger.forgotten)
    }
  }
}
