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
/// at n of them, and takes at least s there, the least size that its requests up to p told, or 1. The volume of the head is
/// L = n × s. A first head is never a hit, nor is one with s > C. Before any of the N requests at most C is resident, so the L of
/// all heads that hit are at most C × N together.
///
/// *Bound.* The latencies are at least the weights of all bursts less the most weight that heads with that volume can have.
/// For every price λ ≥ 0 of a place for one request, that is at most λ × C × N + Σ max(0, W − λ × L); the price of the last head
/// that fits, taken by weight per place, makes it least. Policies that know the future are included, and those that refuse
/// objects; a prefetch is not, as it is no miss.
///
/// This is the relaxation of PFOO-L (D. S. Berger, N. Beckmann and M. Harchol-Balter, “Practical bounds on optimal caching with
/// variable object sizes”, SIGMETRICS 2018), with the weights that delayed hits give; it is not `belatedly`, the min-cost
/// flow of N. Atre et al., SIGCOMM 2020, which is closer and costs far more.
package struct LatencyBound: Sendable {
  private struct Head {
    let places: Int
    let size: Int
    var weight: Int

    var volume: Int128 { Int128(places) * Int128(size) }
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
    let source = ColumnSource(columns)
    var clock = DelayedRequests(columns, delay)
    let times = (0..<requests).map { clock.time(at: $0) }
    let length = delay.length
    /// By slot: the latest request, the time of its burst's head, the burst's place in `heads`, -1 for the first, and the
    /// least size.
    var bursts: [(request: Int, head: Int64, place: Int, size: Int)?] = Array(
      repeating: nil, count: stream.trace.distinct)
    for index in 0..<requests {
      let (slot, now) = (Int(columns.ids[index]), times[index])
      let size = source.request(at: index, needs: []).size
      let least = min(size, bursts[slot]?.size ?? size)
      var weight = 0
      if let burst = bursts[slot], now - times[burst.request] < length {
        weight = Int(max(0, length - (now - burst.head)))
        bursts[slot]?.request = index
        bursts[slot]?.size = least
      } else {
        weight = Int(length)
        var place = -1
        if let (previous, _, _, size) = bursts[slot] {
          let first = times.firstIndex(notBefore: times[previous] + length, from: previous + 1)
          place = heads.count
          heads.append(Head(places: index - first + 1, size: size, weight: 0))
        }
        bursts[slot] = (index, now, place, least)
      }
      guard index >= warmup, let place = bursts[slot]?.place else { continue }
      if place < 0 { unavoidable += weight } else { heads[place].weight += weight }
    }
    // What takes no room is always there. An order that is wrong because a product wraps gives another price.
    heads.removeAll { $0.volume == 0 }
    heads.sort { Int128($0.weight) &* $1.volume > Int128($1.weight) &* $0.volume }
  }

  /// The sum that the latencies of no policy are below at a capacity.
  ///
  /// - Complexity: O(n) for n requests.
  package func least(capacity: Int) -> Int {
    let room = Int128(capacity) * Int128(requests)
    let unavoidable = heads.reduce(self.unavoidable) { $1.size > capacity ? $0 + $1.weight : $0 }
    var volume: Int128 = 0
    var all = 0
    var last: Head?
    for head in heads where head.size <= capacity {
      if volume < room { last = head }
      volume += head.volume
      all += head.weight
    }
    // No product below is larger. Where one may wrap, all heads are taken to hit.
    guard let last, volume >= room,
      !volume.multipliedReportingOverflow(by: 2 * Int128(all)).overflow
    else { return unavoidable }
    // The price is W / L of the last; everything is multiplied by its L.
    let (price, scale) = (Int128(last.weight), last.volume)
    var saved = price * room
    for head in heads where head.size <= capacity {
      saved += max(0, Int128(head.weight) * scale - price * head.volume)
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
