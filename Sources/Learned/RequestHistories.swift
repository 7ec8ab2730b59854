#if Learned
  import EvictionCore

  /// The past of objects as LRB describes it: the time since the last request, the distances between those before it, and
  /// counts of requests that decay exponentially, each with another half-life.
  ///
  /// Time is the number of requests. An object that was requested once takes 16 bytes, another 172 more.
  @usableFromInline package struct RequestHistories: ~Copyable {
    /// The distances that are kept of an object.
    package static let distanceCount = 31
    /// The decayed counts of an object.
    package static let countCount = 10
    /// The shortest half-life is 2¹⁰ requests, and each further one is twice as long.
    package static let shortestHalfLife = 10
    /// The features of a row: the age, the distances, the size, the number of requests in the window, and the counts.
    package static let columns = 1 + distanceCount + 2 + countCount

    // Other modules destroy histories, for which they must see what these are.
    @usableFromInline struct Record: BitwiseCopyable {
      /// The number of the last request.
      var last: Int64 = 0
      /// The place of the distances; `none` after one request.
      var past = RequestHistories.none
      /// The first of the pending samples, or `none`.
      var sample = RequestHistories.none
    }

    @usableFromInline struct Past: BitwiseCopyable {
      /// The number of distances.
      var count: UInt8 = 0
      /// The place of the newest distance; older ones follow, the first place after the last.
      var newest: UInt8 = 0
    }

    @usableFromInline struct Sample: BitwiseCopyable {
      /// The object's age when it was drawn.
      var age: UInt32
      var next: UInt32
    }

    @usableFromInline static let none = UInt32.max

    @usableFromInline var records: SlotArray<Record>
    @usableFromInline var pasts: [Past] = []
    /// Of each past `distanceCount`.
    private var distances: [Float] = []
    /// Of each past `countCount`.
    private var counts: [Float] = []
    private var freePasts: [UInt32] = []
    @usableFromInline var samples: [Sample] = []
    private var freeSamples: [UInt32] = []

    package init(slots: Int) { records = SlotArray(repeating: Record(), slots: slots) }

    package mutating func reserve(slots: Int) { records.reserve(slots: slots) }

    /// The number of the last request of `slot`.
    @usableFromInline
    package func lastRequest(of slot: Slot) -> Int64 { records[slot].last }

    /// The object in `slot`, of which nothing is known, is requested.
    @usableFromInline
    package mutating func begin(_ slot: Slot, at time: Int64) {
      records[slot] = Record(last: time)
    }

    /// The object in `slot` is requested again.
    package mutating func request(_ slot: Slot, at time: Int64) {
      let elapsed = time - records[slot].last
      records[slot].last = time
      var past = Int(records[slot].past)
      let isFirst = records[slot].past == RequestHistories.none
      if isFirst {
        past = newPast()
        records[slot].past = UInt32(past)
      }
      let newest =
        (Int(pasts[past].newest) + RequestHistories.distanceCount - 1)
        % RequestHistories.distanceCount
      pasts[past].newest = UInt8(newest)
      pasts[past].count = min(pasts[past].count + 1, UInt8(RequestHistories.distanceCount))
      distances[past * RequestHistories.distanceCount + newest] = Float(elapsed)
      for number in 0..<RequestHistories.countCount {
        let index = past * RequestHistories.countCount + number
        let former = isFirst ? 1 : counts[index]
        counts[index] = former * RequestHistories.decay(over: elapsed, number) + 1
      }
    }

    /// Forgets what is known of `slot`, and its samples.
    package mutating func forget(_ slot: Slot) {
      while takeSample(of: slot) != nil {}
      if records[slot].past != RequestHistories.none { freePasts.append(records[slot].past) }
      records[slot] = Record()
    }

    package mutating func removeAll() {
      records.removeAll()
      pasts.removeAll()
      distances.removeAll()
      counts.removeAll()
      freePasts.removeAll()
      samples.removeAll()
      freeSamples.removeAll()
    }

    /// Draws `slot` as a row of a later training.
    package mutating func sample(_ slot: Slot, at time: Int64) {
      let age = UInt32(clamping: time - records[slot].last)
      let sample = Sample(age: age, next: records[slot].sample)
      if let free = freeSamples.popLast() {
        samples[Int(free)] = sample
        records[slot].sample = free
      } else {
        records[slot].sample = UInt32(samples.count)
        samples.append(sample)
      }
    }

    /// Takes the latest sample of `slot`, and returns the object's age at it; nil if there is none.
    package mutating func takeSample(of slot: Slot) -> Int64? {
      let index = records[slot].sample
      if index == RequestHistories.none { return nil }
      records[slot].sample = samples[Int(index)].next
      freeSamples.append(index)
      return Int64(samples[Int(index)].age)
    }

    /// Writes the features of `slot` as they were `age` requests after its last one; what it lacks is NaN.
    package func write(
      _ slot: Slot, age: Int64, size: Int, window: Int64, to row: UnsafeMutablePointer<Float>
    ) {
      let record = records[slot]
      let isFirst = record.past == RequestHistories.none
      let past = isFirst ? 0 : Int(record.past)
      let count = isFirst ? 0 : Int(pasts[past].count)
      row[0] = Float(age)
      row[1 + RequestHistories.distanceCount] = Float(size)
      row[2 + RequestHistories.distanceCount] = Float(
        writeDistances(of: past, count: count, window: Float(window), to: row + 1))
      let decayed = row + 3 + RequestHistories.distanceCount
      for number in 0..<RequestHistories.countCount {
        let counted = isFirst ? 1 : counts[past * RequestHistories.countCount + number]
        decayed[number] = counted * RequestHistories.decay(over: age, number)
      }
    }

    /// Writes the distances of `past`, the newest first, and NaN for those that it lacks.
    ///
    /// - Returns: The number of the newest whose sum is less than the window.
    private func writeDistances(
      of past: Int, count: Int, window: Float, to row: UnsafeMutablePointer<Float>
    ) -> Int {
      if count > 0 {
        let newest = Int(pasts[past].newest)
        let behind = min(count, RequestHistories.distanceCount - newest)
        distances.withUnsafeBufferPointer { distances in
          guard let base = distances.baseAddress else { return }
          let first = base + past * RequestHistories.distanceCount
          row.update(from: first + newest, count: behind)
          (row + behind).update(from: first, count: count - behind)
        }
      }
      (row + count).update(repeating: .nan, count: RequestHistories.distanceCount - count)
      var sum: Float = 0
      var within = 0
      while within < count {
        sum += row[within]
        if sum >= window { break }
        within += 1
      }
      return within
    }

    /// Passes on what is known.
    package mutating func visitState(_ state: inout PolicyState) {
      records.visitState(&state)
      state.visit(&pasts)
      state.visit(&distances)
      state.visit(&counts)
      state.visit(&freePasts)
      state.visit(&samples)
      state.visit(&freeSamples)
      let most = RequestHistories.distanceCount
      if distances.count != most * pasts.count
        || pasts.contains(where: { $0.count > most || $0.newest >= most })
      {
        state.refuse()
      }
    }

    /// The factor of decayed count `number` over a time: half for each whole half-life.
    private static func decay(over time: Int64, _ number: Int) -> Float {
      let halves = UInt32(min(time >> Int64(shortestHalfLife + number), 120))
      return Float(bitPattern: (127 - halves) << 23)
    }

    private mutating func newPast() -> Int {
      if let free = freePasts.popLast() {
        pasts[Int(free)] = Past()
        return Int(free)
      }
      pasts.append(Past())
      distances.append(contentsOf: repeatElement(0, count: RequestHistories.distanceCount))
      counts.append(contentsOf: repeatElement(0, count: RequestHistories.countCount))
      return pasts.count - 1
    }
  }
#endif
