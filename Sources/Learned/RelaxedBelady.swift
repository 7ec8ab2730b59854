#if Learned
  import EvictionCore
  import Parameters

  /// The learner of LRB: the histories of objects, the rows that have their labels, and the trees.
  @usableFromInline package struct RelaxedBelady: ~Copyable {
    @usableFromInline package var histories: RequestHistories
    private var trees = GradientBoostedTrees()
    private var features = FloatRows(capacity: 0)
    private var labels = FloatRows(capacity: 0)
    private let trainer: TreeTrainer
    private let batch: Int
    /// The features of an eviction's candidates, and their predictions.
    private let candidates: UnsafeMutableBufferPointer<Float>
    private let predictions: UnsafeMutableBufferPointer<Float>
    private let drawn: UnsafeMutablePointer<Slot>
    /// The features of one row.
    private let row: UnsafeMutablePointer<Float>
    private var measured: LearningCosts

    package init(slots: Int, sample: Int, batch: Int, _ parameters: TreeParameters, isBeside: Bool)
    {
      histories = RequestHistories(slots: slots)
      trainer = TreeTrainer(
        columns: RequestHistories.columns, rows: batch, parameters, isBeside: isBeside)
      measured = trainer.noCosts
      self.batch = batch
      candidates = .allocate(capacity: sample * RequestHistories.columns)
      candidates.initialize(repeating: 0)
      predictions = .allocate(capacity: sample)
      predictions.initialize(repeating: 0)
      drawn = .allocate(capacity: sample)
      drawn.initialize(repeating: 0, count: sample)
      row = .allocate(capacity: RequestHistories.columns)
      row.initialize(repeating: 0, count: RequestHistories.columns)
    }

    deinit {
      candidates.deallocate()
      predictions.deallocate()
      drawn.deallocate()
      row.deallocate()
    }

    @usableFromInline package var isTrained: Bool { trees.isTrained }

    /// The number of rows that wait for the next training.
    package var waitingRows: Int { labels.count }

    package var costs: LearningCosts {
      var costs = measured
      costs.modelBytes = trees.bytes
      costs.featureBytes =
        (batch + predictions.count) * (RequestHistories.columns + 1) * MemoryLayout<Float>.stride
        + trainer.bytes
      return costs
    }

    /// Gives the samples of `slot` their label: the time from each until `now`, or `limit` where that is given.
    @usableFromInline
    package mutating func label(
      _ slot: Slot, size: Int, now: Int64, window: Int64, limit: Int64? = nil
    ) {
      let last = histories.lastRequest(of: slot)
      while let age = histories.takeSample(of: slot) {
        let distance = limit ?? now - last - age
        labels.append(Float(PortableMath.logOnePlus(Double(distance))))
        histories.write(slot, age: age, size: size, window: window, to: row)
        features.append(
          contentsOf: UnsafeBufferPointer(start: row, count: RequestHistories.columns))
      }
      if labels.count >= batch { train() }
    }

    /// Describes candidate number `index` of an eviction.
    @usableFromInline
    package func describe(_ index: Int, _ slot: Slot, size: Int, now: Int64, window: Int64) {
      guard let base = candidates.baseAddress else { return }
      drawn[index] = slot
      histories.write(
        slot, age: now - histories.lastRequest(of: slot), size: size, window: window,
        to: base + index * RequestHistories.columns)
    }

    /// Candidate number `index` of the last eviction.
    @usableFromInline
    package func candidate(_ index: Int) -> Slot { drawn[index] }

    /// Predicts the logarithm of the time to the next request of the first `count` candidates.
    @usableFromInline
    package mutating func predict(_ count: Int) {
      let start = ContinuousClock.now
      trees.predict(
        UnsafeBufferPointer(rebasing: candidates[..<(count * RequestHistories.columns)]),
        columns: RequestHistories.columns, into: predictions)
      measured.addPrediction(rows: count, since: start)
    }

    /// The last prediction of candidate number `index`.
    @usableFromInline
    package func prediction(_ index: Int) -> Float { predictions[index] }

    private mutating func train() {
      takeTrees()
      trainer.begin(&features, &labels, &measured)
      takeTrees()
    }

    /// Takes the trees of a training that has ended, if there is one.
    @usableFromInline
    package mutating func takeTrees() { _ = trainer.take(&trees, &measured) }

    package mutating func removeAll() { histories.removeAll() }

    package mutating func visitState(_ state: inout PolicyState) {
      histories.visitState(&state)
      trees.visitState(&state, columns: RequestHistories.columns)
      features.visitState(&state)
      labels.visitState(&state)
      state.visit(&measured.trainings)
      state.visit(&measured.trainedRows)
      state.visit(&measured.predictedRows)
    }
  }
#endif
