/// Keys in order of their latest use, of which the one at any depth is found: places in order of time,
/// and a Fenwick tree that counts how many are taken.
///
/// P. M. Fenwick, “A new data structure for cumulative frequency tables”, Software: Practice and
/// Experience 24(3), 1994. O(log count) an operation, amortised; 12 bytes a place, and at most four
/// places a key.
package struct RecencyStack: Sendable {
  /// The number of keys on the stack.
  package private(set) var count = 0
  private var keys: [UInt64] = Array(repeating: empty, count: 1024)
  /// At place p, from 1: how many of the places that p stands for are taken.
  private var taken: [UInt32] = Array(repeating: 0, count: 1025)
  private var top = 0

  private static let empty = UInt64.max

  package init() {}

  /// Puts a key on top.
  package mutating func push(_ key: UInt64) {
    if top == keys.count { compact() }
    keys[top] = key
    top += 1
    count += 1
    var place = top
    while place <= keys.count {
      taken[place] += 1
      place += place & -place
    }
  }

  /// Takes the key at a depth, 1 for the top, from the stack.
  package mutating func remove(at depth: Int) -> UInt64 {
    precondition(depth >= 1 && depth <= count, "the stack is not that deep")
    // The last place with fewer than that number of keys up to it.
    var before = count - depth
    var place = 0
    var step = keys.count
    while step > 0 {
      if place + step <= keys.count, taken[place + step] <= before {
        place += step
        before -= Int(taken[place])
      }
      step /= 2
    }
    let key = keys[place]
    keys[place] = RecencyStack.empty
    count -= 1
    var above = place + 1
    while above <= keys.count {
      taken[above] -= 1
      above += above & -above
    }
    return key
  }

  /// Gives the keys the lowest places, of twice as many where they take more than half.
  private mutating func compact() {
    let places = count > keys.count / 2 ? keys.count * 2 : keys.count
    var packed = keys.filter { $0 != RecencyStack.empty }
    packed.append(contentsOf: repeatElement(RecencyStack.empty, count: places - packed.count))
    keys = packed
    top = count
    taken = [UInt32](repeating: 0, count: places + 1)
    for place in 1...places {
      if place <= count { taken[place] += 1 }
      let parent = place + place & -place
      if parent <= places { taken[parent] += taken[place] }
    }
  }
}
