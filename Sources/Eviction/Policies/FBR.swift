import Parameters

/// Frequency-based replacement: LRU whose old section evicts by counts that bursts do not raise.
public struct FBR: PinnablePolicy, ~Copyable {
  @usableFromInline
  enum Section: UInt8, BitwiseCopyable {
    case none
    case new
    case middle
    case old
  }

  @usableFromInline
  struct Record: BitwiseCopyable {
    @usableFromInline var count: UInt32 = 0
    @usableFromInline var section = Section.none

    @inlinable
    init() {}
  }

  /// Stacks: the sections of the LRU stack. Queues: the objects of the old section by their counts, the
  /// last queue holding those above Cmax.
  @usableFromInline var links: SlotLinkPairs
  @usableFromInline var records: SlotArray<Record>
  /// Bit c − 1 is set where queue c is not empty.
  @usableFromInline var countsInUse: UInt64 = 0
  @usableFromInline let newShare: Fraction
  @usableFromInline let oldShare: Fraction
  @usableFromInline let maximumCount: UInt32
  @usableFromInline let maximumAverage: Int
  @usableFromInline var newLimit = 0
  @usableFromInline var middleLimit = 0
  @usableFromInline var newSize = 0
  @usableFromInline var middleSize = 0
  @usableFromInline var residents = 0
  @usableFromInline var sumOfCounts = 0

  /// Creates an empty cache's policy.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` when the sections take more than all.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    let arguments = configuration.arguments
    let newShare = arguments.fraction("new")
    let oldShare = arguments.fraction("old")
    let whole = 1_000_000_000_000
    if newShare.floor(of: whole) + oldShare.floor(of: whole) > whole {
      throw .conflict(policy: "fbr", explanation: "new and old together are at most 1; lower one")
    }
    self.newShare = newShare
    self.oldShare = oldShare
    maximumCount = UInt32(arguments.integer("cmax"))
    maximumAverage = arguments.integer("amax")
    links = SlotLinkPairs(count: max(3, Int(maximumCount) + 1), slots: configuration.slots)
    records = SlotArray(repeating: Record(), slots: configuration.slots)
    setLimits(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    links.visitState(&state)
    records.visitState(&state)
    state.visit(&countsInUse)
    state.visit(&newLimit)
    state.visit(&middleLimit)
    state.visit(&newSize)
    state.visit(&middleSize)
    state.visit(&residents)
    state.visit(&sumOfCounts)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { records[slot].section != .none }

  /// Prefetches the slot's record and links.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    records.prefetch(slot)
    links.prefetch(slot)
  }

  /// The object moves to the top of the stack; outside the new section the request counts.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if records[slot].section == .new {
      links.moveToFront(slot, of: .new)
      return
    }
    let size = host.size(of: slot)
    unlink(slot, size: size)
    records[slot].count += 1
    sumOfCounts += 1
    push(slot, size: size, host: host)
    age()
  }

  /// Makes room, and enters the object on top of the stack with count 1.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    records[request.slot].count = 1
    sumOfCounts += 1
    residents += 1
    push(request.slot, size: request.size, host: host)
    age()
    return true
  }

  /// Evicts the lowest count of the old section, the least recent among equals.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    var counts = countsInUse
    var candidate: Slot?
    while candidate == nil && counts != 0 {
      candidate = links.unpinnedBack(
        of: .queue(counts.trailingZeroBitCount + 1), host: host)
      counts &= counts - 1
    }
    candidate =
      candidate ?? links.unpinnedBack(of: .middle, host: host)
      ?? links.unpinnedBack(of: .new, host: host)
    guard let victim = candidate else { preconditionFailure("there is nothing to evict") }
    if !host.mayEvict(victim) { return }
    leave(victim, size: host.size(of: victim))
    host.didEvictAndForget(victim)
  }

  /// Takes the slot out of the stack.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if records[slot].section == .none { return }
    leave(slot, size: host.size(of: slot))
    host.didForget(slot)
  }

  /// Empties the stack.
  @inlinable
  public mutating func removeAll() {
    links.removeAll()
    records.removeAll()
    countsInUse = 0
    newSize = 0
    middleSize = 0
    residents = 0
    sumOfCounts = 0
  }

  /// Moves what no longer fits a section into the one below.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setLimits(for: capacity)
    cascade(newcomer: .max, size: 0, host: host)
  }

  /// Corrects the size of the section that holds `slot`.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    if records[slot].section == .new { newSize += difference }
    if records[slot].section == .middle { middleSize += difference }
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    links.reserve(slots: slots)
    records.reserve(slots: slots)
  }
}

