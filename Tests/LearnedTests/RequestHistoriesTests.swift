#if Learned
  import EvictionCore
  import Learned
  import Testing

  /// The features of LRB, kept in flat arrays, against those that are computed from every past request.
  @Suite("The histories of requests")
  struct RequestHistoriesTests {
    @Test("give the features that all past requests of the object give", arguments: UInt64(0)..<4)
    func featuresAgree(seed: UInt64) {
      var generator = SplitMix64(seed: seed)
      var histories = RequestHistories(slots: 16)
      var past: [Slot: [Int64]] = [:]
      var samples: [Slot: [Int64]] = [:]
      let window: Int64 = 400
      let row = UnsafeMutablePointer<Float>.allocate(capacity: RequestHistories.columns)
      defer { row.deallocate() }
      for step in 1...4_000 {
        // Now and then a long pause, so that counts decay.
        let time = Int64(step) + Int64(step / 1_000) * 5_000
        let slot = Slot(min(generator.index(below: 16), generator.index(below: 16)))
        let choice = generator.index(below: 20)
        if choice == 0, past[slot] != nil {
          histories.forget(slot)
          past[slot] = nil
          samples[slot] = nil
        } else if choice == 1, let last = past[slot]?.last {
          histories.sample(slot, at: time)
          samples[slot, default: []].append(time - last)
        } else {
          while let age = histories.takeSample(of: slot) {
            let expected = samples[slot]?.popLast()
            #expect(expected == age)
          }
          #expect(samples[slot, default: []].isEmpty)
          if past[slot] == nil {
            histories.begin(slot, at: time)
          } else {
            histories.request(slot, at: time)
          }
          past[slot, default: []].append(time)
        }
        guard let times = past[slot] else { continue }
        let last = histories.lastRequest(of: slot)
        #expect(last == times.last)
        let age = Int64(generator.index(below: 3_000))
        histories.write(slot, age: age, size: 9, window: window, to: row)
        let features = Array(UnsafeBufferPointer(start: row, count: RequestHistories.columns))
        let expected = Self.features(times, age: age, size: 9, window: window)
        #expect(features.map(\.bitPattern) == expected.map(\.bitPattern), "step \(step)")
        if features.map(\.bitPattern) != expected.map(\.bitPattern) { return }
      }
    }

    /// The features of an object from the times of its requests.
    static func features(
      _ times: [Int64], age: Int64, size: Int, window: Int64
    ) -> [Float] {
      let distances = zip(times.dropFirst(), times).map { $0 - $1 }
      let latest = Array(distances.reversed().prefix(31))
      let padded = latest.map { Float($0) } + Array(repeating: Float.nan, count: 31 - latest.count)
      var sums: [Float] = []
      for distance in latest { sums.append((sums.last ?? 0) + Float(distance)) }
      let within = sums.filter { $0 < Float(window) }.count
      let counts = (0..<10).map { number in
        var count: Float = 1
        for distance in distances { count = count * decay(distance, number) + 1 }
        return count * decay(age, number)
      }
      return [Float(age)] + padded + [Float(size), Float(within)] + counts
    }

    private static func decay(_ time: Int64, _ number: Int) -> Float {
      (0..<min(120, time / (1_024 << Int64(number)))).reduce(Float(1)) { factor, _ in factor / 2 }
    }
  }
#endif
