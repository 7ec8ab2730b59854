#if Learned
  import EvictionCore
  import Learned
  import Testing

  @Suite("Gradient-boosted trees")
  struct GradientBoostedTreesTests {
    @Test("learn which rows are large, and where missing values go")
    func stepIsLearned() {
      let rows = 1_000
      var features: [Float] = []
      var labels: [Float] = []
      for row in 0..<rows {
        features += [Float(row), row % 2 == 0 ? .nan : 1]
        labels.append((row < 500 ? 0 : 10) + (row % 2 == 0 ? 5 : 0))
      }
      let parameters = TreeParameters(objective: .squaredError, rounds: 100, subsample: 1)
      let trees = GradientBoostedTrees(features: features, columns: 2, labels: labels, parameters)
      #expect(trees.isTrained && trees.bytes > 0)
      let predictions = predict(trees, features, columns: 2)
      for row in 0..<rows { #expect(abs(predictions[row] - labels[row]) < 0.5, "row \(row)") }
    }

    /// In a debug build, each training compares the predictions of its rows with the library's, to the last bit.
    @Test(
      "predict as the library does, of few and many leaves",
      arguments: [
        (TreeParameters.Objective.squaredError, 2, 0), (.squaredError, 31, 0),
        (.squaredError, 32, 0), (.squaredError, 33, 0), (.squaredError, 300, 0),
        (.squaredError, 0, 6), (.logistic, 40, 0),
      ])
    func predictionsAreTheLibrarys(objective: TreeParameters.Objective, leaves: Int, depth: Int) {
      var (features, labels) = Self.noise(rows: 2_001)
      for index in features.indices where index % 7 < 2 { features[index] = .nan }
      if objective == .logistic { labels = labels.map { $0 > 200 ? 1 : 0 } }
      let parameters = TreeParameters(
        objective: objective, leaves: leaves, depth: depth, subsample: 1)
      let trees = GradientBoostedTrees(features: features, columns: 4, labels: labels, parameters)
      let predictions = predict(trees, features, columns: 4)
      #expect(Set(predictions).count > 2)
      // Rows alone are predicted as among others.
      for row in stride(from: 0, to: 2_000, by: 97) {
        let alone = predict(trees, Array(features[4 * row..<4 * row + 4]), columns: 4)
        #expect(alone == [predictions[row]], "row \(row)")
      }
    }

    @Test("of one seed are the same")
    func trainingIsDeterministic() {
      let (features, labels) = Self.noise(rows: 600)
      let parameters = TreeParameters(objective: .squaredError, seed: 7)
      let first = GradientBoostedTrees(features: features, columns: 4, labels: labels, parameters)
      let second = GradientBoostedTrees(features: features, columns: 4, labels: labels, parameters)
      let predictions = predict(first, features, columns: 4)
      #expect(predictions == predict(second, features, columns: 4))
      #expect(Set(predictions).count > 10)
    }

    @Test(
      "train on constant labels",
      arguments: [
        TreeParameters.Objective.squaredError, .logistic, .pairwiseRank,
      ])
    func labelsAreConstant(objective: TreeParameters.Objective) {
      let (features, _) = Self.noise(rows: 100)
      let trees = GradientBoostedTrees(
        features: features, columns: 4, labels: Array(repeating: 1, count: 100),
        groups: objective == .pairwiseRank ? [50, 50] : [], TreeParameters(objective: objective))
      let predictions = predict(trees, features, columns: 4)
      #expect(Set(predictions).count == 1 && predictions[0].isFinite)
    }

    @Test("predict 0 before they are trained")
    func nothingIsTrained() {
      #expect(predict(GradientBoostedTrees(), [1, 2, 3, 4], columns: 2) == [0, 0])
    }

    private func predict(
      _ trees: borrowing GradientBoostedTrees, _ rows: [Float], columns: Int
    ) -> [Float] {
      let input = UnsafeMutableBufferPointer<Float>.allocate(capacity: rows.count)
      let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: rows.count / columns)
      defer {
        input.deallocate()
        output.deallocate()
      }
      _ = input.initialize(from: rows)
      output.initialize(repeating: -1)
      trees.predict(UnsafeBufferPointer(input), columns: columns, into: output)
      return Array(output)
    }

    /// Four random features of each row, and labels that follow from two of them.
    private static func noise(rows: Int) -> (features: [Float], labels: [Float]) {
      var generator = SplitMix64(seed: 3)
      let features = (0..<rows * 4).map { _ in Float(generator.index(below: 1_000)) }
      return (features, (0..<rows).map { features[4 * $0] - features[4 * $0 + 2] / 2 })
    }
  }
#endif
