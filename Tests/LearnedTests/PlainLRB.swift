#if Learned
  import EvictionCore
  import Learned
  import Parameters

  /// LRB written plainly: arrays, searches, and the times of all requests of an object.
  final class PlainLRB {
    private struct Object {
      var times: [Int64]
      /// The ages at which it was drawn.
      var samples: [Int64] = []
      var last: Int64 { times[times.count - 1] }
    }

    private(set) var evicted: [Slot] = []
    private(set) var hits: [Bool] = []
    private(set) var trainings = 0
    /// The labels of the last training, and the predictions of the last eviction that compared some.
    private(set) var trainedLabels: [Float] = []
    private(set) var predictions: [Float] = []

    private let capacity: Int
    private let batch: Int
    private let sample: Int
    private let weighsSize: Bool
    private let seed: UInt64
    private var generator: SplitMix64
    private var sizes: [Slot: Int] = [:]
    /// In the order of an array whose last element takes the place of one that leaves.
    private var residents: [Slot] = []
    private var ghosts: [Slot] = []
    private var objects: [Slot: Object] = [:]
    private var clock: Int64 = 0
    private var window: Int64 = 0
    private var features: [Float] = []
    private var labels: [Float] = []
    private var trees = GradientBoostedTrees()

    init(capacity: Int, batch: Int, sample: Int = 64, weighsSize: Bool = true, seed: UInt64) {
      (self.capacity, self.batch, self.sample) = (capacity, batch, sample)
      self.weighsSize = weighsSize
      self.seed = seed
      generator = SplitMix64(seed: seed)
    }

    func request(_ slot: Slot, size: Int) {
      clock += 1
      forgetGhosts()
      let isHit = residents.contains(slot)
      hits.append(isHit)
      if objects[slot] != nil {
        label(slot) { $0 }
        objects[slot]?.times.append(clock)
      }
      drawSample()
      if isHit { return }
      while residents.reduce(0, { $0 + sizes[$1, default: 0] }) + size > capacity { evict() }
      if objects[slot] == nil { objects[slot] = Object(times: [clock]) }
      PlainLRB.remove(slot, from: &ghosts)
      residents.append(slot)
      sizes[slot] = size
    }

    /// Forgets the ghosts that were last requested a window ago, the earliest first.
    private func forgetGhosts() {
      if window == 0 { return }
      let old = ghosts.filter { clock - last($0) >= window }.sorted { last($0) < last($1) }
      for slot in old {
        label(slot) { _ in 2 * window }
        PlainLRB.remove(slot, from: &ghosts)
        objects[slot] = nil
      }
    }

    private func evict() {
      if window == 0 { window = max(1, Int64(8 * residents.count)) }
      let victim = victim()
      evicted.append(victim)
      PlainLRB.remove(victim, from: &residents)
      let age = clock - last(victim)
      if age >= window {
        label(victim) { _ in age + window }
        objects[victim] = nil
      } else {
        ghosts.append(victim)
      }
    }

    private func victim() -> Slot {
      let oldest = residents.min { last($0) < last($1) } ?? 0
      if !trees.isTrained || clock - last(oldest) >= window { return oldest }
      let candidates =
        residents.count <= sample
        ? residents
        : (0..<sample).map { _ in residents[generator.index(below: residents.count)] }
      predictions = predict(candidates.flatMap { row($0, age: clock - last($0)) })
      let weighed = zip(candidates, predictions).map {
        $1 * (weighsSize ? Float(sizes[$0, default: 0]) : 1)
      }
      return candidates[weighed.firstIndex(of: weighed.max() ?? 0) ?? 0]
    }

    /// Gives the samples of an object labels, each that of the time since it; trains once there are enough.
    private func label(_ slot: Slot, distance: (Int64) -> Int64) {
      for age in (objects[slot]?.samples ?? []).reversed() {
        labels.append(Float(PortableMath.logOnePlus(Double(distance(clock - last(slot) - age)))))
        features += row(slot, age: age)
      }
      objects[slot]?.samples = []
      if labels.count < batch { return }
      trees = GradientBoostedTrees(
        features: features, columns: RequestHistories.columns, labels: labels,
        TreeParameters(
          objective: .squaredError, rounds: 4, leaves: 32, depth: 6, learningRate: 0.1, bins: 32,
          subsample: 0.8, featureSubsample: 0.8, minimumRowsPerLeaf: 20, seed: seed))
      trainings += 1
      trainedLabels = labels
      (features, labels) = ([], [])
    }

    private func drawSample() {
      let known = residents + ghosts
      if evicted.isEmpty || known.isEmpty { return }
      let slot = known[generator.index(below: known.count)]
      let age = clock - last(slot)
      objects[slot]?.samples.append(age)
    }

    private func last(_ slot: Slot) -> Int64 { objects[slot]?.last ?? 0 }

    private func row(_ slot: Slot, age: Int64) -> [Float] {
      RequestHistoriesTests.features(
        objects[slot]?.times ?? [], age: age, size: sizes[slot, default: 0], window: window)
    }

    private func predict(_ rows: [Float]) -> [Float] {
      var values = [Float](repeating: 0, count: rows.count / RequestHistories.columns)
      rows.withUnsafeBufferPointer { rows in
        values.withUnsafeMutableBufferPointer {
          trees.predict(rows, columns: RequestHistories.columns, into: $0)
        }
      }
      return values
    }

    private static func remove(_ slot: Slot, from slots: inout [Slot]) {
      guard let index = slots.firstIndex(of: slot) else { return }
      slots[index] = slots[slots.count - 1]
      slots.removeLast()
    }
  }
#endif
