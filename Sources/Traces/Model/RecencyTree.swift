/// The latest requests of each key so far: it counts the keys that were requested since a moment.
///
/// A bit for each request, and a Fenwick tree that counts those set in blocks of 256.
///
/// - Complexity: O(log requests) per operation, less for a key whose last request is near. Memory: 9 bits
///   for each 8 requests.
/// - Paper: P. M. Fenwick, “A new data structure for cumulative frequency tables”, Software: Practice and
///   Experience 24(3), 1994.
package struct RecencyTree: ~Copyable {
  /// By a request's number, whether it is the last one of its key, in words of 64.
  @usableFromInline let isLast: UnsafeMutableBufferPointer<UInt64>
  /// At i the bits set in the blocks above i − lowest bit of i, up to i; from 1.
  @usableFromInline let sums: UnsafeMutableBufferPointer<UInt32>
  /// The number of keys that were requested.
  package private(set) var count = 0

  /// An empty tree for requests numbered from 1 to `requests`.
  package init(requests: Int) {
    let blocks = (requests + 1) / 256 + 1
    isLast = .allocate(capacity: blocks * 4)
    isLast.initialize(repeating: 0)
    sums = .allocate(capacity: blocks + 1)
    sums.initialize(repeating: 0)
  }

  deinit {
    isLast.deallocate()
    sums.deallocate()
  }

  /// The number of keys that had their last request after the one numbered `number`.
  @inlinable @inline(__always)
  package func count(after number: UInt32) -> Int {
    let place = Int(number) + 1
    var block = place >> 8
    var before = (isLast[place >> 6] & (1 << UInt64(place & 63) - 1)).nonzeroBitCount
    for word in block * 4..<place >> 6 { before &+= isLast[word].nonzeroBitCount }
    while block > 0 {
      before &+= Int(sums[block])
      block &= block &- 1
    }
    return count &- before
  }

  /// Makes the request numbered `number`, the highest so far, the last one of a key whose last one was
  /// `previous`, 0 if the key is new.
  @inlinable @inline(__always)
  package mutating func touch(_ number: UInt32, previous: UInt32) {
    isLast[Int(number >> 6)] |= 1 << UInt64(number & 63)
    var upper = Int(number >> 8) + 1
    var lower = sums.count
    if previous == 0 {
      count &+= 1
    } else {
      assert(isLast[Int(previous >> 6)] >> UInt64(previous & 63) & 1 == 1, "a last request")
      isLast[Int(previous >> 6)] &= ~(1 << UInt64(previous & 63))
      lower = Int(previous >> 8) + 1
    }
    // Where the ways up from both blocks meet, what one takes the other gives.
    while lower != upper {
      if lower < upper {
        sums[lower] &-= 1
        lower = min(lower &+ lower & -lower, sums.count)
      } else {
        sums[upper] &+= 1
        upper = min(upper &+ upper & -upper, sums.count)
      }
    }
  }
}
