import EvictionTesting

/// Segcache with its log in plain arrays: buckets of segments, the oldest first, each with its keys, the oldest first.
final class SegcacheModel: PolicyModel {
  private final class Segment {
    var keys: [Int] = []
    var written = 0
    let created: Int
    let number: Int

    init(created: Int, number: Int) {
      self.created = created
      self.number = number
    }
  }

  private var buckets = [[Segment]](repeating: [], count: 1_025)
  private var marks = [Segment?](repeating: nil, count: 1_025)
  private var hits: [Int: Int] = [:]
  private var writtenSize: [Int: Int] = [:]
  private var opened = 0
  private var lastBucket = 0
  private var empties = 0
  private var successes = 0
  private let parts: Int
  private let resolution: Int

  override init(_ options: ModelOptions) {
    parts = Int(options.parameters["segments"] ?? "100")!
    resolution = Int(options.parameters["resolution"] ?? "1000000000")!
    super.init(options)
  }

  override var residents: [Int] { buckets.joined().flatMap(\.keys) }

  private var segmentSize: Int { max(1, (capacity + parts - 1) / parts) }
  private var isFull: Bool { buckets.joined().count >= max(1, capacity / segmentSize) }

  /// The bucket's width and the number of the first one of that width.
  private func bucket(of timeToLive: Int) -> Int {
    let widths = [8, 128, 2_048, 32_768]
    let group = widths.firstIndex { timeToLive < 256 * $0 } ?? 3
    return min(group * 256 + timeToLive / widths[group], 1_023)
  }

  private func shortest(_ bucket: Int) -> Int {
    [8, 128, 2_048, 32_768][bucket / 256] * (bucket % 256) + 1
  }

  override func hit(_ key: Int) { hits[key] = min(127, hits[key]! + 1) }

  override func miss(_ key: Int, size: Int) -> Bool {
    let lifetime = Workload.timeToLive(of: key)
    if size > segmentSize { return false }
    for bucket in 0..<1_024 {
      while let first = buckets[bucket].first,
        first.created + shortest(bucket) <= now / resolution
      {
        for key in first.keys { leave(key) }
        discard(first)
      }
    }
    let bucket = bucket(of: lifetime / resolution)
    while true {
      if used + size <= capacity {
        if let last = buckets[bucket].last, last.written + size <= segmentSize {
          last.keys.append(key)
          last.written += size
          sizes[key] = size
          writtenSize[key] = size
          hits[key] = 0
          return true
        }
        if !isFull {
          buckets[bucket].append(Segment(created: now / resolution, number: opened))
          opened += 1
          continue
        }
      }
      reclaim()
    }
  }

  override func evict() {
    let before = residents.count
    while residents.count == before { reclaim() }
  }

  private func leave(_ key: Int) {
    forget(key)
    reportEviction(of: key)
  }

  override func forget(_ key: Int) {
    for segment in buckets.joined() where segment.keys.contains(key) {
      segment.keys.take(key)
      if segment.keys.isEmpty { discard(segment) }
    }
  }

  private func discard(_ segment: Segment) {
    for bucket in buckets.indices {
      guard let place = buckets[bucket].firstIndex(where: { $0 === segment }) else { continue }
      buckets[bucket].remove(at: place)
      if marks[bucket] === segment {
        marks[bucket] = place < buckets[bucket].count ? buckets[bucket][place] : nil
      }
    }
  }

  private func reclaim() {
    let before = buckets.joined().count
    for _ in 0..<parts {
      guard let (bucket, place) = start() else { break }
      merge(bucket, place)
      if buckets.joined().count < before { return }
    }
    for key in buckets.joined().min(by: { $0.number < $1.number })!.keys { leave(key) }
  }

  private func start() -> (bucket: Int, place: Int)? {
    for bucket in (0...1_025).map({ (lastBucket + $0) % 1_025 }) {
      let mark = marks[bucket]
      let place = buckets[bucket].firstIndex { $0 === mark } ?? 0
      if place + 3 < buckets[bucket].count {
        lastBucket = bucket
        return (bucket, place)
      }
      marks[bucket] = nil
    }
    return nil
  }

  private func merge(_ bucket: Int, _ place: Int) {
    let chain = buckets[bucket][place...].dropLast().prefix(8)
    let follower = { (index: Int) in
      index < self.buckets[bucket].count ? self.buckets[bucket][index] : nil
    }
    let followers = (place...(place + chain.count)).map(follower)
    let stop = max(1, segmentSize * 9 / 10)
    let target = 1 / Double(min(4, chain.count))
    var cutoff = empties > successes && empties > 2 ? 0.0 : 1.0
    var kept: [Int] = []
    var merged = 0
    for segment in chain where length(of: kept) < stop {
      let mean = Double(length(of: segment.keys)) / Double(max(1, segment.keys.count))
      var keepsAll = cutoff < 0.0001
      cutoff = (1 + cutoff) / 2
      var scanned = 0
      var copied = 0
      var adjustments = 1
      for key in segment.keys {
        let size = sizes[key]!
        if length(of: kept) >= stop && scanned > stop { keepsAll = true }
        scanned += size
        if scanned >= adjustments * (segmentSize / 10) {
          adjustments += 1
          let excess = (Double(copied) / Double(scanned) - target) / target
          if abs(excess) > 0.5 { cutoff *= 1 + excess }
        }
        let relativeSize = mean == 0 ? 1 : Double(size) / mean
        let isWorthy = keepsAll || Double(hits[key]!) / relativeSize > cutoff
        if isWorthy && length(of: kept) + size <= segmentSize {
          kept.append(key)
          hits[key] = 0
          copied += size
        } else {
          reportEviction(of: key)
        }
      }
      merged += 1
    }
    let first = chain.first!
    first.keys = kept
    first.written = length(of: kept)
    for segment in chain.prefix(merged).dropFirst() { discard(segment) }
    marks[bucket] = followers[merged]
    if kept.isEmpty {
      empties += 1
      discard(first)
    } else {
      successes += 1
    }
  }

  override func forgetAll() {
    for bucket in buckets.indices { (buckets[bucket], marks[bucket]) = ([], nil) }
  }

  override func restoreLimits() {
    for segment in buckets.joined() {
      for key in segment.keys where writtenSize[key] != sizes[key] {
        segment.written += sizes[key]! - writtenSize[key]!
        writtenSize[key] = sizes[key]!
      }
    }
  }
}
