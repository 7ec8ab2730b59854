import Results
import Statistics

/// An order of two policies that a publication found, over its traces.
struct PublishedOrder {
  let better: String
  let worse: String
  let source: String

  /// Those of the papers of policies that the catalog has, the oldest first.
  static let all = [
    PublishedOrder(better: "lru-k", worse: "lru", source: "LRU-K, SIGMOD 1993"),
    PublishedOrder(better: "2q", worse: "lru", source: "2Q, VLDB 1994"),
    PublishedOrder(better: "mq", worse: "lru", source: "MQ, USENIX ATC 2001"),
    PublishedOrder(better: "lirs", worse: "lru", source: "LIRS, SIGMETRICS 2002"),
    PublishedOrder(better: "lirs", worse: "2q", source: "LIRS, SIGMETRICS 2002"),
    PublishedOrder(better: "arc", worse: "lru", source: "ARC, FAST 2003"),
    PublishedOrder(better: "clock-pro", worse: "clock", source: "CLOCK-Pro, USENIX ATC 2005"),
    PublishedOrder(better: "hyperbolic", worse: "lru", source: "Hyperbolic, USENIX ATC 2017"),
    PublishedOrder(better: "wtinylfu", worse: "arc", source: "TinyLFU, ACM ToS 2017"),
    PublishedOrder(better: "lhd", worse: "lru", source: "LHD, NSDI 2018"),
    PublishedOrder(better: "lecar", worse: "lru", source: "LeCaR, HotStorage 2018"),
    PublishedOrder(better: "cacheus", worse: "lecar", source: "CACHEUS, FAST 2021"),
    PublishedOrder(better: "clock", worse: "lru", source: "FIFO can be better, HotOS 2023"),
    PublishedOrder(better: "qd-lp", worse: "arc", source: "FIFO can be better, HotOS 2023"),
    PublishedOrder(better: "s3fifo", worse: "arc", source: "S3-FIFO, SOSP 2023"),
    PublishedOrder(better: "s3fifo", worse: "wtinylfu", source: "S3-FIFO, SOSP 2023"),
    PublishedOrder(better: "s3fifo", worse: "lirs", source: "S3-FIFO, SOSP 2023"),
    PublishedOrder(better: "sieve", worse: "arc", source: "SIEVE, NSDI 2024"),
    PublishedOrder(better: "sieve", worse: "lru", source: "SIEVE, NSDI 2024"),
  ]
}

extension RankedGroup {
  /// The published orders of policies that ran here, and whether they hold over these traces.
  ///
  /// The intervals hold together at 95 %: each is as much wider as there are orders (Bonferroni).
  package var publishedOrders: [OrderOfPolicies] {
    func values(_ name: String) -> [Double]? {
      policies.first { $0.policy == name || $0.same.contains(name) }?.values
    }
    let found = PublishedOrder.all.compactMap { order -> (order: PublishedOrder, lead: [Double])? in
      guard let better = values(order.better), let worse = values(order.worse) else { return nil }
      return (order, zip(better, worse).map { $0 - $1 })
    }
    let confidence = 1 - 0.05 / Double(max(1, found.count))
    return found.map { order, lead in
      OrderOfPolicies {
        $0.better = order.better
        $0.worse = order.worse
        $0.source = order.source
        $0.lead = lead.mean ?? 0
        $0.ahead = lead.count { $0 > 0 }
        $0.behind = lead.count { $0 < 0 }
        $0.interval = (try? PairedBootstrap(lead, seed: 42))?.interval(confidence: confidence)
      }
    }
  }
}
