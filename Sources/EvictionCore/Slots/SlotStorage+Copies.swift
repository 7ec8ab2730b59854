// Copies of the structures that policies keep slots in.

extension SlotArray {
  /// Copies every record.
  @inlinable
  public init(copying array: borrowing SlotArray) {
    self.init(repeating: array.blank.pointee, slots: array.slots)
    elements.update(from: array.elements, count: slots)
  }
}

extension SlotLists {
  /// Copies every list.
  @inlinable
  public init(copying lists: borrowing SlotLists) {
    self.init(count: lists.listCount, slots: lists.slots)
    (links - listCount).update(from: lists.links - listCount, count: listCount + slots)
    owners.update(from: lists.owners, count: slots)
    totals.update(from: lists.totals, count: listCount + 1)
  }
}

extension SlotQueues {
  /// Copies every queue with its hand.
  @inlinable
  public init(copying queues: borrowing SlotQueues) {
    self.init(
      count: queues.queueCount, slots: queues.slots, keepsPositions: queues.keepsPositions)
    marks.update(from: queues.marks, count: slots)
    if keepsPositions { positions.update(from: queues.positions, count: slots) }
    searches.update(from: queues.searches, count: queueCount + 1)
    for queue in 0...queueCount {
      let entries = rings[queue].entries
      rings[queue] = queues.rings[queue]
      let capacity = rings[queue].mask + 1
      entries.deallocate()
      rings[queue].entries = .allocateRecords(capacity: capacity)
      rings[queue].entries.initialize(from: queues.rings[queue].entries, count: capacity)
    }
  }
}

extension PriorityRun {
  /// Copies the run and the heap.
  @inlinable
  public init(copying run: borrowing PriorityRun) {
    self.init(slots: run.slots)
    nodes.update(from: run.nodes, count: slots + 2)
    entries.deallocate()
    entries = .allocate(capacity: run.entryCapacity)
    entries.initialize(from: run.entries, count: run.entryCount)
    entryCapacity = run.entryCapacity
    entryCount = run.entryCount
    heapCount = run.heapCount
    stamp = run.stamp
    releases = run.releases
    slotCount = run.slotCount
  }
}

extension FrequencySketch {
  /// Copies every counter.
  public init(copying sketch: borrowing FrequencySketch) {
    counters = CountMinSketch(copying: sketch.counters)
    doorkeeper = BloomFilter(copying: sketch.doorkeeper)
    hasDoorkeeper = sketch.hasDoorkeeper
    samplesPerObject = sketch.samplesPerObject
    objects = sketch.objects
    sampleSize = sketch.sampleSize
    additionCount = sketch.additionCount
  }
}

extension CountMinSketch {
  /// Copies every counter.
  public init(copying sketch: borrowing CountMinSketch) {
    blocks = HashedBlocks(copying: sketch.blocks)
    isConservative = sketch.isConservative
  }
}

extension BloomFilter {
  /// Copies every bit.
  public init(copying filter: borrowing BloomFilter) {
    blocks = HashedBlocks(copying: filter.blocks)
  }
}

extension HashedBlocks {
  init(copying blocks: borrowing HashedBlocks) {
    self.init(count: blocks.count)
    words.update(from: blocks.words, count: wordCount)
  }
}
