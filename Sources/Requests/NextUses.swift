import CInline
import Traces

/// For each request of a trace, the number of the next one for the same key that gains from a hit.
///
/// That is a request which is counted. If the key is removed first, or written or requested without
/// being counted, then nothing is gained by keeping the object until then, and it has no next use: so
/// evicting by next uses is optimal for what is counted, whatever else the trace does.
///
/// - Complexity: O(requests), 4 bytes a request; one pass from the end.
@usableFromInline
package final class NextUses: @unchecked Sendable {
  /// Stands for no next use.
  @usableFromInline package static var none: UInt32 { .max }

  /// The longest trace whose requests have numbers.
  package static let longest = Int(UInt32.max) - 1

  /// By request.
  let values: UnsafePointer<UInt32>

  private let memory: RawMemory

  /// The next uses of the first `requests` requests.
  init(_ trace: Trace, requests: Int, warmup: Int, countsSets: Bool) {
    precondition(requests <= NextUses.longest, "too many requests have no 32-bit numbers")
    memory = NextUses.table(requests)
    let coming = NextUses.table(trace.distinct)
    let uses = NextUses.numbers(memory)
    let next = NextUses.numbers(coming)
    next.initialize(repeating: NextUses.none, count: trace.distinct)
    trace.ids.withUnsafeBufferPointer { ids in
      if trace.operations == nil && warmup == 0 {
        NextUses.fill(uses, next: next, ids: ids, requests: requests) { _ in .use }
      } else {
        let operations = trace.operations
        NextUses.fill(uses, next: next, ids: ids, requests: requests) { index in
          switch operations?[index].role ?? .reference {
          case .removal: .end
          case .reference: index < warmup ? .end : .use
          case .update: index < warmup || !countsSets ? .end : .use
          }
        }
      }
    }
    values = UnsafePointer(uses)
  }

  /// The relation of a request to the one before it of the same key.
  private enum Meaning {
    /// Its next use.
    case use
    /// The end of what it can gain.
    case end
  }

  @inline(__always)
  private static func fill(
    _ uses: UnsafeMutablePointer<UInt32>, next: UnsafeMutablePointer<UInt32>,
    ids: UnsafeBufferPointer<UInt32>, requests: Int, meaning: (Int) -> Meaning
  ) {
    var index = requests
    while index > 0 {
      index &-= 1
      evl_prefetch(next + Int(ids[max(0, index &- prefetchDistance)]))
      let key = Int(ids[index])
      uses[index] = next[key]
      next[key] = meaning(index) == .use ? UInt32(truncatingIfNeeded: index) : none
    }
  }

  private static let prefetchDistance = 24

  private static func table(_ count: Int) -> RawMemory {
    guard let memory = RawMemory(zeroed: count * MemoryLayout<UInt32>.stride) else {
      MemoryShortage.end("the next uses of \(count) requests")
    }
    return memory
  }

  private static func numbers(_ memory: borrowing RawMemory) -> UnsafeMutablePointer<UInt32> {
    guard let base = memory.base else { preconditionFailure("the table is empty") }
    return base.assumingMemoryBound(to: UInt32.self)
  }
}
