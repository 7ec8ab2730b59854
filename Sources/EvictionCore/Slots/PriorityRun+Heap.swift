/// The heap of what arrived out of order.
extension PriorityRun {
  /// Puts `node`, which is nowhere, into the heap.
  @inlinable
  mutating func push(_ node: UInt32) {
    if entryCount == entryCapacity || stamp == .max { makeRoom() }
    nodes[Int(node)].newer = stamp
    nodes[Int(node)].older = PriorityRun.inHeap
    let entry = Entry(priority: nodes[Int(node)].priority, node: node, stamp: stamp)
    stamp &+= 1
    heapCount &+= 1
    entryCount &+= 1
    rise(entry, from: entryCount &- 1)
  }

  /// Drops the entries that are out of date, and leaves room for half as many as the others.
  @inlinable @inline(never)
  mutating func makeRoom() {
    let old = entries
    let oldCount = entryCount
    entryCapacity = max(heapCount + heapCount / 2, 64)
    entries = .allocateRecords(capacity: entryCapacity)
    entryCount = 0
    for index in 0..<oldCount {
      let entry = old[index]
      let node = nodes + Int(entry.node)
      if node.pointee.older == PriorityRun.inHeap && node.pointee.newer == entry.stamp {
        entryCount &+= 1
        rise(
          Entry(priority: node.pointee.priority, node: entry.node, stamp: entry.stamp),
          from: entryCount &- 1)
      }
    }
    old.deallocate()
    // Every entry is of another node now, so that stamps can begin anew.
    for index in 0..<entryCount {
      entries[index].stamp = UInt32(truncatingIfNeeded: index)
      nodes[Int(entries[index].node)].newer = entries[index].stamp
    }
    stamp = UInt32(truncatingIfNeeded: entryCount)
  }

  @inlinable @inline(__always)
  mutating func rise(_ entry: Entry, from start: Int) {
    let entries = entries
    var hole = start
    while hole > 0 {
      let parent = (hole &- 1) >> 3
      if !(entry.priority < entries[parent].priority) { break }
      entries[hole] = entries[parent]
      hole = parent
    }
    entries[hole] = entry
  }

  /// Puts `entry` in the place of the first: the hole goes down to a leaf along the least children, which no branch
  /// decides, and the entry, mostly a high one, rises from there.
  @inlinable @inline(never)
  mutating func sink(_ entry: Entry) {
    let entries = entries
    let count = entryCount
    var hole = 0
    var child = 1
    while child &+ 7 < count {
      let left = child &+ least(ofFourFrom: child)
      let right = child &+ 4 &+ least(ofFourFrom: child &+ 4)
      let least = left ^ ((left ^ right) & (0 &- isLess(right, than: left)))
      entries[hole] = entries[least]
      hole = least
      child = 8 &* hole &+ 1
    }
    if child < count {
      var least = child
      for other in child &+ 1..<count where isLess(other, than: least) == 1 { least = other }
      entries[hole] = entries[least]
      hole = least
    }
    rise(entry, from: hole)
  }

  /// The place of the lowest priority among four entries, without a choice of which the compiler may make a branch.
  @inlinable @inline(__always)
  func least(ofFourFrom first: Int) -> Int {
    let left = isLess(first &+ 1, than: first)
    let right = isLess(first &+ 3, than: first &+ 2)
    let goesRight = isLess(first &+ 2 &+ right, than: first &+ left)
    return 2 &* goesRight &+ (left ^ ((left ^ right) & goesRight))
  }

  /// 1 if the entry at one index has a lower priority than that at the other, else 0.
  @inlinable @inline(__always)
  func isLess(_ index: Int, than other: Int) -> Int {
    entries[index].priority < entries[other].priority ? 1 : 0
  }

  /// Checks the run and the heap around `slot`, and everywhere while small.
  @usableFromInline
  func invariantsHold(around slot: Slot) -> Bool {
    func ordered(_ node: UInt32) -> Bool {
      let (newer, older) = (nodes[Int(node)].newer, nodes[Int(node)].older)
      if older >= PriorityRun.inHeap { return true }
      let before = older & PriorityRun.link
      return nodes[Int(before)].newer == node
        && nodes[Int(newer)].older & PriorityRun.link == node
        && (older > PriorityRun.link || before < 2
          || nodes[Int(before)].older >= PriorityRun.raised
          || !(nodes[Int(node)].priority < nodes[Int(before)].priority))
    }
    if slots > 64 { return ordered(slot &+ 2) }
    return (2..<UInt32(slots + 2)).allSatisfy(ordered)
      && (2..<slots + 2).count { nodes[$0].older != PriorityRun.absent } == slotCount
      && (2..<slots + 2).count { nodes[$0].older == PriorityRun.inHeap } == heapCount
      && (1..<max(entryCount, 1)).allSatisfy {
        !(entries[$0].priority < entries[($0 - 1) / 8].priority)
      }
  }
}
