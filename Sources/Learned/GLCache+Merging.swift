#if Learned
  import EvictionCore

  extension GLCache {
    @inlinable @inline(__always)
    static func list(of segment: Int) -> SlotLists<UInt32>.ID {
      SlotLists<UInt32>.ID(UInt32(truncatingIfNeeded: segment))
    }

    /// The objects that fill a segment: fewer in a cache that would else have few segments.
    @inlinable
    var mostObjectsNow: Int {
      if used <= 0 { return mostObjects }
      let expected = Double(capacity) * Double(residents) / Double(used)
      return max(1, Int(min(Double(mostObjects), expected / Double(fewestSegments))))
    }

    // MARK: - The chain of segments

    /// Adds a segment to those that are free; the record of one is new if it is the next that there is none of.
    @usableFromInline
    mutating func addFree(_ segment: Int) {
      if segment == segments.count { segments.append(Segment()) }
      segments[segment].newer = free
      free = segment
    }

    /// Takes a free segment; adds some first if there is none.
    @usableFromInline
    mutating func takeFree() -> Int {
      if free == 0 {
        let first = segments.count
        lists.addLists(upTo: max(15, 2 * lists.count))
        for segment in first...lists.count { addFree(segment) }
      }
      let segment = free
      free = segments[segment].newer
      segments[segment] = Segment()
      segments[segment].created = clock
      inUse += 1
      return segment
    }

    /// Makes a free segment the newest.
    @usableFromInline
    mutating func open() {
      let segment = takeFree()
      segments[segment].older = newest
      if newest == 0 {
        oldest = segment
      } else {
        segments[newest].missRatio = missRatio
        segments[newest].newer = segment
      }
      newest = segment
    }

    /// Takes an empty segment out of the chain.
    @usableFromInline
    mutating func release(_ segment: Int) {
      let (older, newer) = (segments[segment].older, segments[segment].newer)
      if older == 0 { oldest = newer } else { segments[older].newer = newer }
      if newer == 0 { newest = older } else { segments[newer].older = older }
      if nextToMerge == segment { nextToMerge = newer }
      if segments[segment].rank >= 0 { ranked[Int(segments[segment].rank)] = 0 }
      if segments[segment].row >= 0 {
        learner.restart(Int(segments[segment].row), now: clock)
      }
      inUse -= 1
      addFree(segment)
    }

    // MARK: - The segments to merge

    /// Returns true if as many segments as are merged follow each other from `segment` on, the newest not among them.
    @usableFromInline
    func canMerge(from segment: Int) -> Bool {
      var next = segment
      for _ in 0..<merged {
        if next == 0 || next == newest { return false }
        next = segments[next].newer
      }
      return true
    }

    /// The segment to merge from while nothing was learned: on in the chain, or from its oldest again.
    @usableFromInline
    mutating func nextInOrder() -> Int {
      var first = nextToMerge
      if first == 0 || !canMerge(from: first) { first = oldest }
      nextToMerge = first
      if canMerge(from: first) {
        for _ in 0..<merged { nextToMerge = segments[nextToMerge].newer }
      }
      return first
    }

    /// The segment of the least utility from which others can be merged; ranks them anew if enough were passed. If there
    /// is none among the first four fifths, the least useful segment.
    @usableFromInline
    mutating func leastUseful() -> Int {
      if Double(position) >= Double(ranked.count) * rankedShare { rank() }
      var least = 0
      while position < ranked.count {
        let segment = Int(ranked[position])
        if segment != 0 {
          if canMerge(from: segment) {
            position += 1
            return segment
          }
          if least == 0 && segment != newest { least = segment }
          if Double(position) > 0.8 * Double(ranked.count) { break }
        }
        position += 1
      }
      position = ranked.count
      return least == 0 ? oldest : least
    }

    // MARK: - Merging

    /// Merges segments into one, which takes their place and keeps the objects of the highest scores; the others leave. A
    /// segment that has too few newer ones is emptied.
    @inlinable
    mutating func merge(from first: Int, host: inout some SlotHost & ~Copyable) {
      let count = canMerge(from: first) ? merged : 1
      gather(from: first, count: count, host: host)
      let total = candidates.count
      let leaving = count == 1 ? total : total - total / merged
      orderCandidates()
      for index in 0..<leaving {
        let victim = candidates[index].number
        if !host.mayEvict(victim) { return releaseEmpty(from: first, count: count) }
        leave(victim, size: host.size(of: victim))
        host.didEvict(victim)
        if objects[victim].row < 0 { host.didForget(victim) }
      }
      if count == 1 { release(first) } else { join(from: first, host: host) }
    }

    /// Scores the objects of `count` segments: the higher, the smaller and the more recently requested an object is.
    @inlinable
    mutating func gather(
      from first: Int, count: Int, host: borrowing some SlotHost & ~Copyable
    ) {
      candidates.removeAll(keepingCapacity: true)
      var segment = first
      for _ in 0..<count {
        var next = lists.back(of: GLCache.list(of: segment))
        while let slot = next {
          next = lists.newer(than: slot)
          let age = Double(max(1, clock - objects[slot].last))
          candidates.append(
            Candidate(
              score: 1 / (Double(max(1, host.size(of: slot))) * age), place: candidates.count,
              number: slot))
        }
        segment = segments[segment].newer
      }
    }

    /// Orders them by rising score; of equals the last leaves first.
    @usableFromInline
    mutating func orderCandidates() {
      candidates.sort { ($0.score, $1.place) < ($1.score, $0.place) }
    }

    /// Takes a resident out of its segment, which may be empty then.
    @inlinable
    mutating func leave(_ slot: Slot, size: Int) {
      lists.remove(slot, size: size)
      residents -= 1
      used -= size
    }

    /// Moves what is left in the segments that are merged into a new one in their place.
    @inlinable
    mutating func join(from first: Int, host: borrowing some SlotHost & ~Copyable) {
      let joined = takeFree()
      let older = segments[first].older
      segments[joined].older = older
      segments[joined].newer = first
      segments[first].older = joined
      if older == 0 { oldest = joined } else { segments[older].newer = joined }
      var ratios: Float = 0
      var segment = first
      for _ in 0..<merged {
        let next = segments[segment].newer
        ratios += segments[segment].missRatio
        while let slot = lists.back(of: GLCache.list(of: segment)) {
          lists.move(slot, toFrontOf: GLCache.list(of: joined), size: host.size(of: slot))
          objects[slot].isActive = false
        }
        release(segment)
        segment = next
      }
      segments[joined].missRatio = ratios / Float(merged)
    }

    /// Takes those of `count` segments out of the chain that have no objects any more.
    @usableFromInline
    mutating func releaseEmpty(from first: Int, count: Int) {
      var segment = first
      for _ in 0..<count {
        let next = segments[segment].newer
        if lists.isEmpty(GLCache.list(of: segment)) { release(segment) }
        segment = next
      }
    }
  }
#endif
