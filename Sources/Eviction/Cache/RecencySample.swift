/// A bounded set of keys in the order of their last requests, and the sum of the sizes after any of them.
///
/// Each key has a place in that order, given anew at each of its requests; a Fenwick tree sums the sizes by
/// place. When the places run out, those in use move together.
///
/// - Complexity: O(log keys) per operation, amortised. Memory: about 100 bytes a key, all from the start.
/// - Paper: P. M. Fenwick, “A new data structure for cumulative frequency tables”, Software: Practice and
///   Experience 24(3), 1994.
struct RecencySample {
  private struct Place {
    var key: UInt64 = 0
    var size = 0
    var isUsed = false
  }

  private var places: [Place]
  /// At i the sum of the sizes above i − lowest bit of i, up to i; from 1.
  private var sums: [Int]
  private var placeOfKey: [UInt64: Int]
  /// Sizes count for at most so much, so that the sum of all does not overflow.
  private let largestSize: Int
  private var total = 0
  private var next = 0

  /// An empty set for at most `most` keys.
  init(most: Int) {
    places = Array(repeating: Place(), count: 2 * most)
    sums = Array(repeating: 0, count: 2 * most + 1)
    placeOfKey = Dictionary(minimumCapacity: most)
    largestSize = .max / most
  }

  /// The keys in the set.
  var count: Int { placeOfKey.count }

  /// Makes a key the most recent.
  ///
  /// - Parameter size: Its size from now on; nil if it stays, 0 for a new key.
  /// - Returns: What it was before, and the sum of the sizes of the keys after it; nil if it is new.
  mutating func touch(_ key: UInt64, size: Int?) -> (size: Int, later: Int)? {
    var found: (size: Int, later: Int)?
    if let place = placeOfKey[key] {
      found = (places[place].size, total - sum(through: place))
      clear(place)
    }
    if next == places.count { compact() }
    let newSize = min(size ?? found?.size ?? 0, largestSize)
    places[next] = Place(key: key, size: newSize, isUsed: true)
    placeOfKey[key] = next
    add(newSize, at: next)
    next += 1
    return found
  }

  /// Forgets a key, if it is there.
  mutating func remove(_ key: UInt64) {
    if let place = placeOfKey.removeValue(forKey: key) { clear(place) }
  }

  /// Forgets the keys that pass a test. O(keys).
  mutating func removeAll(where isLeaving: (UInt64) -> Bool) {
    for place in 0..<next where places[place].isUsed && isLeaving(places[place].key) {
      remove(places[place].key)
    }
  }

  private mutating func clear(_ place: Int) {
    add(-places[place].size, at: place)
    places[place].isUsed = false
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
    precondition(count < places.count, "more keys than the set was made for")
    var kept = 0
    for place in 0..<next where places[place].isUsed {
      if kept < place {
        places[kept] = places[place]
        places[place].isUsed = false
        placeOfKey[places[kept].key] = kept
      }
      kept += 1
    }
    next = kept
    for index in 1..<sums.count { sums[index] = index <= kept ? places[index - 1].size : 0 }
    for index in 1..<sums.count {
      let parent = index + index & -index
      if parent < sums.count { sums[parent] += sums[index] }
    }
  }
}
