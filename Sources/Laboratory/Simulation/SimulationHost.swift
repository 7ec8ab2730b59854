import Eviction

/// The simulator's side of the contract with a policy: the capacity, and how much of it is used.
@usableFromInline
protocol SimulationHost: SlotHost, ~Copyable {
  var capacity: Int { get }
  var used: Int { get }
  var evictions: Int { get }

  /// The request of that number begins.
  func begin(_ index: Int)
  /// `request` was admitted.
  mutating func admitted(_ request: Request)
  /// The resident `slot` was removed by the user.
  mutating func removed(_ slot: Slot)
  /// The resident `slot` has another size now.
  mutating func resized(_ slot: Slot, to size: Int)
}

/// Every object counts one.
@usableFromInline
struct UnitHost: SimulationHost, ~Copyable {
  @usableFromInline let capacity: Int
  @usableFromInline var used = 0
  @usableFromInline var evictions = 0

  @inlinable
  init(capacity: Int) { self.capacity = capacity }

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool { used < capacity }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { 1 }

  @inlinable @inline(__always)
  mutating func evicted(_ slot: Slot) {
    used &-= 1
    evictions &+= 1
  }

  @inlinable @inline(__always)
  mutating func forgot(_ slot: Slot) {}

  @inlinable @inline(__always)
  func begin(_ index: Int) {}

  @inlinable @inline(__always)
  mutating func admitted(_ request: Request) { used &+= 1 }

  @inlinable @inline(__always)
  mutating func removed(_ slot: Slot) { used &-= 1 }

  @inlinable @inline(__always)
  mutating func resized(_ slot: Slot, to size: Int) {}
}

/// Objects have sizes, and keep the one they were admitted with.
@usableFromInline
struct SizedHost: SimulationHost, ~Copyable {
  @usableFromInline let capacity: Int
  @usableFromInline var used = 0
  @usableFromInline var evictions = 0
  /// Indexed by slot.
  @usableFromInline let sizes: UnsafeMutablePointer<Int>
  /// Takes down the evictions, if anybody wants to know them.
  @usableFromInline let log: EvictionLog?

  @inlinable
  init(capacity: Int, slots: Int, log: EvictionLog? = nil) {
    self.capacity = capacity
    self.log = log
    sizes = .allocate(capacity: slots)
    sizes.initialize(repeating: 0, count: slots)
  }

  deinit { sizes.deallocate() }

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool { request.size <= capacity &- used }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { sizes[Int(slot)] }

  @inlinable @inline(__always)
  mutating func evicted(_ slot: Slot) {
    used &-= sizes[Int(slot)]
    evictions &+= 1
    log?.append(slot)
  }

  @inlinable @inline(__always)
  mutating func forgot(_ slot: Slot) {}

  @inlinable @inline(__always)
  func begin(_ index: Int) { log?.request = index }

  @inlinable @inline(__always)
  mutating func admitted(_ request: Request) {
    used &+= request.size
    sizes[Int(request.slot)] = request.size
  }

  @inlinable @inline(__always)
  mutating func removed(_ slot: Slot) { used &-= sizes[Int(slot)] }

  @inlinable @inline(__always)
  mutating func resized(_ slot: Slot, to size: Int) {
    used &+= size &- sizes[Int(slot)]
    sizes[Int(slot)] = size
  }
}
