#if Learned
  import EvictionCore
  import Parameters

  extension ThreeLCache {
    /// Picks candidates, of the newcomers that are too many and of the list, and predicts them. Half of them are evicted
    /// before more are picked.
    @inlinable
    mutating func pickCandidates(host: borrowing some SlotHost & ~Copyable) {
      if scan.length == 0 { beginRound() }
      pickNewcomers(host: host)
      if newcomers.size(of: .first) <= part(scan.newcomerPercent &* 10) { pickFromList(host: host) }
      predictPicked()
      evictionsDue = picked.count / 2
      picked.removeAll(keepingCapacity: true)
    }

    /// Returns a part of what the residents take.
    @inlinable
    func part(_ percent: Int) -> Int {
      let (hundredths, rest) = lists.size(of: .first).quotientAndRemainder(dividingBy: 100)
      return hundredths &* percent &+ rest &* percent / 100
    }

    /// Picks the oldest newcomers while all take more than their part of the cache.
    @inlinable
    mutating func pickNewcomers(host: borrowing some SlotHost & ~Copyable) {
      let room = part(scan.newcomerPercent)
      while newcomers.size(of: .first) > room && picked.count < scan.step &* 3 / 2,
        let newcomer = newcomers.back(of: .first)
      {
        let size = host.size(of: newcomer)
        newcomers.remove(newcomer, size: size)
        if !host.isPinned(newcomer) { pick(newcomer, size: size) }
      }
    }

    /// Picks of the list, from where the last scan ended: all of the least recent part, beyond it the rarely requested.
    @inlinable
    mutating func pickFromList(host: borrowing some SlotHost & ~Copyable) {
      var taken = 0
      var rounds = 0
      var last: Slot?
      while taken < scan.step && picked.count < scan.length,
        let slot = scan.place ?? lists.back(of: .first)
      {
        let old = scan.length &* scan.oldPercent / 100
        if scan.old.picked == 0 && scan.passed > old {
          scan.old = scan.current
          scan.current = Yield()
        }
        let isPicked =
          countsObjects || scan.passed <= old &+ 2
          || Int(histories[slot].frequency) <= scan.highestFrequency
        if isPicked && !host.isPinned(slot) {
          pick(slot, size: host.size(of: slot))
          last = slot
          taken &+= 1
        }
        scan.passed &+= 1
        if scan.passed < scan.length {
          scan.place = lists.newer(than: slot)
          continue
        }
        // Where all are pinned, no round finds a candidate.
        rounds &+= 1
        beginRound()
        taken = 0
        if rounds > 2 { break }
      }
      if let last { scan.reached = histories[last].lastRequest }
      scan.current.picked &+= scan.step
    }

    /// Begins a round of the scan of the list at the least recent, without candidates, and adapts the parts of both scans.
    @usableFromInline
    mutating func beginRound() {
      let isFirst = scan.length == 0
      scan.length = lists.count(of: .first)
      scan.step = scan.length > 2 ? min(mostPicked, scan.length / 100 + 2) : 1
      scan.place = nil
      scan.passed = 0
      candidates.removeAll()
      if !countsObjects && !isFirst { scan.adapt(newcomers: newcomers.count(of: .first)) }
    }

    @usableFromInline
    mutating func pick(_ slot: Slot, size: Int) {
      picked.append(slot)
      histories[slot].append(to: &rows, at: clock, size: size)
    }

    /// Makes the picked residents candidates by the predicted times of their next requests.
    @usableFromInline
    mutating func predictPicked() {
      guard isTrained && !picked.isEmpty else { return }
      let start = ContinuousClock.now
      values.resize(to: picked.count)
      let (rowValues, predictions) = (rows.values, values.mutableValues)
      trees.predict(rowValues, columns: History.columns, into: predictions)
      for (place, slot) in picked.enumerated() {
        let distance = PortableMath.exp(Double(predictions[place] + meanLabel))
        let size = Double(rowValues[place * History.columns + 4])
        // Since a training, candidates are compared that were predicted at different times.
        let next = countsObjects ? size * distance : distance + Double(clock - trained)
        let prediction = Prediction(
          next: min(Float(next), .greatestFiniteMagnitude),
          lastRequest: histories[slot].lastRequest)
        if candidates.contains(slot) {
          candidates.update(slot, priority: prediction)
        } else {
          candidates.insert(slot, priority: prediction)
        }
      }
      costs.addPrediction(rows: picked.count, since: start)
      rows.removeAll()
    }
  }

  extension ThreeLCache.Scan {
    /// Adapts to the evictions of a round: the part of which all are picked, the frequency of what is picked beyond it, and
    /// the part of newcomers.
    mutating func adapt(newcomers: Int) {
      adaptFrequency()
      if old.evicted * current.picked > current.evicted * old.picked {
        oldPercent = min(oldPercent + 1, 100)
      } else {
        oldPercent = max(oldPercent - 1, 1)
      }
      if current.evicted + old.evicted > newcomers {
        newcomerPercent = min(newcomerPercent + 1, 100)
      } else {
        newcomerPercent = max(newcomerPercent / 2, 1)
      }
      (old, current) = (.init(), .init())
      for power in 0..<16 { evictedFrequencies[power] = 0 }
    }

    /// Makes the highest frequency that of 99 % of the evictions, within its power of two in proportion.
    private mutating func adaptFrequency() {
      let wanted = 0.99 * Double(evictedFrequencies.reduce(0, +))
      var below = 0.0
      for power in 0..<16 {
        let count = Double(evictedFrequencies[power])
        if below + count < wanted {
          below += count
          continue
        }
        if power == 0 || count == 0 {
          highestFrequency = 1
        } else {
          let half = Double(1 << (power - 1))
          highestFrequency = Int(half + (half * (wanted - below) / count).rounded(.up))
        }
        return
      }
    }
  }
#endif
