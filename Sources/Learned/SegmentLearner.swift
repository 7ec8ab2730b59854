#if Learned
  import EvictionCore

  /// The learner of ``GLCache``: the snapshot that waits for its labels, the model, and the rows of a prediction.
  @usableFromInline
  struct SegmentLearner: ~Copyable {
    /// The number of features of a segment.
    static let columns = 5
    /// The most rows of a snapshot.
    static let mostRows = 8_192

    /// The label of a row, as far as it is known.
    @usableFromInline
    struct Row: BitwiseCopyable {
      /// The requests that count for nothing still: of the objects that a merge would keep.
      @usableFromInline var spared: Int32
      /// The number of the request before which the sum began.
      @usableFromInline var since: Int64
      @usableFromInline var sum = 0.0
      /// The sum as of the last request that counted.
      @usableFromInline var utility = 0.0

      init(spared: Int32, since: Int64) {
        self.spared = spared
        self.since = since
      }
    }

    /// The rows of the snapshot.
    @usableFromInline var rows: [Row] = []
    /// True once a snapshot was taken.
    @usableFromInline var hasSnapshot = false
    /// The costs so far.
    var costs: LearningCosts

    /// The most segments at once so far.
    private var peakRows = 0
    private var snapshot = FloatRows(capacity: 0)
    private var labels = FloatRows(capacity: 0)
    private var segments = FloatRows(capacity: 0)
    private var predictions: [Float] = []
    private var model = GradientBoostedTrees()
    private let trainer: TreeTrainer

    init(seed: UInt64, isBeside: Bool) {
      let parameters = TreeParameters(
        objective: .squaredError, rounds: 20, leaves: 0, depth: 6, learningRate: 0.3, subsample: 1,
        minimumRowsPerLeaf: 1, threads: 1, seed: seed)
      trainer = TreeTrainer(
        columns: Self.columns, rows: Self.mostRows, parameters, isBeside: isBeside)
      costs = trainer.noCosts
    }

    /// Counts a request at time `now` for an object of the segment of `row`.
    @inlinable @inline(__always)
    mutating func credit(_ row: Int, size: Int, now: Int64) {
      if rows[row].spared > 0 {
        rows[row].spared -= 1
      } else {
        rows[row].sum += 1 / (Double(now - rows[row].since) * Double(max(1, size)))
        rows[row].utility = rows[row].sum
      }
    }

    /// Begins the sum of `row` anew, as its segment is gone: the label stays until the next request that counts.
    @usableFromInline
    mutating func restart(_ row: Int, now: Int64) {
      rows[row].sum = 0
      rows[row].since = now - 1
    }

    /// True once a model was trained.
    @usableFromInline var isTrained: Bool { model.isTrained }

    /// Begins a snapshot.
    mutating func beginSnapshot() {
      peakRows = max(peakRows, rows.count)
      rows.removeAll(keepingCapacity: true)
      snapshot.removeAll()
      hasSnapshot = true
    }

    /// Adds a segment's features to the snapshot.
    ///
    /// - Returns: Its row.
    mutating func addToSnapshot(_ features: SegmentFeatures, spared: Int, now: Int64) -> Int32 {
      features.append(to: &snapshot)
      rows.append(Row(spared: Int32(spared), since: now - 1))
      return Int32(rows.count - 1)
    }

    /// Trains a model on the snapshot, the least utility as 0 and the greatest as 1; without rows the last model stays, and
    /// while a model is being trained the rows are dropped.
    mutating func train() {
      guard let lowest = rows.map(\.utility).min(), let highest = rows.map(\.utility).max() else {
        return
      }
      takeModel()
      let scale = highest > lowest ? 1 / (highest - lowest) : 0
      for row in rows { labels.append(Float((row.utility - lowest) * scale)) }
      trainer.begin(&snapshot, &labels, &costs)
      takeModel()
    }

    /// Takes the model of a training that has ended, if there is one.
    @usableFromInline
    mutating func takeModel() { _ = trainer.take(&model, &costs) }

    /// Passes on the snapshot and the model.
    mutating func visitState(_ state: inout PolicyState) {
      state.visit(&rows)
      snapshot.visitState(&state)
      state.visit(&hasSnapshot)
      model.visitState(&state, columns: Self.columns)
      if snapshot.count != Self.columns * rows.count { state.refuse() }
    }

    /// Begins the rows of a prediction.
    mutating func beginPrediction() { segments.removeAll() }

    /// Adds a segment's features to those of the prediction.
    mutating func addToPrediction(_ features: SegmentFeatures) { features.append(to: &segments) }

    /// Predicts the utility of each segment that was added.
    mutating func predict() {
      let start = ContinuousClock.now
      let count = segments.count / Self.columns
      if predictions.count < count {
        predictions = [Float](repeating: 0, count: 2 * count)
      }
      predictions.withUnsafeMutableBufferPointer { values in
        model.predict(segments.values, columns: Self.columns, into: values)
      }
      costs.addPrediction(rows: count, since: start)
    }

    /// The predicted utility of the segment that was added as number `index`.
    func prediction(_ index: Int) -> Double { Double(predictions[index]) }

    /// The bytes of the rows; what arrays allocate beyond them depends on the allocator.
    var featureBytes: Int {
      snapshot.bytes + labels.bytes + segments.bytes + trainer.bytes
        + predictions.count * MemoryLayout<Float>.stride
        + max(peakRows, rows.count) * MemoryLayout<Row>.stride
    }
  }

  /// The features of a segment.
  struct SegmentFeatures {
    /// The requests since the segment was opened, or merged.
    var age: Int64
    var meanSize: Double
    var hits: Int
    /// The objects that were hit.
    var active: Int
    /// The miss ratio of the cache when the segment was full.
    var missRatio: Float

    func append(to rows: inout FloatRows) {
      rows.append(Float(age))
      rows.append(Float(meanSize))
      rows.append(Float(hits))
      rows.append(Float(active))
      rows.append(missRatio)
    }
  }
#endif
