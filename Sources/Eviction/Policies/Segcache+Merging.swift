extension Segcache {
  @inlinable @inline(__always)
  static func list(of segment: Int) -> SlotLists<UInt16>.ID {
    SlotLists<UInt16>.ID(UInt16(truncatingIfNeeded: segment + 1))
  }

  /// The bucket of a time to live: 256 of 8 units each, 256 of 128, of 2,048 and of 32,768.
  @inlinable
  static func bucket(of timeToLive: Int64) -> Int {
    if timeToLive < 1 << 11 { return Int(timeToLive >> 3) }
    if timeToLive < 1 << 15 { return Int(timeToLive >> 7) + 256 }
    if timeToLive < 1 << 19 { return Int(timeToLive >> 11) + 512 }
    return min(Int(timeToLive >> 15) + 768, 1_023)
  }

  /// The shortest time to live in the bucket, at least 1.
  @inlinable
  static func shortestTime(in bucket: Int) -> Int64 {
    Int64(bucket & 255) << Int64(3 + 4 * (bucket >> 8)) + 1
  }

  @inlinable @inline(__always)
  mutating func write(_ request: Request, into segment: Int) {
    hits[request.slot] = 0
    lists.prepend(request.slot, to: Segcache.list(of: segment), size: request.size)
    segments[segment].written += request.size
    residents += 1
  }

  /// Makes a free segment the newest of the bucket.
  @inlinable
  mutating func open(_ bucket: Int) {
    let segment = free
    free = segments[segment].newer
    segments[segment] = Segment()
    segments[segment].bucket = bucket
    segments[segment].older = buckets[bucket].newest
    segments[segment].created = now
    segments[segment].number = opened
    opened += 1
    inUse += 1
    if buckets[bucket].newest == Segcache.none {
      buckets[bucket].oldest = segment
      occupied[bucket / 64] |= 1 << UInt64(bucket % 64)
    } else {
      segments[buckets[bucket].newest].newer = segment
    }
    buckets[bucket].newest = segment
  }

  /// Takes an empty segment out of its bucket.
  @inlinable
  mutating func release(_ segment: Int) {
    let (older, newer) = (segments[segment].older, segments[segment].newer)
    let bucket = segments[segment].bucket
    if older == Segcache.none {
      buckets[bucket].oldest = newer
    } else {
      segments[older].newer = newer
    }
    if newer == Segcache.none {
      buckets[bucket].newest = older
    } else {
      segments[newer].older = older
    }
    if buckets[bucket].oldest == Segcache.none {
      occupied[bucket / 64] &= ~(1 << UInt64(bucket % 64))
    }
    if buckets[bucket].nextToMerge == segment { buckets[bucket].nextToMerge = newer }
    segments[segment].newer = free
    segments[segment].number = -1
    free = segment
    inUse -= 1
  }

  /// Empties the segments whose time is over.
  ///
  /// - Returns: False if the host refused the newcomer.
  @inlinable
  mutating func expire(host: inout some SlotHost & ~Copyable) -> Bool {
    if now == lastExpiry { return true }
    lastExpiry = now
    for word in 0..<Segcache.never / 64 {
      var bits = occupied[word]
      while bits != 0 {
        let bucket = 64 * word + bits.trailingZeroBitCount
        bits &= bits - 1
        var oldest = buckets[bucket].oldest
        while oldest != Segcache.none,
          segments[oldest].created + Segcache.shortestTime(in: bucket) <= now
        {
          let newer = segments[oldest].newer
          _ = empty(oldest, host: &host)
          if host.hasRefused { return false }
          oldest = newer
        }
      }
    }
    return true
  }

  /// Evicts the objects of a segment.
  ///
  /// - Returns: True if one left.
  @inlinable
  mutating func empty(_ segment: Int, host: inout some SlotHost & ~Copyable) -> Bool {
    let before = residents
    let list = Segcache.list(of: segment)
    while let victim = lists.unpinnedBack(of: list, host: host), host.mayEvict(victim) {
      leave(victim, host: &host)
    }
    if lists.isEmpty(list) { release(segment) }
    return residents < before
  }

  @inlinable @inline(__always)
  mutating func leave(_ victim: Slot, host: inout some SlotHost & ~Copyable) {
    lists.remove(victim, size: host.size(of: victim))
    residents -= 1
    host.didEvictAndForget(victim)
  }

  /// Frees a segment: merges where four follow each other, or empties the oldest.
  ///
  /// - Returns: False if nothing could leave.
  @inlinable
  mutating func reclaim(host: inout some SlotHost & ~Copyable) -> Bool {
    for _ in 0..<segmentCount {
      guard let first = firstToMerge() else { break }
      let before = inUse
      merge(from: first, host: &host)
      if host.hasRefused { return false }
      if inUse < before { return true }
    }
    var oldest: Int?
    for segment in 0..<segmentCount where segments[segment].number >= 0 {
      if segments[segment].number < oldest.map({ segments[$0].number }) ?? .max,
        lists.unpinnedBack(of: Segcache.list(of: segment), host: host) != nil
      {
        oldest = segment
      }
    }
    guard let oldest else { return false }
    return empty(oldest, host: &host) && !host.hasRefused
  }

  /// The segment from which three can be merged that are not the newest of their bucket: on in the bucket that
  /// was merged last, or in the next.
  @inlinable
  mutating func firstToMerge() -> Int? {
    let count = Segcache.never + 1
    var step = 0
    while step <= count {
      let bucket = (lastBucket + step) % count
      let bits = occupied[bucket / 64] >> UInt64(bucket % 64)
      if bits & 1 == 0 {
        step += bits == 0 ? min(64 - bucket % 64, count - bucket) : bits.trailingZeroBitCount
        continue
      }
      let start = buckets[bucket].nextToMerge
      let first = start == Segcache.none ? buckets[bucket].oldest : start
      var last = first
      for _ in 0..<3 where last != Segcache.none { last = segments[last].newer }
      if last != Segcache.none {
        lastBucket = bucket
        return first
      }
      buckets[bucket].nextToMerge = Segcache.none
      step += 1
    }
    return nil
  }

  /// Merges up to eight segments into the first of them, until that is nine tenths full.
  @inlinable
  mutating func merge(from first: Int, host: inout some SlotHost & ~Copyable) {
    let bucket = segments[first].bucket
    var count = 0
    var last = first
    while count < 8 && segments[last].newer != Segcache.none {
      count += 1
      last = segments[last].newer
    }
    let stop = max(1, segmentSize * 9 / 10)
    var pass = Pass(
      first: first, target: 1 / Double(min(4, count)), stop: stop,
      cutoff: emptyMerges > fullMerges && emptyMerges > 2 ? 0 : 1)
    var segment = first
    for _ in 0..<count where pass.kept < stop {
      let newer = segments[segment].newer
      copy(segment, &pass, host: &host)
      segments[segment].written = lists.size(of: Segcache.list(of: segment))
      if host.hasRefused { break }
      if segment != first && lists.isEmpty(Segcache.list(of: segment)) { release(segment) }
      segment = newer
    }
    segments[first].written = lists.size(of: Segcache.list(of: first))
    buckets[bucket].nextToMerge = segment
    if !lists.isEmpty(Segcache.list(of: first)) {
      fullMerges += 1
    } else {
      emptyMerges += 1
      release(first)
    }
  }

  /// The state of a merge.
  @usableFromInline
  struct Pass {
    /// The segment that the others are merged into, and the part of a segment that shall stay.
    @usableFromInline let first: Int
    @usableFromInline let target: Double
    @usableFromInline let stop: Int
    /// The worth up to which objects leave; below 0.0001 none does.
    @usableFromInline var cutoff: Double
    /// The size of what stayed.
    @usableFromInline var kept = 0

    @inlinable
    init(first: Int, target: Double, stop: Int, cutoff: Double) {
      self.first = first
      self.target = target
      self.stop = stop
      self.cutoff = cutoff
    }
  }

  /// Copies what is worth more than the cutoff into the first segment, oldest first; the rest leaves.
  @inlinable
  mutating func copy(_ segment: Int, _ pass: inout Pass, host: inout some SlotHost & ~Copyable) {
    let list = Segcache.list(of: segment)
    let mean = Double(lists.size(of: list)) / Double(max(1, lists.count(of: list)))
    var keepsAll = pass.cutoff < 0.0001
    pass.cutoff = (1 + pass.cutoff) / 2
    var scanned = 0
    var copied = 0
    var adjustments = 1
    var next = lists.back(of: list)
    while let slot = next {
      next = lists.newer(than: slot)
      let size = host.size(of: slot)
      if pass.kept >= pass.stop && scanned > pass.stop { keepsAll = true }
      scanned += size
      if scanned >= adjustments * (segmentSize / 10) {
        adjustments += 1
        let excess = (Double(copied) / Double(scanned) - pass.target) / pass.target
        if abs(excess) > 0.5 { pass.cutoff *= 1 + excess }
      }
      // Where all are empty, each has the mean size.
      let relativeSize = mean > 0 ? Double(size) / mean : 1
      let isWorthy = keepsAll || Double(hits[slot]) / relativeSize > pass.cutoff
      if isWorthy && pass.kept + size <= segmentSize {
        if segment != pass.first {
          lists.move(slot, toFrontOf: Segcache.list(of: pass.first), size: size)
        }
        hits[slot] = 0
        pass.kept += size
        copied += size
      } else if host.isPinned(slot) {
        if segment == pass.first { pass.kept += size }
      } else {
        if !host.mayEvict(slot) { return }
        leave(slot, host: &host)
      }
    }
  }
}
