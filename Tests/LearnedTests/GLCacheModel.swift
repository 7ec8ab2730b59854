#if Learned
  import Learned

  /// GL-Cache without sizes as one would write it down: arrays that are searched, and features counted from what each
  /// object remembers.
  struct GLCacheModel: ~Copyable {
    struct Object {
      var key: Int
      var last: Int
      var isActive = false
      /// The row of its next request, if its segment of the snapshot is another or gone.
      var row: Int?
    }

    struct Segment {
      var objects: [Object] = []
      var created = 0
      var hits = 0
      var missRatio: Float = 0
      var row: Int?
      var wasChosen = false
      var number = 0
    }

    struct Row {
      var features: [Float]
      var spared: Int
      var since: Int
      var sum = 0.0
      var utility = 0.0
    }

    let capacity: Int
    let objects: Int
    let segments: Int
    let rank: Double
    let retrain: Int
    let merged = 2

    private var chain: [Segment] = []
    private var ghosts: [Int: Int] = [:]
    private var rows: [Row] = []
    private var hasSnapshot = false
    private var isTrained = false
    private var trees = GradientBoostedTrees()
    private var clock = 0
    private var lastTraining = 0
    private var missRatio: Float = 0.5
    private var misses = 0
    private var lastRatio = 0
    private var opened = 0
    private var next: Int?
    private var ranked: [Int] = []
    private var position = 0
    private(set) var trainings = 0
    private(set) var hits = 0

    init(capacity: Int, objects: Int, segments: Int, rank: Double, retrain: Int) {
      self.capacity = capacity
      self.objects = objects
      self.segments = segments
      self.rank = rank
      self.retrain = retrain
    }

    var residents: Set<Int> { Set(chain.flatMap { $0.objects.map(\.key) }) }

    mutating func request(_ key: Int) {
      clock += 1
      for segment in chain.indices {
        guard let index = chain[segment].objects.firstIndex(where: { $0.key == key }) else {
          continue
        }
        hits += 1
        chain[segment].hits += 1
        chain[segment].objects[index].isActive = true
        chain[segment].objects[index].last = clock
        if let row = chain[segment].row ?? chain[segment].objects[index].row { credit(row) }
        chain[segment].objects[index].row = nil
        return
      }
      insert(key)
    }

    private mutating func insert(_ key: Int) {
      misses += 1
      if let row = ghosts.removeValue(forKey: key) { credit(row) }
      if clock - lastRatio > 10_000 {
        missRatio = Float(misses) / Float(clock - lastRatio)
        misses = 0
        lastRatio = clock
      }
      if hasSnapshot && clock - lastTraining > retrain {
        train()
        takeSnapshot()
      }
      while residents.count >= capacity { evict() }
      let most = residents.isEmpty ? objects : max(1, min(objects, capacity / segments))
      if chain.isEmpty || chain[chain.count - 1].objects.count >= most {
        if !chain.isEmpty { chain[chain.count - 1].missRatio = missRatio }
        chain.append(newSegment())
      }
      chain[chain.count - 1].objects.append(Object(key: key, last: clock))
    }

    private mutating func newSegment() -> Segment {
      opened += 1
      var segment = Segment()
      segment.created = clock
      segment.number = opened
      return segment
    }

    private mutating func credit(_ row: Int) {
      if rows[row].spared > 0 {
        rows[row].spared -= 1
      } else {
        rows[row].sum += 1 / Double(clock - rows[row].since)
        rows[row].utility = rows[row].sum
      }
    }

    private func features(of segment: Segment) -> [Float] {
      [
        Float(clock - segment.created), 1, Float(segment.hits),
        Float(segment.objects.count(where: \.isActive)), segment.missRatio,
      ]
    }

    private mutating func takeSnapshot() {
      lastTraining = clock
      hasSnapshot = true
      rows = []
      ghosts = [:]
      for segment in chain.indices {
        chain[segment].row = nil
        for index in chain[segment].objects.indices { chain[segment].objects[index].row = nil }
        if segment == chain.count - 1 { continue }
        let spared = chain[segment].wasChosen ? 0 : chain[segment].objects.count / merged
        rows.append(
          Row(features: features(of: chain[segment]), spared: spared, since: clock - 1))
        chain[segment].wasChosen = true
        chain[segment].row = rows.count - 1
        for index in chain[segment].objects.indices {
          chain[segment].objects[index].row = rows.count - 1
        }
      }
    }

    private mutating func train() {
      let utilities = rows.map(\.utility)
      guard let lowest = utilities.min(), let highest = utilities.max() else { return }
      let scale = highest > lowest ? 1 / (highest - lowest) : 0
      let labels = utilities.map { Float(($0 - lowest) * scale) }
      let parameters = TreeParameters(
        objective: .squaredError, rounds: 20, leaves: 0, depth: 6, learningRate: 0.3, subsample: 1,
        seed: 42)
      rows.flatMap(\.features).withUnsafeBufferPointer { features in
        labels.withUnsafeBufferPointer { labels in
          trees = GradientBoostedTrees(features: features, columns: 5, labels: labels, parameters)
        }
      }
      isTrained = true
      trainings += 1
    }

    private func canMerge(_ index: Int) -> Bool { index + merged < chain.count }

    private mutating func evict() {
      if !hasSnapshot { takeSnapshot() }
      let first = isTrained ? leastUseful() : inOrder()
      let count = canMerge(first) ? merged : 1
      var candidates: [(score: Double, place: Int, key: Int)] = []
      for object in chain[first..<first + count].flatMap(\.objects) {
        candidates.append((1 / Double(max(1, clock - object.last)), candidates.count, object.key))
      }
      candidates.sort { ($0.score, -$0.place) < ($1.score, -$1.place) }
      let leaving = count == 1 ? candidates.count : candidates.count - candidates.count / merged
      let victims = Set(candidates.prefix(leaving).map(\.key))
      var joined: Segment?
      if count > 1 {
        joined = newSegment()
        joined?.missRatio =
          chain[first..<first + count].reduce(Float(0)) { $0 + $1.missRatio } / Float(merged)
      }
      for segment in chain[first..<first + count] {
        for var object in segment.objects {
          if victims.contains(object.key) {
            if let row = object.row { ghosts[object.key] = row }
          } else {
            object.isActive = false
            joined?.objects.append(object)
          }
        }
        if let row = segment.row {
          rows[row].sum = 0
          rows[row].since = clock - 1
        }
      }
      let gone = Set(chain[first..<first + count].map(\.number))
      if let after = next, gone.contains(after) {
        next = first + count < chain.count ? chain[first + count].number : nil
      }
      ranked = ranked.map { gone.contains($0) ? 0 : $0 }
      chain.replaceSubrange(first..<first + count, with: joined.map { [$0] } ?? [])
    }

    private mutating func inOrder() -> Int {
      var first = next.flatMap { number in chain.firstIndex { $0.number == number } } ?? 0
      if !canMerge(first) { first = 0 }
      next = canMerge(first) ? chain[first + merged].number : chain[first].number
      return first
    }

    private mutating func leastUseful() -> Int {
      if Double(position) >= Double(ranked.count) * rank { rankAll() }
      var least: Int?
      while position < ranked.count {
        if let index = chain.firstIndex(where: { $0.number == ranked[position] }) {
          if canMerge(index) {
            position += 1
            return index
          }
          if least == nil && index != chain.count - 1 { least = index }
          if Double(position) > 0.8 * Double(ranked.count) { break }
        }
        position += 1
      }
      position = ranked.count
      return least ?? 0
    }

    private mutating func rankAll() {
      var values = [Float](repeating: 0, count: chain.count)
      chain.flatMap { features(of: $0) }.withUnsafeBufferPointer { rows in
        values.withUnsafeMutableBufferPointer { trees.predict(rows, columns: 5, into: $0) }
      }
      let order = chain.indices.map { index in
        let (value, size) = (Double(values[index]), Double(chain[index].objects.count))
        return (utility: value > 0 ? value / size : value * size, index: index)
      }
      ranked = order.sorted { $0 < $1 }.map { chain[$0.index].number }
      position = 0
    }
  }
#endif
