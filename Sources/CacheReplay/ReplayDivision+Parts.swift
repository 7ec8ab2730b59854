import EvictionCore
import Requests
import Results

extension ReplayDivision {
  /// The parts of `range`, one for each thread.
  ///
  /// - Parameter batch: Requests dealt at once where threads share what they take.
  /// - Complexity: O(1), and O(requests) in time and memory for `keys`.
  func parts(
    of range: Range<Int>, stream: RequestStream, threads: Int, batch: Int
  ) -> [ReplayPart] {
    switch self {
    case .interleaved:
      let dealer = RequestDealer(range, batch: batch)
      return (0..<threads).map { _ in ReplayPart(dealer: dealer) }
    case .keys:
      var orders = [[Int]](repeating: [], count: threads)
      for index in range {
        orders[ReplayDivision.thread(of: stream.ids[index], of: threads)].append(index)
      }
      return orders.map { order in
        ReplayPart(dealer: RequestDealer(0..<order.count, batch: batch), order: order)
      }
    case .copies:
      return (0..<threads).map { copy in
        ReplayPart(dealer: RequestDealer(range, batch: batch), copy: copy)
      }
    }
  }

  /// The thread that a key belongs to: a hash, so that popular keys are spread.
  package static func thread(of id: UInt32, of threads: Int) -> Int {
    Int(SplitMix64.mix(UInt64(id)).multipliedFullWidth(by: UInt64(threads)).high)
  }
}

/// The requests of one thread.
struct ReplayPart: Sendable {
  /// Deals the thread its places.
  let dealer: RequestDealer
  /// The requests at these places; nil where a place is a request's number.
  var order: [Int]?
  /// The number of the trace's copy.
  var copy = 0
}
