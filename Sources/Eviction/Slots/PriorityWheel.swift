import CInline

/// Slots ordered by a whole-number priority that never falls far behind, the recency of the last
/// change among equals: the smallest is always at hand.
///
/// A radix heap laid out like a hierarchical timing wheel. A priority is eleven digits of six bits; a
/// slot waits in the bucket of the highest digit in which its priority differs from the `base`, a lower
/// bound of all priorities. When the smallest priority moves into a higher digit, that one bucket is
/// dealt out among the digits below, in its order; so a slot moves down at most once per digit.
///
/// The structure does not know which slots it holds: its user does.
///
/// - Papers: R. K. Ahuja, K. Mehlhorn, J. B. Orlin and R. E. Tarjan, “Faster algorithms for the shortest
///   path problem”, JACM 37(2), 1990; G. Varghese and T. Lauck, “Hashed and hierarchical timing wheels”,
///   SOSP 1987.
/// - Complexity: O(1) amortised for everything but growth, while no priority is inserted below one that
///   was the smallest; such an insertion is O(slots). Memory: 16 bytes per slot.
@usableFromInline package struct PriorityWheel: ~Copyable {
  /// Neighbours in a bucket's circular list; numbers with the high bit set are sentinels.
  @usableFromInline
  struct Node {
    @usableFromInline var newer: UInt32
    @usableFromInline var older: UInt32
    @usableFromInline var priority: UInt64

    @inlinable @inline(__always)
    init(newer: UInt32, older: UInt32, priority: UInt64) {
      self.newer = newer
      self.older = older
      self.priority = priority
    }
  }

  @inlinable static var digitBits: Int { 6 }
  @inlinable static var digits: Int { 11 }
  @inlinable static var buckets: Int { digits << digitBits }

  /// Indexed from −buckets (the sentinels; bucket b's is −1 − b) to slots − 1.
  @usableFromInline var nodes: UnsafeMutablePointer<Node>
  /// For each digit, which of its 64 buckets hold something.
  @usableFromInline var occupied: UnsafeMutablePointer<UInt64>
  @usableFromInline var base: UInt64 = 0
  @usableFromInline var slots: Int

  /// Creates an empty wheel with room for `slots` slots.
  @usableFromInline package init(slots: Int = 0) {
    precondition((0...Int(Int32.max)).contains(slots), "at most 2^31 − 1 slots")
    self.slots = slots
    nodes = .allocate(capacity: PriorityWheel.buckets + slots)
    nodes += PriorityWheel.buckets
    nodes.initialize(repeating: Node(newer: 0, older: 0, priority: 0), count: slots)
    occupied = .allocate(capacity: PriorityWheel.digits)
    occupied.initialize(repeating: 0, count: PriorityWheel.digits)
    linkSentinels()
  }

  deinit {
    (nodes - PriorityWheel.buckets).deallocate()
    occupied.deallocate()
  }

  /// Makes room for slots below `slots`; never shrinks.
  @usableFromInline package mutating func reserve(slots newSlots: Int) {
    precondition(newSlots <= Int(Int32.max), "at most 2^31 − 1 slots")
    guard newSlots > slots else { return }
    let buckets = PriorityWheel.buckets
    let larger = UnsafeMutablePointer<Node>.allocateRecords(capacity: buckets + newSlots) + buckets
    (larger - buckets).moveInitialize(from: nodes - buckets, count: buckets + slots)
    (larger + slots).initialize(
      repeating: Node(newer: 0, older: 0, priority: 0), count: newSlots - slots)
    (nodes - buckets).deallocate()
    nodes = larger
    slots = newSlots
  }

  /// Empties the wheel.
  @usableFromInline package mutating func removeAll() {
    occupied.update(repeating: 0, count: PriorityWheel.digits)
    linkSentinels()
    base = 0
  }

  mutating func linkSentinels() {
    for bucket in 0..<PriorityWheel.buckets {
      let sentinel = ~UInt32(bucket)
      (nodes - 1 - bucket).initialize(to: Node(newer: sentinel, older: sentinel, priority: 0))
    }
  }
}

// MARK: - Asking

extension PriorityWheel {
  /// The priority of `slot`, which is in the wheel.
  @inlinable @inline(__always)
  package func priority(of slot: Slot) -> UInt64 { nodes[Int(slot)].priority }

  /// The slot with the smallest priority, of equal ones that whose priority was set longest ago; nil if
  /// the wheel is empty.
  @inlinable @inline(__always)
  package mutating func first() -> Slot? {
    while true {
      let nearest = occupied[0]
      if nearest != 0 {
        return nodes[-1 - nearest.trailingZeroBitCount].newer
      }
      if !dealOut() { return nil }
    }
  }

  /// The slot with the smallest priority among those that are not pinned, of equal ones that whose priority was
  /// set longest ago; nil if there is none.
  ///
  /// - Complexity: O(1) amortised, and O(slots up to the next bucket that has one) where the host pins slots.
  @inlinable @inline(__always)
  package mutating func firstUnpinned(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    guard let first = first() else { return nil }
    return host.isPinned(first) ? unpinned(host: host) : first
  }

