import EvictionCore
import Requests

/// A sum that the latencies of no policy are below where a miss takes time: the volume bound.
///
/// *Bursts.* The requests of an object are cut where one comes at least the delay Z after the one before it. Call such a
/// request, and the object's first, the head of a burst, and let a head be at time t. A fetch that began before it began with the
/// previous request at the latest, so it is over by t: the head is no delayed hit. If it is a miss, it costs Z, and each
/// request of its object before t + Z costs what is left until then. None of these is a head, so each is of this burst,
/// and the weight W of the burst, their sum, is counted once. If the head is a hit, the burst costs nothing at least.
///
/// *Room.* A head at request i whose object was requested last at time p is a hit only if the object is resident at i. It
/// entered with the end of a fetch, which began at p at the latest, so it entered by p + Z, and it has not left since: a return
/// takes another miss. So it is resident before each request from the first after p's that is not before p + Z, up to i:
/// at L of them. A first head is never a hit. Before any of the n requests at most C objects are resident, so the L of all heads
/// that hit are at most C × n together.
///
/// *Bound.* The latencies are at least the weights of all bursts less the most weight that heads with that volume can have.
/// For every price λ ≥ 0 of a place for one request, that is at most λ × C × n + Σ max(0, W − λ × L); the price of the last head
/// that fits, taken by weight per place, makes it least. Policies that know the future are included, and those that refuse
/// objects; a prefetch is not, as it is no miss.
///
/// This is the relaxation of PFOO-L (D. S. Berger, N. Beckmann and M. Harchol-Balter, “Practical bounds on optimal caching with
/// variable object sizes”, SIGMETRICS 2018), with the weights that delayed hits give; it is not `belatedly`, the min-cost
/// flow of N. Atre et al., SIGCOMM 2020, which is closer and costs far more.
package struct LatencyBound: Sendable {
  private struct Head {
    let volume: Int
    var weight: Int
  }

  private let requests: Int
  /// The weights of bursts whose head is an object's first request.
  private var unavoidable = 0
  /// The other bursts, those with the most weight per place first.
  private var heads: [Head] = []

  /// Takes the bursts of plain gets.
  ///
  /// - Parameters:
  ///   - stream: The requests, with times if the delay is a time.
  ///   - delay: The time that a miss takes.
  ///   - warmup: Requests at the start whose latencies are not counted.
  /// - Complexity: O(n log n) for n requests.
  package init(_ stream: RequestStream, delay: MissDelay, warmup: Int) {
    requests = stream.requests
    let columns = RequestColumns(stream)
    var clock = DelayedRequests(columns, delay)
    let times = (0..<requests).map { clock.time(at: $0) }
    let length = delay.length
    /// By slot: the latest request, the time of its burst's head, and the burst's place in `heads`; -1 for the first.
    var bursts: [(request: Int, head: Int64, place: Int)?] = Array(
      repeating: nil, count: stream.trace.distinct)
    for index in 0..<requests {
      let (slot, now) = (Int(columns.ids[index]), times[index])
      var weight = 0
      if let burst = bursts[slot], now - times[burst.request] < length {
        weight = Int(max(0, length - (now - burst.head)))
        bursts[slot]?.request = index
      } else {
        weight = Int(length)
        var place = -1
        if let previous = bursts[slot]?.request {
          let first = times.firstIndex(notBefore: times[previous] + length, from: previous + 1)
          place = heads.count
          heads.append(Head(volume: index - first + 1, weight: 0))
        }
        bursts[slot] = (index, now, place)
      }
      guard index >= warmup, let place = bursts[slot]?.place else { continue }
      if place < 0 { unavoidable += weight } else { heads[place].weight += weight }
    }
    heads.sort { Int128($0.weight) * Int128($1.volume) > Int128($1.weight) * Int128($0.volume) }
  }

  /// The sum that the latencies of no policy are below at a capacity.
  ///
  /// - Complexity: O(n) for n requests.
  package func least(capacity: Int) -> Int {
    let (product, isMore) = capacity.multipliedReportingOverflow(by: requests)
    let room = isMore ? .max : product
    var volume = 0
    var last: Head?
    for head in heads {
      (volume, last) = (volume + head.volume, head)
      if volume >= room { break }
    }
    guard let last, volume >= room else { return unavoidable }
    // The price is W / L of the last; everything is multiplied by its L.
    let (price, scale) = (Int128(last.weight), Int128(last.volume))
    var saved = price * Int128(room)
    var all = 0
    for head in heads {
      all += head.weight
      saved += max(0, Int128(head.weight) * scale - price * Int128(head.volume))
    }
    return unavoidable + max(0, all - Int(saved / scale))
  }
}

extension [Int64] {
  /// The first place from `start` on whose value is not below `value`, of rising ones the last of which is not.
  fileprivate func firstIndex(notBefore value: Int64, from start: Int) -> Int {
    var (low, high) = (start, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
