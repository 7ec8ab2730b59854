#if Learned
  import EvictionCore

  extension GLCache {
    /// Sets the miss ratio that segments get when they are full: that of the requests since it was last set.
    @usableFromInline
    mutating func updateMissRatio() {
      missRatio = Float(misses) / Float(clock - lastRatio)
      misses = 0
      lastRatio = clock
    }

    /// Trains on the snapshot and what was requested since; ghosts are forgotten, and another snapshot is taken.
    @inlinable
    mutating func learn(host: inout some SlotHost & ~Copyable) {
      for slot in 0..<Slot(objects.slots) where objects[slot].row >= 0 {
        objects[slot].row = -1
        if lists.owner(of: slot) == .none { host.didForget(slot) }
      }
      train()
      takeSnapshot()
    }

    @usableFromInline
    mutating func train() { learner.train() }

    /// Notes the features of the segments, all but the newest: evenly chosen ones if there are too many.
    @usableFromInline
    mutating func takeSnapshot() {
      lastTraining = clock
      learner.beginSnapshot()
      let step = max(1, Double(inUse) / Double(SegmentLearner.mostRows))
      var credit = 0.0
      var segment = oldest
      while segment != 0 {
        segments[segment].row = -1
        credit += 1
        if credit >= step && segment != newest {
          credit -= step
          addToSnapshot(segment)
        }
        segment = segments[segment].newer
      }
    }

    private mutating func addToSnapshot(_ segment: Int) {
      let list = GLCache.list(of: segment)
      let spared = segments[segment].wasChosen ? 0 : lists.count(of: list) / merged
      let row = learner.addToSnapshot(features(of: segment), spared: spared, now: clock)
      segments[segment].wasChosen = true
      segments[segment].row = row
      var next = lists.back(of: list)
      while let slot = next {
        objects[slot].row = row
        next = lists.newer(than: slot)
      }
    }

    private func features(of segment: Int) -> SegmentFeatures {
      let list = GLCache.list(of: segment)
      let (size, count) = (lists.size(of: list), lists.count(of: list))
      let (record, age) = (segments[segment], clock - segments[segment].created)
      return SegmentFeatures(
        age: age, meanSize: Double(size) / Double(max(1, count)), hits: record.hits,
        active: record.active, missRatio: record.missRatio)
    }

    /// Orders all segments by the utility that the model predicts for them, and their sizes; of equals the older comes
    /// first.
    @usableFromInline
    mutating func rank() {
      learner.beginPrediction()
      candidates.removeAll(keepingCapacity: true)
      var segment = oldest
      while segment != 0 {
        learner.addToPrediction(features(of: segment))
        candidates.append(
          Candidate(score: 0, place: candidates.count, number: UInt32(segment)))
        segment = segments[segment].newer
      }
      learner.predict()
      for index in candidates.indices {
        let size = Double(max(1, lists.size(of: GLCache.list(of: Int(candidates[index].number)))))
        let prediction = learner.prediction(index)
        candidates[index].score = prediction > 0 ? prediction / size : prediction * size
      }
      candidates.sort { ($0.score, $0.place) < ($1.score, $1.place) }
      ranked.removeAll(keepingCapacity: true)
      for candidate in candidates {
        segments[Int(candidate.number)].rank = Int32(ranked.count)
        ranked.append(candidate.number)
      }
      position = 0
    }
  }
#endif
