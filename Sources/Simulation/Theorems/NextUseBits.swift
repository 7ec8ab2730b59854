import Eviction
import Parameters
import Traces

/// The residents of Belady's MIN: a bit for each request that finds its object resident.
///
/// The requests go by, and a bit that lies behind is neither read nor cleared. Above the bits stand those
/// of the words that have any, and above these a tree, which hardly ever changes.
///
/// - Complexity: O(1) for a look and for an insertion, except for one in thousands; O(log₆₄ requests) at most.
///   Memory: 1.02 bits a request.
struct NextUseBits: ~Copyable {
  private let memory: RawMemory
  /// A bit for each request.
  private let words: UnsafeMutablePointer<UInt64>
  /// A bit for each word that has had one.
  private let blocks: UnsafeMutablePointer<UInt64>
  /// The blocks that have a word.
  private var upper = BitmapTree()
  /// No later word has a bit.
  private var latest = 0

  /// No resident, for a number of requests.
  init(requests: Int) {
    let wordCount = requests >> 6 + 1
    let byteCount = (wordCount + wordCount >> 6 + 1) * MemoryLayout<UInt64>.stride
    guard let memory = RawMemory(zeroed: byteCount), let base = memory.base else {
      MemoryShortage.end("the residents of the optimum, by \(requests) requests")
    }
    words = base.assumingMemoryBound(to: UInt64.self)
    blocks = words + wordCount
    self.memory = memory
  }

  /// Returns true if the object of `request` is resident before it.
  @inline(__always)
  func contains(_ request: Int) -> Bool {
    words[request >> 6] &>> UInt64(truncatingIfNeeded: request) & 1 == 1
  }

  /// Adds the object that `request`, which is to come, will find resident.
  @inline(__always)
  mutating func insert(_ request: Int) {
    let word = request >> 6
    words[word] |= 1 &<< UInt64(truncatingIfNeeded: request)
    let before = blocks[word >> 6]
    blocks[word >> 6] = before | 1 &<< UInt64(truncatingIfNeeded: word)
    if before == 0 { upper.insert(word >> 6) }
    latest = max(latest, word)
  }

  /// The request to come that finds its object resident after all others do; there is one.
  @inline(__always)
  var farthest: Int {
    mutating get {
      if words[latest] == 0 { findLatest() }
      return latest << 6 | (63 &- words[latest].leadingZeroBitCount)
    }
  }

  /// Takes out the farthest.
  @inline(__always)
  mutating func remove(farthest: Int) {
    assert(farthest >> 6 == latest && contains(farthest), "\(farthest) is not the farthest")
    words[latest] ^= 1 &<< UInt64(truncatingIfNeeded: farthest)
    if words[latest] == 0 { removeLatest() }
  }

  private mutating func removeLatest() {
    let block = latest >> 6
    blocks[block] ^= 1 &<< UInt64(truncatingIfNeeded: latest)
    if blocks[block] == 0 { upper.remove(block) }
  }

  private mutating func findLatest() {
    var block = latest >> 6
    if blocks[block] == 0 {
      guard let last = upper.last else { preconditionFailure("there is no resident to come") }
      block = last
    }
    latest = block << 6 | (63 &- blocks[block].leadingZeroBitCount)
  }
}
