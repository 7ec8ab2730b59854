/// The check that the ids of an ``EvtFormat`` file number its keys in order of first appearance.
struct EvtNumbering {
  private var next: UInt64 = 0
  /// The highest bit is set by a difference below zero.
  private var differences: UInt64 = 0

  /// The keys of all ids so far.
  var distinct: Int { Int(next) }

  /// Takes the next ids. O(count).
  mutating func add(_ ids: UnsafeBufferPointer<UInt32>) {
    var (next, differences) = (next, differences)
    // Without branches, as new keys come at unforeseeable places; four at a time, as only the
    // largest of them has to wait for the ids before.
    let fours = ids.count & ~3
    for index in stride(from: 0, to: fours, by: 4) {
      let (first, second) = (UInt64(ids[index]), UInt64(ids[index &+ 1]))
      let (third, fourth) = (UInt64(ids[index &+ 2]), UInt64(ids[index &+ 3]))
      let two = max(first, second)
      let three = max(two, third)
      differences |= (next &- first) | (max(next, first &+ 1) &- second)
      differences |= (max(next, two &+ 1) &- third) | (max(next, three &+ 1) &- fourth)
      next = max(next, max(three, fourth) &+ 1)
    }
    for id in ids[fours...] {
      differences |= next &- UInt64(id)
      next = max(next, UInt64(id) &+ 1)
    }
    (self.next, self.differences) = (next, differences)
  }

  /// Returns true if the ids so far, of which there are no others where they are `isWhole`, are as the header
  /// promises.
  func agrees(with header: EvtHeader, isWhole: Bool) -> Bool {
    differences >> 63 == 0
      && (isWhole ? distinct == header.distinct : distinct <= header.distinct)
  }

  /// The error that they are not.
  func damage(_ input: TraceInput, _ header: EvtHeader) -> TraceError {
    header.damage(
      input, .ids, "do not number \(header.distinct) keys in order of first appearance")
  }
}
