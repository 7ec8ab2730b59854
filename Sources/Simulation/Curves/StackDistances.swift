import Traces

/// The stack distances of a trace's requests: how many objects an LRU cache of any size holds that were
/// requested after the requested one. A cache hits exactly the requests whose distance is below its
/// capacity.
///
/// A removed object leaves a hole in the stack, which the next newcomer from below fills: a cache that
/// holds the hole has room for it and evicts nothing.
///
/// - Paper: R. L. Mattson, J. Gecsei, D. R. Slutz and I. L. Traiger, “Evaluation techniques for storage
///   hierarchies”, IBM Systems Journal 9(2), 1970.
/// - Complexity: O(log requests) a request. Memory: 4 bytes a key and 9 bits for each 8 requests.
package struct StackDistances: ~Copyable {
  private var tree: RecencyTree
  /// By id, the number of the latest request, from 1; 0 where the stack does not hold the object.
  private var latest: [UInt32]
  private var holes = MaximumHeap()

  /// The longest trace whose requests can be numbered.
  package static let mostRequests = Int(UInt32.max) - 1

  /// Creates an empty stack for a number of keys and requests.
  init(keys: Int, requests: Int) {
    tree = RecencyTree(requests: requests)
    latest = Array(repeating: 0, count: keys)
  }

  /// The distance of the request of that number, the highest so far; nil if the stack does not hold its
  /// object. Then the object is on top.
  mutating func request(_ id: UInt32, number: UInt32) -> Int? {
    let previous = latest[Int(id)]
    latest[Int(id)] = number
    let distance = previous == 0 ? nil : tree.count(after: previous)
    if let hole = holes.largest, hole > previous {
      // What was above the hole moves down into it, and the object leaves one where it stood.
      holes.removeLargest()
      if previous > 0 { holes.insert(previous) }
      tree.touch(number, previous: hole)
    } else {
      tree.touch(number, previous: previous)
    }
    return distance
  }

  /// Removes an object, if the stack holds it.
  mutating func remove(_ id: UInt32) {
    let previous = latest[Int(id)]
    if previous == 0 { return }
    latest[Int(id)] = 0
    holes.insert(previous)
  }

  /// Passes on the id and distance of each counted request, those of writes left out.
  ///
  /// - Parameters:
  ///   - trace: The requests, all of which make the distances.
  ///   - start: The first request that may count.
  ///   - goesOn: Called about every million requests with the number done; false stops.
  ///   - body: Takes the id and the distance.
  /// - Returns: True if all requests were passed on.
  package static func forEach(
    in trace: Trace, from start: Int = 0, goesOn: (Int) -> Bool = { _ in true },
    body: (UInt32, Int?) -> Void
  ) -> Bool {
    precondition(trace.requests <= mostRequests, "requests have 32-bit numbers from 1")
    var stack = StackDistances(keys: trace.distinct, requests: trace.requests)
    let ids = trace.ids
    for index in 0..<trace.requests {
      if index & 0xF_FFFF == 0xF_FFFF, !goesOn(index) { return false }
      let id = ids[index]
      let role = trace.operations.map { $0[index].role } ?? .reference
      if role == .removal {
        stack.remove(id)
        continue
      }
      if role == .renewal { continue }
      let distance = stack.request(id, number: UInt32(index + 1))
      if role == .reference && index >= start { body(id, distance) }
    }
    return goesOn(trace.requests)
  }

  /// The counted requests, and by distance those of them that had it: those that a cache hits if it holds more objects.
  ///
  /// - Parameters:
  ///   - trace: The requests, all of which make the distances.
  ///   - start: The first request that may count.
  ///   - goesOn: Called about every million requests with the number done; false stops.
  /// - Returns: nil if it was stopped.
  package static func counts(
    in trace: Trace, from start: Int = 0, goesOn: (Int) -> Bool = { _ in true }
  ) -> (requests: Int, hits: [Int])? {
    var hits = [Int](repeating: 0, count: trace.distinct)
    var requests = 0
    let isDone = forEach(in: trace, from: start, goesOn: goesOn) { _, distance in
      requests += 1
      if let distance { hits[distance] += 1 }
    }
    return isDone ? (requests, hits) : nil
  }
}

/// Numbers of which the largest is at hand.
///
/// - Complexity: O(log count) to insert and remove.
private struct MaximumHeap {
  private var numbers: [UInt32] = []

  var largest: UInt32? { numbers.first }

  mutating func insert(_ number: UInt32) {
    numbers.append(number)
    var child = numbers.count - 1
    while child > 0, case let parent = (child - 1) / 2, numbers[parent] < numbers[child] {
      numbers.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeLargest() {
    numbers.swapAt(0, numbers.count - 1)
    numbers.removeLast()
    var parent = 0
    while case let left = 2 * parent + 1, left < numbers.count {
      let right = left + 1
      let child = right < numbers.count && numbers[right] > numbers[left] ? right : left
      if numbers[child] <= numbers[parent] { return }
      numbers.swapAt(parent, child)
      parent = child
    }
  }
}
