import CInline
import Parameters
import Synchronization
import Traces

/// For each request of a trace, the number of the next one for the same key that gains from a hit.
///
/// That is a request which is counted. If the key is removed first, or written or requested without
/// being counted, then nothing is gained by keeping the object until then, and it has no next use: so
/// evicting by next uses is optimal for what is counted, whatever else the trace does.
///
/// They are computed when they are first read, on that thread, and once for all streams of a trace: runs that
/// do not read them need not wait.
///
/// - Complexity: O(requests), 4 bytes a request; one pass from the end.
@usableFromInline
package final class NextUses: Sendable {
  /// Stands for no next use.
  @usableFromInline package static var none: UInt32 { .max }

  /// The longest trace whose requests have numbers.
  package static let longest = Int(UInt32.max) - 1

  /// Requests at the start that are not counted: no next use is one of them.
  let warmup: Int
  private let trace: Trace
  private let requests: Int
  private let countsSets: Bool
  private let table = Mutex<Table?>(nil)

  /// The next uses of the first `requests` requests.
  package init(_ trace: Trace, requests: Int, warmup: Int, countsSets: Bool) {
    precondition(requests <= NextUses.longest, "too many requests have no 32-bit numbers")
    self.trace = trace
    self.requests = requests
    self.warmup = warmup
    self.countsSets = countsSets
  }

  /// By request, and valid as long as this object.
  var values: UnsafePointer<UInt32> {
    table.withLock { table in
      if let table { return table.values }
      let new = Table(trace, requests: requests, warmup: warmup, countsSets: countsSets)
      table = new
      return new.values
    }
  }

  /// The time that they took; 0 before they are read.
  var duration: Duration { table.withLock { $0?.duration ?? .zero } }
}

extension NextUses {
  /// The numbers in memory.
  private final class Table: @unchecked Sendable {
    let values: UnsafePointer<UInt32>
    let duration: Duration
    private let memory: RawMemory

    init(_ trace: Trace, requests: Int, warmup: Int, countsSets: Bool) {
      let start = ContinuousClock.now
      memory = Table.memory(requests)
      let coming = Table.memory(trace.distinct)
      let uses = Table.numbers(memory)
      let next = Table.numbers(coming)
      next.initialize(repeating: NextUses.none, count: trace.distinct)
      trace.ids.withUnsafeBufferPointer { ids in
        if trace.operations == nil && warmup == 0 {
          Table.fill(uses, next: next, ids: ids, requests: requests) { _ in .use }
        } else {
          let operations = trace.operations
          Table.fill(uses, next: next, ids: ids, requests: requests) { index in
            switch operations?[index].role ?? .reference {
            case .removal: .end
            case .renewal: .nothing
            case .reference: index < warmup ? .end : .use
            case .update: index < warmup || !countsSets ? .end : .use
            }
          }
        }
      }
      values = UnsafePointer(uses)
      duration = ContinuousClock.now - start
    }

    /// The relation of a request to the one before it of the same key.
    private enum Meaning {
      /// Its next use.
      case use
      /// The end of what it can gain.
      case end
      /// None: what follows is what the one before it can gain.
      case nothing
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
        switch meaning(index) {
        case .use: next[key] = UInt32(truncatingIfNeeded: index)
        case .end: next[key] = NextUses.none
        case .nothing: break
        }
      }
    }

    private static let prefetchDistance = 24

    private static func memory(_ count: Int) -> RawMemory {
      guard let memory = RawMemory(zeroed: count * MemoryLayout<UInt32>.stride) else {
        MemoryShortage.end("the next uses of \(count) requests")
      }
      return memory
    }

    private static func numbers(
      _ memory: borrowing RawMemory
    ) -> UnsafeMutablePointer<UInt32> {
      guard let base = memory.base else { preconditionFailure("the table is empty") }
      return base.assumingMemoryBound(to: UInt32.self)
    }
  }
}
