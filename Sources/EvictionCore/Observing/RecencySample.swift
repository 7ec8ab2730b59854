/// A bounded set of keys in the order of their last requests, and the sum of the sizes after any of them.
///
/// Each key has a place in that order, given anew at each of its requests; a Fenwick tree sums the sizes by
/// place. When the places run out, those in use move together.
///
/// - Complexity: O(log keys) per operation, amortised. Memory: about 70 bytes a key, all from the start.
/// - Paper: P. M. Fenwick, “A new data structure for cumulative frequency tables”, Software: Practice and
///   Experience 24(3), 1994.
struct RecencySample: ~Copyable {
  private struct Followed {
    var key: UInt64 = 0
    var size = 0
    var place = 0
  }

  /// Stands at a place that no key has.
  private static let unused = Slot.max

  /// By slot.
  private var followed: [Followed]
  private var free: [Slot]
  private var index = KeyIndex()
  /// The slot at each place.
  private var places: [Slot]
  /// At i the sum of the sizes above i − lowest bit of i, up to i; from 1.
  private var sums: [Int]
  /// Sizes count for at most so much, so that the sum of all does not overflow.
  private let largestSize: Int
  private var total = 0
  private var next = 0

  /// An empty set for at most `most` keys.
  init(most: Int) {
    followed = Array(repeating: Followed(), count: most)
    free = (0..<Slot(most)).reversed()
    index.reserve(slots: most)
    places = Array(repeating: RecencySample.unused, count: 2 * most)
    sums = Array(repeating: 0, count: 2 * most + 1)
    largestSize = .max / most
  }

  /// The keys in the set.
  var count: Int { followed.count - free.count }

  /// Makes a key the most recent.
  ///
  /// - Parameter size: Its size from now on; nil if it stays, 0 for a new key.
  /// - Returns: The size before, and the sum of the sizes of the keys after it; nil if it is new.
  mutating func touch(_ key: UInt64, size: Int?) -> (size: Int, later: Int)? {
    var found: (size: Int, later: Int)?
    let slot: Slot
    if let known = find(key) {
      slot = known
      let place = followed[Int(slot)].place
      found = (followed[Int(slot)].size, total - sum(through: place))
      clear(place)
    } else {
      guard let unused = free.popLast() else {
        preconditionFailure("more keys than the set was made for")
      }
      slot = unused
      index.insert(slot, hash: SplitMix64.mix(key))
    }
    if next == places.count { compact() }
    let newSize = min(size ?? found?.size ?? 0, largestSize)
    followed[Int(slot)] = Followed(key: key, size: newSize, place: next)
    places[next] = slot
    add(newSize, at: next)
    next += 1
    return found
  }

  /// Forgets a key, if it is there.
  mutating func remove(_ key: UInt64) {
    guard let slot = find(key) else { return }
    clear(followed[Int(slot)].place)
    index.remove(slot)
    free.append(slot)
  }

  /// Forgets the keys that pass a test. O(keys).
  mutating func removeAll(where isLeaving: (UInt64) -> Bool) {
    for place in 0..<next where places[place] != RecencySample.unused {
      let key = followed[Int(places[place])].key
      if isLeaving(key) { remove(key) }
    }
  }

  private func find(_ key: UInt64) -> Slot? {
    index.find(SplitMix64.mix(key)) { followed[Int($0)].key == key }
  }

  /// No key is at `place` any more.
  private mutating func clear(_ place: Int) {
    add(-followed[Int(places[place])].size, at: place)
    places[place] = RecencySample.unused
  }

  private func sum(through place: Int) -> Int {
    var sum = 0
    var index = place + 1
    while index > 0 {
      sum += sums[index]
      index &= index - 1
    }
    return sum
  }

  private mutating func add(_ size: Int, at place: Int) {
    total += size
    var index = place + 1
    while index < sums.count {
      sums[index] += size
      index += index & -index
    }
  }

  private mutating func compact() {
    var kept = 0
    for place in 0..<next where places[place] != RecencySample.unused {
      let slot = places[place]
      places[place] = RecencySample.unused
      places[kept] = slot
      followed[Int(slot)].place = kept
      kept += 1
    }
    next = kept
    for index in 1..<sums.count {
      sums[index] = index <= kept ? followed[Int(places[index - 1])].size : 0
    }
    for index in 1..<sums.count {
      let parent = index + index & -index
      if parent < sums.count { sums[parent] += sums[index] }
    }
  }
}
