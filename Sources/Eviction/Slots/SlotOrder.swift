/// Slots in an order of their own, each found by its place and each place by its slot.
///
/// A treap whose nodes are the slots: a node's place is the number of those before it, and a hash of the slot
/// keeps the tree balanced.
///
///     var order = SlotOrder(slots: 1_000)
///     order.insert(7, at: 0)
///     order.insert(9, at: 0)
///     order.place(of: 7)   // 1
///     order.last           // 7
///
/// - Complexity: `contains` O(1), the others O(log count) expected; growth and ``removeAll()`` O(slots).
///   Memory: 16 bytes per slot.
@usableFromInline
struct SlotOrder: ~Copyable {
  /// A slot's neighbours in the tree, and the number of slots below it with itself; 0 for a slot outside.
  @usableFromInline
  struct Node: BitwiseCopyable {
    @usableFromInline var left = Slot.max
    @usableFromInline var right = Slot.max
    @usableFromInline var parent = Slot.max
    @usableFromInline var count: UInt32 = 0

    @inlinable
    init() {}
  }

  @usableFromInline var nodes: SlotArray<Node>
  @usableFromInline var root = Slot.max

  @usableFromInline
  init(slots: Int) { nodes = SlotArray(repeating: Node(), slots: slots) }

  @inlinable static var none: Slot { .max }

  /// Returns true if `slot` has a place.
  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool { nodes[slot].count != 0 }

  /// The number of slots.
  @inlinable @inline(__always)
  var count: Int { count(below: root) }

  /// The slot at the last place, or nil if there is none.
  @inlinable
  var last: Slot? { root == SlotOrder.none ? nil : last(below: root) }

  /// The slot at the last place whose slot is not pinned, or nil if there is none.
  ///
  /// - Complexity: O(log count), and O(pinned slots passed) where the host pins slots.
  @inlinable
  func lastUnpinned(host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var candidate = last
    while let slot = candidate, host.isPinned(slot) { candidate = previous(to: slot) }
    return candidate
  }

  @inlinable
  func last(below top: Slot) -> Slot {
    var slot = top
    while nodes[slot].right != SlotOrder.none { slot = nodes[slot].right }
    return slot
  }

  /// The slot before `slot`, or nil if that is the first.
  @inlinable
  func previous(to slot: Slot) -> Slot? {
    if nodes[slot].left != SlotOrder.none { return last(below: nodes[slot].left) }
    var child = slot
    var parent = nodes[child].parent
    while parent != SlotOrder.none && nodes[parent].left == child {
      child = parent
      parent = nodes[child].parent
    }
    return parent == SlotOrder.none ? nil : parent
  }

  /// The number of slots before `slot`.
  @inlinable
  func place(of slot: Slot) -> Int {
    var place = count(below: nodes[slot].left)
    var child = slot
    while nodes[child].parent != SlotOrder.none {
      let parent = nodes[child].parent
      if nodes[parent].right == child { place += count(below: nodes[parent].left) + 1 }
      child = parent
    }
    return place
  }

  /// Puts `slot`, which has no place, at `place`; what stood there and behind moves on by one.
  @inlinable
  mutating func insert(_ slot: Slot, at place: Int) {
    assert(!contains(slot) && (0...count).contains(place), "no such place")
    nodes[slot] = Node()
    nodes[slot].count = 1
    if root == SlotOrder.none {
      root = slot
      return
    }
    var parent = root
    var rest = place
    while true {
      nodes[parent].count += 1
      let left = count(below: nodes[parent].left)
      let next: Slot
      if rest <= left {
        next = nodes[parent].left
        if next == SlotOrder.none { nodes[parent].left = slot }
      } else {
        rest -= left + 1
        next = nodes[parent].right
        if next == SlotOrder.none { nodes[parent].right = slot }
      }
      if next == SlotOrder.none { break }
      parent = next
    }
    nodes[slot].parent = parent
    while nodes[slot].parent != SlotOrder.none && isAbove(slot, nodes[slot].parent) {
      rotateUp(slot)
    }
  }

  /// Takes `slot` out; what stood behind moves up by one.
  @inlinable
  mutating func remove(_ slot: Slot) {
    assert(contains(slot), "slot \(slot) has no place")
    while true {
      let (left, right) = (nodes[slot].left, nodes[slot].right)
      if left == SlotOrder.none && right == SlotOrder.none { break }
      let takesLeft =
        right == SlotOrder.none || (left != SlotOrder.none && isAbove(left, right))
      rotateUp(takesLeft ? left : right)
    }
    var parent = nodes[slot].parent
    replace(slot, with: SlotOrder.none, below: parent)
    while parent != SlotOrder.none {
      nodes[parent].count -= 1
      parent = nodes[parent].parent
    }
    nodes[slot] = Node()
  }

  /// Takes every slot out.
  @inlinable
  mutating func removeAll() {
    nodes.removeAll()
    root = SlotOrder.none
  }

  @inlinable @inline(__always)
  func count(below slot: Slot) -> Int { slot == SlotOrder.none ? 0 : Int(nodes[slot].count) }

  /// Returns true if the hash puts the first slot nearer the root.
  @inlinable @inline(__always)
  func isAbove(_ slot: Slot, _ other: Slot) -> Bool {
    SplitMix64.mix(UInt64(slot)) < SplitMix64.mix(UInt64(other))
  }

  @inlinable @inline(__always)
  mutating func replace(_ slot: Slot, with other: Slot, below parent: Slot) {
    if parent == SlotOrder.none {
      root = other
    } else if nodes[parent].left == slot {
      nodes[parent].left = other
    } else {
      nodes[parent].right = other
    }
  }

  /// Exchanges `slot` with its parent, which becomes its child.
  @inlinable
  mutating func rotateUp(_ slot: Slot) {
    let parent = nodes[slot].parent
    let grandparent = nodes[parent].parent
    let inner: Slot
    if nodes[parent].left == slot {
      inner = nodes[slot].right
      nodes[slot].right = parent
      nodes[parent].left = inner
    } else {
      inner = nodes[slot].left
      nodes[slot].left = parent
      nodes[parent].right = inner
    }
    if inner != SlotOrder.none { nodes[inner].parent = parent }
    replace(parent, with: slot, below: grandparent)
    nodes[slot].parent = grandparent
    nodes[parent].parent = slot
    let whole = nodes[parent].count
    nodes[parent].count =
      UInt32(count(below: nodes[parent].left) + count(below: nodes[parent].right) + 1)
    nodes[slot].count = whole
  }
}
