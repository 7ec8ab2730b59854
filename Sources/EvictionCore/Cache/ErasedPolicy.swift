/// A policy at work in a cache, behind functions that were compiled for it: none of them captures anything.
@usableFromInline
struct ErasedPolicy: ~Copyable {
  @usableFromInline let state: UnsafeMutableRawPointer
  @usableFromInline let functions: PolicyFunctions

  @inlinable
  init<Policy: ReplacementPolicy & ~Copyable>(_ policy: consuming Policy) {
    let place = UnsafeMutablePointer<Policy>.allocate(capacity: 1)
    place.initialize(to: policy)
    state = UnsafeMutableRawPointer(place)
    functions = PolicyFunctions(Policy.self)
  }

  @inlinable
  deinit { functions.destroy(state) }
}

extension ErasedPolicy {
  @inlinable @inline(__always)
  func ignoresHit(of slot: Slot) -> Bool { functions.ignoresHit(state, slot) }

  @inlinable @inline(__always)
  mutating func hit(_ request: Request, host: inout SlotLedger) {
    functions.hit(state, request, &host)
  }

  @inlinable @inline(__always)
  mutating func insert(_ request: Request, host: inout SlotLedger) -> Bool {
    functions.insert(state, request, &host)
  }

  /// Evicts for no newcomer.
  @inlinable @inline(__always)
  mutating func evict(host: inout SlotLedger) { functions.evict(state, &host) }

  @inlinable @inline(__always)
  mutating func remove(_ slot: Slot, host: inout SlotLedger) {
    functions.remove(state, slot, &host)
  }

  @inlinable @inline(__always)
  mutating func removeAll() { functions.removeAll(state) }

  @inlinable @inline(__always)
  mutating func resize(to capacity: Int, host: inout SlotLedger) {
    functions.resize(state, capacity, &host)
  }

  @inlinable @inline(__always)
  mutating func changeSize(of slot: Slot, by difference: Int) {
    functions.changeSize(state, slot, difference)
  }

  @inlinable @inline(__always)
  mutating func changeExpiry(of slot: Slot, to expiry: Int64) {
    functions.changeExpiry(state, slot, expiry)
  }

  @inlinable @inline(__always)
  mutating func reserve(slots: Int) { functions.reserve(state, slots) }
}

/// The members of a policy's type that a cache calls; see ``ReplacementPolicy``.
@usableFromInline
struct PolicyFunctions {
  @usableFromInline typealias State = UnsafeMutableRawPointer

  @usableFromInline let ignoresHit: (State, Slot) -> Bool
  @usableFromInline let hit: (State, Request, inout SlotLedger) -> Void
  @usableFromInline let insert: (State, Request, inout SlotLedger) -> Bool
  @usableFromInline let evict: (State, inout SlotLedger) -> Void
  @usableFromInline let remove: (State, Slot, inout SlotLedger) -> Void
  @usableFromInline let removeAll: (State) -> Void
  @usableFromInline let resize: (State, Int, inout SlotLedger) -> Void
  @usableFromInline let changeSize: (State, Slot, Int) -> Void
  @usableFromInline let changeExpiry: (State, Slot, Int64) -> Void
  @usableFromInline let reserve: (State, Int) -> Void
  @usableFromInline let destroy: (State) -> Void

  @inlinable
  init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    ignoresHit = { $0.assumingMemoryBound(to: Policy.self).pointee.ignoresHit(of: $1) }
    hit = {
      let policy = $0.assumingMemoryBound(to: Policy.self)
      // What is marked already is not written again: another thread may have the mark in its cache.
      if !policy.pointee.ignoresHit(of: $1.slot) { policy.pointee.hit($1, host: &$2) }
    }
    insert = { $0.assumingMemoryBound(to: Policy.self).pointee.insert($1, host: &$2) }
    evict = { $0.assumingMemoryBound(to: Policy.self).pointee.evict(for: nil, host: &$1) }
    remove = { $0.assumingMemoryBound(to: Policy.self).pointee.remove($1, host: &$2) }
    removeAll = { $0.assumingMemoryBound(to: Policy.self).pointee.removeAll() }
    resize = { $0.assumingMemoryBound(to: Policy.self).pointee.resize(to: $1, host: &$2) }
    changeSize = { $0.assumingMemoryBound(to: Policy.self).pointee.changeSize(of: $1, by: $2) }
    changeExpiry = { $0.assumingMemoryBound(to: Policy.self).pointee.changeExpiry(of: $1, to: $2) }
    reserve = { $0.assumingMemoryBound(to: Policy.self).pointee.reserve(slots: $1) }
    destroy = { state in
      let place = state.assumingMemoryBound(to: Policy.self)
      place.deinitialize(count: 1)
      place.deallocate()
    }
  }
}