  /// Searches the buckets in ascending order, without dealing them out.
  @inlinable
  func unpinned(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    for digit in 0..<PriorityWheel.digits {
      var values = occupied[digit]
      while values != 0 {
        let bucket = digit << PriorityWheel.digitBits | values.trailingZeroBitCount
        values &= values &- 1
        var best: Slot?
        var slot = nodes[-1 - bucket].newer
        while slot < 0x8000_0000 {
          if !host.isPinned(slot), best.map({ priority(of: slot) < priority(of: $0) }) ?? true {
            best = slot
          }
          slot = nodes[Int(slot)].newer
        }
        if let best { return best }
      }
    }
    return nil
  }

  /// Asks the processor to bring near what a request for `slot` will read.
  @inlinable @inline(__always)
  package func prefetch(_ slot: Slot) { evl_prefetch(nodes + Int(slot)) }
}

// MARK: - Changing

extension PriorityWheel {
  /// Adds `slot`, which is not in the wheel.
  @inlinable @inline(__always)
  package mutating func insert(_ slot: Slot, priority: UInt64) {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    if priority < base { rewind(to: priority) }
    link(slot, priority: priority)
  }

  /// Gives `slot`, which is in the wheel, another priority, or the same one anew.
  @inlinable @inline(__always)
  package mutating func update(_ slot: Slot, priority: UInt64) {
    remove(slot)
    insert(slot, priority: priority)
  }

  /// Removes `slot`, which is in the wheel.
  @inlinable @inline(__always)
  package mutating func remove(_ slot: Slot) {
    let node = nodes[Int(slot)]
    nodes[index(node.newer)].older = node.older
    nodes[index(node.older)].newer = node.newer
    if node.newer == node.older && node.newer >= 0x8000_0000 { markEmpty(Int(~node.newer)) }
  }

  @inlinable @inline(__always)
  func index(_ node: UInt32) -> Int { Int(Int32(bitPattern: node)) }

  @inlinable @inline(__always)
  mutating func markEmpty(_ bucket: Int) {
    occupied[bucket >> PriorityWheel.digitBits] &= ~(1 << UInt64(bucket & 63))
  }

  /// The digit that decides where `priority` waits.
  @inlinable @inline(__always)
  func digit(of priority: UInt64) -> Int {
    let difference = priority ^ base
    return difference < 64
      ? 0 : (63 &- difference.leadingZeroBitCount) / PriorityWheel.digitBits
  }

  /// Puts `slot` at the front of the bucket of its priority.
  @inlinable @inline(__always)
  mutating func link(_ slot: Slot, priority: UInt64) {
    let digit = digit(of: priority)
    let value = Int(priority >> UInt64(digit &* PriorityWheel.digitBits)) & 63
    let bucket = digit << PriorityWheel.digitBits | value
    occupied[digit] |= 1 << UInt64(value)
    let sentinel = -1 - bucket
    let older = nodes[sentinel].older
    nodes[Int(slot)] = Node(
      newer: UInt32(truncatingIfNeeded: sentinel), older: older, priority: priority)
    nodes[index(older)].newer = slot
    nodes[sentinel].older = slot
    assert(invariantsHold(around: slot))
  }

  /// Moves the base to the lowest bucket in use, which empties into lower digits.
  ///
  /// - Returns: False if no bucket is in use.
  @inlinable @inline(never)
  mutating func dealOut() -> Bool {
    for digit in 1..<PriorityWheel.digits where occupied[digit] != 0 {
      let value = occupied[digit].trailingZeroBitCount
      let shift = UInt64(digit * PriorityWheel.digitBits)
      base = base >> shift & ~63 | UInt64(value)
      base <<= shift
      relink(bucket: digit << PriorityWheel.digitBits | value)
      return true
    }
    return false
  }

  /// Moves the base down to `priority`.
  @inlinable @inline(never)
  mutating func rewind(to priority: UInt64) {
    let highest = digit(of: priority)
    base = priority
    for digit in 0..<highest {
      while occupied[digit] != 0 {
        relink(
          bucket: digit << PriorityWheel.digitBits | occupied[digit].trailingZeroBitCount)
      }
    }
  }

  /// Empties a bucket that the base has left behind into those where its slots belong now; equal
  /// priorities keep their order.
  @inlinable
  mutating func relink(bucket: Int) {
    let sentinel = -1 - bucket
    let end = UInt32(truncatingIfNeeded: sentinel)
    var next = nodes[sentinel].newer
    nodes[sentinel] = Node(newer: end, older: end, priority: 0)
    markEmpty(bucket)
    while next != end {
      let slot = next
      next = nodes[Int(slot)].newer
      link(slot, priority: nodes[Int(slot)].priority)
    }
  }

  /// Checks that the neighbours of `slot`, which was linked just now, name it, that its bucket is
  /// marked as in use, and that its priority is not below the base.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    let node = nodes[Int(slot)]
    let bucket = Int(~node.newer)
    return node.newer >= 0x8000_0000 && nodes[index(node.newer)].older == slot
      && nodes[index(node.older)].newer == slot && node.priority >= base
      && occupied[bucket >> PriorityWheel.digitBits] >> UInt64(bucket & 63) & 1 == 1
  }
}
