#if Learned
  import EvictionCore
  import Learned
  import Testing

  @Suite("Trainings beside the requests")
  struct TreeTrainerTests {
    private static let parameters = TreeParameters(
      objective: .squaredError, rounds: 20, minimumRowsPerLeaf: 1, seed: 5)

    @Test("give the trees that one inside a request gives, and leave no rows")
    func sameTrees() {
      let inside = Self.train(isBeside: false)
      let beside = Self.train(isBeside: true)
      #expect(inside.predictions == beside.predictions && Set(inside.predictions).count > 10)
      for (costs, isBeside) in [(inside.costs, false), (beside.costs, true)] {
        #expect(costs.isBeside == isBeside && costs.modelBytes > 0)
        #expect(costs.begunTrainings == 3 && costs.trainings == 3 && costs.trainedRows == 1_500)
        #expect(costs.skippedTrainings == 0)
      }
    }

    @Test("drop the rows of one that is due while another one is under way")
    func skipped() {
      let trainer = TreeTrainer(columns: 2, rows: 500, Self.parameters, isBeside: true)
      var costs = trainer.noCosts
      var trees = GradientBoostedTrees()
      var features = FloatRows(capacity: 0)
      var labels = FloatRows(capacity: 0)
      Self.fill(&features, &labels)
      let begins = trainer.begin(&features, &labels, &costs)
      Self.fill(&features, &labels)
      // One that has ended is under way until its trees are taken.
      let beginsAgain = trainer.begin(&features, &labels, &costs)
      #expect(begins && !beginsAgain)
      #expect(features.count == 0 && labels.count == 0)
      while !trainer.take(&trees, &costs) {}
      let takesAgain = trainer.take(&trees, &costs)
      #expect(!takesAgain && trees.isTrained)
      #expect(costs.begunTrainings == 1 && costs.trainings == 1 && costs.skippedTrainings == 1)
    }

    @Test("end with their policy, whether one is under way or not")
    func teardown() throws {
      func check<Policy: ReplacementPolicy & ~Copyable>(
        _ type: Policy.Type, _ parameters: String
      ) throws {
        let slots = LearnedRun<Policy>.mixture(seed: 9, count: 4_000)
        var begun = 0
        for count in stride(from: 200, through: 4_000, by: 200) {
          var run = try LearnedRun<Policy>(parameters, capacity: 100, slots: 2_000, isBeside: true)
          for slot in slots.prefix(count) { run.request(slot) }
          let costs = run.policy.learningCosts ?? LearningCosts()
          #expect(costs.isBeside && (0...1).contains(costs.begunTrainings - costs.trainings))
          begun += costs.begunTrainings
        }
        #expect(begun > 0)
      }
      try check(LRB.self, "batch=200")
      try check(GLCache.self, "retrain=1000")
      try check(ThreeLCache.self, "batch=100")
    }

    @Test("are those of a cache whose option says so")
    func cache() {
      for isBeside in [false, true] {
        var options = MemoryCacheOptions()
        options.trainsBesideRequests = isBeside
        let cache = MemoryCache<Int, Int>(
          countLimit: 100, policy: CachePolicy(ThreeLCache.self, parameters: ["batch": 100]),
          seed: 7, options: options)
        for slot in LearnedRun<ThreeLCache>.mixture(seed: 3, count: 3_000) {
          if cache.value(forKey: Int(slot)) == nil { cache.set(1, forKey: Int(slot)) }
        }
        let costs = cache.learningCosts
        #expect(costs.map(\.isBeside) == [isBeside])
        #expect(costs[0].begunTrainings > 0)
      }
    }

    private static func train(
      isBeside: Bool
    ) -> (predictions: [Float], costs: LearningCosts) {
      let trainer = TreeTrainer(columns: 2, rows: 500, parameters, isBeside: isBeside)
      var costs = trainer.noCosts
      var trees = GradientBoostedTrees()
      var features = FloatRows(capacity: 0)
      var labels = FloatRows(capacity: 0)
      for _ in 0..<3 {
        fill(&features, &labels)
        trainer.begin(&features, &labels, &costs)
        while !trainer.take(&trees, &costs) {}
      }
      fill(&features, &labels)
      var predictions = [Float](repeating: 0, count: labels.count)
      predictions.withUnsafeMutableBufferPointer {
        trees.predict(features.values, columns: 2, into: $0)
      }
      return (predictions, costs)
    }

    private static func fill(_ features: inout FloatRows, _ labels: inout FloatRows) {
      var generator = SplitMix64(seed: 8)
      for _ in 0..<500 {
        let (first, second) = (generator.index(below: 100), generator.index(below: 100))
        features.append(Float(first))
        features.append(Float(second))
        labels.append(Float(first * second))
      }
    }
  }
#endif
