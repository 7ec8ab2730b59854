#if Learned
  import Eviction
  import Learned
  import Parameters

  /// 3L-Cache written plainly: arrays, searches, and the times of all requests of an object.
  final class PlainThreeLCache {
    private struct Object {
      var times: [Int64]
      var sampled: Int64 = 0
    }

    private(set) var evicted: [Slot] = []
    private(set) var trainings = 0
    private let capacity: Int
    private let batch: Int
    private let countsObjects: Bool
    private var sizes: [Slot: Int] = [:]
    /// The least recent first; of ghosts and newcomers the oldest.
    private var residents: [Slot] = []
    private var ghosts: [Slot] = []
    private var newcomers: [Slot] = []
    private var known: [Slot] = []
    private var objects: [Slot: Object] = [:]
    private var candidates: [Slot: Float] = [:]
    private var generator: SplitMix64
    private let seed: UInt64
    private var clock: Int64 = 0
    private var trees: GradientBoostedTrees?
    private var meanLabel: Float = 0
    private var trained: Int64 = 0
    private var features: [Float] = []
    private var labels: [Float] = []
    private var evictionsDue = 0
    // The scan.
    private var place: Slot?
    private var (length, passed, step) = (0, 0, 1)
    private var (oldPercent, newcomerPercent, highestFrequency) = (1, 2, 1)
    private var old = (evicted: 0, picked: 0)
    private var current = (evicted: 0, picked: 0)
    private var reached: Int64 = 0
    private var evictedFrequencies: [Int] = []
    // The window.
    private var width = 2
    private var isFull = false
    private var (requests, hits, ghostHits) = (0, 0, 0)
    private var (longestWait, boundary): (Int64, Int64) = (0, 0)

    init(capacity: Int, batch: Int, countsObjects: Bool, seed: UInt64) {
      (self.capacity, self.batch, self.countsObjects) = (capacity, batch, countsObjects)
      self.seed = seed
      generator = SplitMix64(seed: seed)
    }

    private func size(of slots: [Slot]) -> Int { slots.reduce(0) { $0 + sizes[$1]! } }

    /// Returns true if the request hits.
    func request(_ slot: Slot, size: Int) -> Bool {
      clock += 1
      let (isHit, isGhost) = (residents.contains(slot), ghosts.contains(slot))
      if isFull {
        requests += 1
        if isHit { hits += 1 }
        if isGhost { ghostHits += 1 }
      }
      if isHit || isGhost {
        learn(slot)
        objects[slot]!.times.append(clock)
      }
      if isHit {
        candidates[slot] = nil
        leavePlace(slot)
        residents.removeAll { $0 == slot }
        residents.append(slot)
      }
      if isGhost {
        ghosts.removeAll { $0 == slot }
        ghosts.append(slot)
      }
      if !evicted.isEmpty && !known.isEmpty {
        let drawn = known[generator.index(below: known.count)]
        if objects[drawn]!.sampled == 0 { objects[drawn]!.sampled = clock }
      }
      while ghosts.count >= residents.count * (width - 1) + 2 { forgetOldestGhost() }
      if isHit { return true }
      while self.size(of: residents) + size > capacity { evict() }
      if isGhost {
        ghosts.removeAll { $0 == slot }
      } else {
        known.append(slot)
        objects[slot] = Object(times: [clock])
      }
      sizes[slot] = size
      residents.append(slot)
      if trees != nil { newcomers.append(slot) }
      return false
    }

    private func learn(_ slot: Slot) {
      let sampled = objects[slot]!.sampled
      if sampled == 0 { return }
      if takesSample() { addRow(slot, distance: clock - sampled) }
      objects[slot]!.sampled = 0
    }

    private func takesSample() -> Bool { trees == nil || generator.next() % 4 == 0 }

    private func forgetOldestGhost() {
      let ghost = ghosts.removeFirst()
      isFull = true
      if objects[ghost]!.sampled != 0 && takesSample() {
        let waited = clock - objects[ghost]!.times.last!
        longestWait = max(longestWait, waited)
        addRow(ghost, distance: boundary + waited)
      }
      let position = known.firstIndex(of: ghost)!
      known[position] = known.last!
      known.removeLast()
      objects[ghost] = nil
    }

    /// The age, the last three intervals, the size and the frequency.
    private func row(_ slot: Slot, at time: Int64) -> [Float] {
      let times = objects[slot]!.times
      var row = [Float(time - times.last!)]
      for back in 1...3 {
        let last = times.count - back
        row.append(last > 0 ? Float(times[last] - times[last - 1]) : .nan)
      }
      return row + [Float(sizes[slot]!), Float(times.count)]
    }

    private func addRow(_ slot: Slot, distance: Int64) {
      features += row(slot, at: objects[slot]!.sampled)
      labels.append(Float(PortableMath.logOnePlus(Double(distance))))
      if labels.count >= batch && evictionsDue <= 0 { train() }
    }

    private func train() {
      trainings += 1
      meanLabel = Float(labels.reduce(0.0) { $0 + Double($1) } / Double(labels.count))
      labels = labels.map { $0 - meanLabel }
      features.withUnsafeBufferPointer { features in
        labels.withUnsafeBufferPointer { labels in
          trees = GradientBoostedTrees(
            features: features, columns: 6, labels: labels,
            TreeParameters(
              objective: .squaredError, rounds: 16, leaves: 32, depth: 0, learningRate: 0.1,
              subsample: 0.8, featureSubsample: 0.8, minimumRowsPerLeaf: 20, seed: seed))
        }
      }
      (features, labels, candidates) = ([], [], [:])
      trained = clock
      boundary = longestWait
      if isFull && requests > 16 * batch {
        let worth = Double(ghostHits) > 0.01 * Double(hits * (width - 1))
        if worth && width < 6 && width - 1 < (requests - hits) / ghostHits {
          width += 1
          isFull = false
        }
        (requests, hits, ghostHits) = (0, 0, 0)
      }
    }

    private func evict() {
      var victim = residents[0]
      if trees != nil {
        if evictionsDue <= 0 || candidates.isEmpty { pickCandidates() }
        let farthest = candidates.max {
          ($0.value, -objects[$0.key]!.times.last!) < ($1.value, -objects[$1.key]!.times.last!)
        }
        if let farthest {
          victim = farthest.key
          let object = objects[victim]!
          evictedFrequencies.append(object.times.count)
          if object.times.last! <= reached { current.evicted += 1 }
        }
      }
      evictionsDue -= 1
      leavePlace(victim)
      candidates[victim] = nil
      residents.removeAll { $0 == victim }
      newcomers.removeAll { $0 == victim }
      ghosts.append(victim)
      evicted.append(victim)
    }

    private func leavePlace(_ slot: Slot) {
      if place == slot { place = newer(than: slot) }
    }

    private func newer(than slot: Slot) -> Slot? {
      let position = residents.firstIndex(of: slot)! + 1
      return position < residents.count ? residents[position] : nil
    }

    private func pickCandidates() {
      if length == 0 { beginRound() }
      let used = size(of: residents)
      var picked: [Slot] = []
      while size(of: newcomers) > used * newcomerPercent / 100 && picked.count < step * 3 / 2 {
        picked.append(newcomers.removeFirst())
      }
      if size(of: newcomers) <= used * newcomerPercent / 10 {
        var taken = 0
        var rounds = 0
        var last: Slot?
        while taken < step && picked.count < length && rounds <= 2 {
          let slot = place ?? residents[0]
          let all = length * oldPercent / 100
          if old.picked == 0 && passed > all { (old, current) = (current, (0, 0)) }
          if countsObjects || passed <= all + 2 || objects[slot]!.times.count <= highestFrequency {
            picked.append(slot)
            last = slot
            taken += 1
          }
          passed += 1
          if passed < length {
            place = newer(than: slot)
          } else {
            rounds += 1
            beginRound()
            taken = 0
          }
        }
        if let last { reached = objects[last]!.times.last! }
        current.picked += step
      }
      predict(picked)
      evictionsDue = picked.count / 2
    }

    private func beginRound() {
      let isFirst = length == 0
      length = residents.count
      step = length > 2 ? min(1024, length / 100 + 2) : 1
      (place, passed, candidates) = (nil, 0, [:])
      if countsObjects || isFirst { return }
      adaptFrequency()
      oldPercent += old.evicted * current.picked > current.evicted * old.picked ? 1 : -1
      oldPercent = min(max(oldPercent, 1), 100)
      let found = current.evicted + old.evicted > newcomers.count
      newcomerPercent = found ? min(newcomerPercent + 1, 100) : max(newcomerPercent / 2, 1)
      (old, current, evictedFrequencies) = ((0, 0), (0, 0), [])
    }

    private func adaptFrequency() {
      func count(below frequency: Int) -> Double {
        Double(evictedFrequencies.count { $0 < frequency })
      }
      let wanted = 0.99 * Double(evictedFrequencies.count)
      var power = 1
      while count(below: 2 * power) < wanted { power *= 2 }
      let inside = count(below: 2 * power) - count(below: power)
      let half = Double(power / 2)
      highestFrequency =
        power == 1 || inside == 0
        ? 1 : Int(half + (half * (wanted - count(below: power)) / inside).rounded(.up))
    }

    private func predict(_ picked: [Slot]) {
      guard !picked.isEmpty else { return }
      let rows = picked.flatMap { row($0, at: clock) }
      var values = [Float](repeating: 0, count: picked.count)
      rows.withUnsafeBufferPointer { rows in
        values.withUnsafeMutableBufferPointer { values in
          trees!.predict(rows, columns: 6, into: values)
        }
      }
      for (slot, value) in zip(picked, values) {
        let distance = PortableMath.exp(Double(value + meanLabel))
        candidates[slot] = Float(
          countsObjects
            ? Double(sizes[slot]!) * distance : distance + Double(clock - trained))
      }
    }
  }
#endif
