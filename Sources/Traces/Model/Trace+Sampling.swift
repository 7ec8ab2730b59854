/// The choice of a spatial sample's keys: by their hashes, so that a key is in the sample with
/// all its requests or with none.
///
/// C. A. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, “Efficient MRC construction with SHARDS”,
/// USENIX FAST 2015.
public enum KeySampling: Sendable, Equatable {
  /// About this share of the keys, above 0 and at most 1: those whose hash is below the share of
  /// the largest.
  case rate(Double)
  /// At most that number of keys, at least 1: a threshold that is lowered whenever one more is sampled,
  /// to the largest hash of the sample, which leaves it.
  case keys(Int)
}

/// A spatial sample, and how exact what it says about the whole trace is.
public struct KeySample: Sendable {
  /// The requests for the sampled keys.
  public let trace: Trace
  /// The rate R at which keys were sampled: capacities scale by it.
  public let rate: Double
  /// The requests of the whole trace.
  let sourceRequests: Int

  /// The requests of the sample over those expected, R times the whole trace's: 1 when the popular
  /// keys are in the sample as often as they are in the trace.
  public var requestsRatio: Double { Double(trace.requests) / (rate * Double(sourceRequests)) }

  /// The number of equally popular keys that would be as exact: (Σ N)² / Σ N², with N the requests of each
  /// sampled key. L. Kish, “Survey Sampling”, 1965: the effective sample size.
  public let effectiveKeys: Double

  /// The standard error of a hit ratio of one half, the worst, that is estimated by the sample:
  /// √((1 − R) h (1 − h) / n) with h = ½ and n the ``effectiveKeys``.
  ///
  /// A key is a cluster of requests, the hit ratio a ratio estimated from sampled clusters
  /// (W. G. Cochran, “Sampling Techniques”, 1977), here with hits independent of popularity. That
  /// it falls with the root of the number of sampled keys is what Waldspurger et al. measure. It
  /// holds for capacities of many sampled keys: a cache of a few is coarser still.
  public var standardError: Double { (0.25 * (1 - rate) / effectiveKeys).squareRoot() }
}

extension Trace {
  /// A spatial sample. O(requests + distinct × log keys).
  ///
  /// - Parameters:
  ///   - sampling: The part that is kept.
  ///   - seed: varies the hash; another seed gives an independent sample.
  /// - Throws: `usage` when no key is in the sample.
  public func sample(_ sampling: KeySampling, seed: UInt64 = 42) throws(TraceError) -> KeySample {
    let hashes = keyHashes(seed: seed)
    let threshold: UInt64
    switch sampling {
    case .rate(let rate):
      precondition(rate > 0 && rate <= 1, "a rate is above 0 and at most 1")
      threshold = rate == 1 ? .max : UInt64(rate * 0x1p64)
    case .keys(let most):
      precondition(most >= 1, "a sample has keys")
      threshold = hashes.threshold(keeping: most)
    }
    let sample = try subset(orThrow: "raise --rate or --keys") { hashes[Int(ids[$0])] < threshold }
    var requests = [Double](repeating: 0, count: sample.distinct)
    for id in sample.ids { requests[Int(id)] += 1 }
    let total = Double(sample.requests)
    return KeySample(
      trace: sample, rate: threshold == .max ? 1 : Double(threshold) * 0x1p-64,
      sourceRequests: self.requests,
      effectiveKeys: total * total / requests.reduce(0) { $0 + $1 * $1 })
  }

  /// The requests of disjoint parts of the keys, of equally many each; fewer parts if there are fewer keys. O(requests +
  /// distinct × log distinct).
  ///
  /// - Parameters:
  ///   - count: The number of parts, at least 1.
  ///   - seed: varies the hash that keys are dealt out by.
  public func parts(_ count: Int, seed: UInt64) -> [Trace] {
    precondition(count >= 1, "a trace has one part at least")
    let hashes = keyHashes(seed: seed)
    let order = (0..<distinct).sorted { (hashes[$0], $0) < (hashes[$1], $1) }
    var partOfKey = [Int](repeating: 0, count: distinct)
    for (place, key) in order.enumerated() { partOfKey[key] = place % count }
    var rows = (0..<min(count, distinct)).map { _ in [UInt64]() }
    for row in 0..<requests { rows[partOfKey[Int(ids[row])]].append(UInt64(row)) }
    return rows.map { subset(Column($0)) }
  }

  /// The requests from one time until before another, in nanoseconds after the first request's.
  ///
  /// - Throws: `lacking` without times, `usage` when no request is left.
  public func window(_ range: Range<Int64>) throws(TraceError) -> Trace {
    guard let times, let first = times.first else {
      throw .lacking(
        trace: name, column: "times", remedy: "leave out --from and --to, or take --first n")
    }
    return try subset(orThrow: "widen --from and --to") { row in
      range.contains(times[row].subtractingSaturating(first))
    }
  }

  /// The first requests, at most `count`, at least 1.
  public func prefix(_ count: Int) -> Trace {
    count >= requests ? self : subset(Column(0..<UInt64(count)))
  }

  /// The requests that a test keeps.
  private func subset(
    orThrow remedy: String, where isKept: (Int) -> Bool
  ) throws(TraceError) -> Trace {
    var rows = ColumnBuffer<UInt64>()
    for row in 0..<requests where isKept(row) { rows.append(UInt64(row)) }
    if rows.count == 0 {
      throw .usage(problem: "\(name): none of its \(requests) requests is kept", remedy: remedy)
    }
    return subset(rows.freeze())
  }
}

extension Column<UInt64> {
  /// The largest threshold that has at most that number of hashes below it. O(n log most).
  fileprivate func threshold(keeping most: Int) -> UInt64 {
    var smallest: [UInt64] = []
    var threshold = UInt64.max
    func lower() {
      if smallest.count <= most { return }
      smallest.sort()
      threshold = smallest[most]
      smallest.removeSubrange(most...)
    }
    for hash in self where hash < threshold {
      smallest.append(hash)
      // Sorted once for each time that it doubles, and so seldom.
      if smallest.count / 2 >= most { lower() }
    }
    lower()
    return threshold
  }
}

extension Int64 {
  /// The difference, or the number nearest to it.
  fileprivate func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (self < other ? .min : .max) : difference
  }
}