// MARK: - Steps

extension FBR {
  @usableFromInline
  mutating func setLimits(for capacity: Int) {
    let rest = capacity - max(1, oldShare.floor(of: capacity))
    newLimit = min(newShare.floor(of: capacity), rest)
    middleLimit = rest - newLimit
  }

  /// Puts the object on top of the stack, and moves what no longer fits into the sections below.
  @inlinable @inline(__always)
  mutating func push(_ slot: Slot, size: Int, host: borrowing some SlotHost & ~Copyable) {
    links.prepend(slot, to: .new)
    records[slot].section = .new
    newSize += size
    cascade(newcomer: slot, size: size, host: host)
  }

  @inlinable @inline(__always)
  mutating func cascade(
    newcomer: Slot, size: Int, host: borrowing some SlotHost & ~Copyable
  ) {
    while newSize > newLimit, let last = links.back(of: .new) {
      let lastSize = last == newcomer ? size : host.size(of: last)
      links.remove(last, from: .new)
      links.prepend(last, to: .middle)
      records[last].section = .middle
      newSize -= lastSize
      middleSize += lastSize
    }
    while middleSize > middleLimit, let last = links.back(of: .middle) {
      links.remove(last, from: .middle)
      middleSize -= last == newcomer ? size : host.size(of: last)
      links.prepend(last, to: .old)
      records[last].section = .old
      chain(last)
    }
  }

  /// The number of the queue for objects of the old section with that count.
  @inlinable @inline(__always)
  func queue(for count: UInt32) -> Int { Int(min(count, maximumCount + 1)) }

  /// Makes an object of the old section the most recent one of its count.
  @inlinable @inline(__always)
  mutating func chain(_ slot: Slot) {
    let queue = queue(for: records[slot].count)
    links.prepend(slot, to: .queue(queue))
    countsInUse |= 1 << UInt64(queue - 1)
  }

  /// Takes the slot out of its section.
  @inlinable @inline(__always)
  mutating func unlink(_ slot: Slot, size: Int) {
    switch records[slot].section {
    case .none: return
    case .new:
      links.remove(slot, from: .new)
      newSize -= size
    case .middle:
      links.remove(slot, from: .middle)
      middleSize -= size
    case .old:
      links.remove(slot, from: .old)
      let queue = queue(for: records[slot].count)
      links.remove(slot, from: .queue(queue))
      if links.back(of: .queue(queue)) == nil { countsInUse &= ~(1 << UInt64(queue - 1)) }
    }
  }

  @inlinable @inline(__always)
  mutating func leave(_ slot: Slot, size: Int) {
    unlink(slot, size: size)
    sumOfCounts -= Int(records[slot].count)
    residents -= 1
    records[slot] = Record()
  }

  /// Halves every count, rounding up, when their average exceeds Amax.
  @inlinable @inline(__always)
  mutating func age() {
    if sumOfCounts > maximumAverage &* residents { halveCounts() }
  }

  @inlinable
  mutating func halveCounts() {
    for queue in 1...Int(maximumCount) + 1 { links.clear(.queue(queue)) }
    countsInUse = 0
    sumOfCounts = 0
    for section in 1...3 {
      var next = links.back(of: .stack(section))
      while let slot = next {
        records[slot].count = (records[slot].count + 1) / 2
        sumOfCounts += Int(records[slot].count)
        if records[slot].section == .old { chain(slot) }
        next = links.newer(than: slot, in: .stack(section))
      }
    }
  }
}

extension SlotLinkPairs.List {
  @inlinable @inline(__always)
  static var new: SlotLinkPairs.List { .stack(1) }
  @inlinable @inline(__always)
  static var middle: SlotLinkPairs.List { .stack(2) }
  @inlinable @inline(__always)
  static var old: SlotLinkPairs.List { .stack(3) }
}
