#if Learned
  private import CXGBoost
  import EvictionCore
  import Parameters

  /// The objective and the limits of a training of gradient-boosted trees.
  package struct TreeParameters: Sendable {
    package enum Objective: String, Sendable {
      case squaredError = "reg:squarederror"
      case logistic = "binary:logistic"
      case pairwiseRank = "rank:pairwise"
    }

    package var objective: Objective
    /// The number of trees.
    package var rounds: Int
    /// The most leaves of a tree, grown where the loss falls most; 0 for a limit of the depth alone, grown level by level.
    package var leaves: Int
    /// The greatest depth; 0 for none.
    package var depth: Int
    package var learningRate: Double
    /// The most intervals of a feature's values that splits tell apart.
    package var bins: Int
    /// The fraction of the rows that each tree is trained on.
    package var subsample: Double
    /// The fraction of the features that each tree is trained on.
    package var featureSubsample: Double
    /// The least sum of second derivatives in a leaf: of a squared error the number of rows.
    package var minimumRowsPerLeaf: Int
    package var threads: Int
    package var seed: UInt64

    package init(
      objective: Objective, rounds: Int = 32, leaves: Int = 31, depth: Int = 6,
      learningRate: Double = 0.1, bins: Int = 256, subsample: Double = 0.8,
      featureSubsample: Double = 1,
      minimumRowsPerLeaf: Int = 1, threads: Int = 1, seed: UInt64 = 0
    ) {
      self.objective = objective
      self.rounds = rounds
      self.leaves = leaves
      self.depth = depth
      self.learningRate = learningRate
      self.bins = bins
      self.subsample = subsample
      self.featureSubsample = featureSubsample
      self.minimumRowsPerLeaf = minimumRowsPerLeaf
      self.threads = threads
      self.seed = seed
    }
  }

  /// Gradient-boosted trees, trained by XGBoost.
  ///
  /// With one thread and one seed, the same rows give the same trees. Predictions are those of the library to the last bit,
  /// but are not made by it: see ``FlatTrees``.
  @usableFromInline package struct GradientBoostedTrees: ~Copyable {
    @usableFromInline var trees = FlatTrees()
    /// The start of the sum of the leaves.
    private var base: Float = 0
    /// True if the sum is the logarithm of odds.
    private var isLogistic = false
    private var serializedBytes = 0

    /// No trees: all predictions are 0.
    package init() {}

    /// Trains on arrays.
    package init(
      features: [Float], columns: Int, labels: [Float], groups: [UInt32] = [],
      _ parameters: TreeParameters
    ) {
      self.init()
      features.withUnsafeBufferPointer { features in
        labels.withUnsafeBufferPointer { labels in
          train(features, columns: columns, labels, groups: groups, parameters)
        }
      }
    }

    /// Trains on `features`, row by row; NaN is a missing value.
    ///
    /// - Parameters:
    ///   - columns: The number of features of a row.
    ///   - labels: One for each row.
    ///   - groups: The sizes of the groups of a ranking, in the order of the rows; else empty.
    package init(
      features: UnsafeBufferPointer<Float>, columns: Int, labels: UnsafeBufferPointer<Float>,
      groups: [UInt32] = [], _ parameters: TreeParameters
    ) {
      self.init()
      train(features, columns: columns, labels, groups: groups, parameters)
    }

    private mutating func train(
      _ features: UnsafeBufferPointer<Float>, columns: Int, _ labels: UnsafeBufferPointer<Float>,
      groups: [UInt32], _ parameters: TreeParameters
    ) {
      precondition(columns > 0 && columns <= Int(Int16.max), "a row has features")
      precondition(features.count == columns * labels.count && !labels.isEmpty, "rows have labels")
      var matrix: DMatrixHandle?
      check(
        XGDMatrixCreateFromMat_omp(
          features.baseAddress, UInt64(labels.count), UInt64(columns), .nan, &matrix,
          Int32(parameters.threads)))
      defer { check(XGDMatrixFree(matrix)) }
      check(XGDMatrixSetFloatInfo(matrix, "label", labels.baseAddress, UInt64(labels.count)))
      if !groups.isEmpty {
        check(XGDMatrixSetUIntInfo(matrix, "group", groups, UInt64(groups.count)))
      }
      var booster: BoosterHandle?
      check(withUnsafePointer(to: &matrix) { XGBoosterCreate($0, 1, &booster) })
      defer { check(XGBoosterFree(booster)) }
      for (name, value) in parameters.settings { check(XGBoosterSetParam(booster, name, value)) }
      switch parameters.objective {
      case .squaredError:
        let mean = Float(labels.reduce(0) { $0 + Double($1) } / Double(labels.count))
        check(XGBoosterSetParam(booster, "base_score", String(mean)))
      case .logistic:
        isLogistic = true
        check(XGBoosterSetParam(booster, "base_score", "0.5"))
      case .pairwiseRank:
        check(XGBoosterSetParam(booster, "base_score", "0"))
      }
      // XGBoost does not read each number of a text as the nearest Float.
      base = GradientBoostedTrees.sums(of: booster, matrix)[0]
      for round in 0..<parameters.rounds {
        check(XGBoosterUpdateOneIter(booster, Int32(round), matrix))
      }
      var length: bst_ulong = 0
      var model: UnsafePointer<CChar>?
      check(XGBoosterSaveModelToBuffer(booster, #"{"format": "ubj"}"#, &length, &model))
      serializedBytes = Int(length)
      var texts: UnsafeMutablePointer<UnsafePointer<CChar>?>?
      check(XGBoosterDumpModelEx(booster, "", 0, "text", &length, &texts))
      for tree in 0..<Int(length) {
        guard let text = texts?[tree] else { preconditionFailure("XGBoost: a tree has no text") }
        appendTree(String(cString: text))
      }
      assert(
        predicts(
          GradientBoostedTrees.sums(of: booster, matrix), of: features, columns: columns),
        "the library predicts the same")
    }

    /// True if it was trained.
    package var isTrained: Bool { !trees.isEmpty }

    /// The size of the serialized model.
    package var bytes: Int { serializedBytes }

    /// Predicts a value for each row.
    package borrowing func predict(
      _ rows: UnsafeBufferPointer<Float>, columns: Int,
      into values: UnsafeMutableBufferPointer<Float>
    ) {
      let count = rows.count / columns
      precondition(rows.count == count * columns && values.count >= count, "a value for each row")
      trees.predict(rows, columns: columns, base: base, into: values)
      if !isLogistic { return }
      for row in 0..<count {
        values[row] = Float(1 / (1 + PortableMath.exp(-Double(values[row]))))
      }
    }

    /// The sums that XGBoost predicts for the rows of a matrix.
    private static func sums(
      of booster: BoosterHandle?, _ matrix: DMatrixHandle?
    ) -> UnsafeBufferPointer<Float> {
      var count: bst_ulong = 0
      var sums: UnsafePointer<Float>?
      let sumsAlone: Int32 = 1
      check(XGBoosterPredict(booster, matrix, sumsAlone, 0, 0, &count, &sums))
      return UnsafeBufferPointer(start: sums, count: Int(count))
    }

    /// Returns true if the sums of all rows are `sums`.
    private borrowing func predicts(
      _ sums: UnsafeBufferPointer<Float>, of rows: UnsafeBufferPointer<Float>, columns: Int
    ) -> Bool {
      withUnsafeTemporaryAllocation(of: Float.self, capacity: sums.count) { values in
        values.initialize(repeating: 0)
        trees.predict(rows, columns: columns, base: base, into: values)
        return values.elementsEqual(sums)
      }
    }

    /// Passes on the trees, of rows of `columns` features.
    package mutating func visitState(_ state: inout PolicyState, columns: Int) {
      trees.visitState(&state, columns: columns)
      state.visit(&base)
      state.visit(&isLogistic)
      state.visit(&serializedBytes)
    }

    /// Appends a tree that XGBoost has written: in each line a split, as
    /// `0:[f3<1.5] yes=1,no=2,missing=2`, or a leaf, as `1:leaf=0.25`.
    private mutating func appendTree(_ text: String) {
      var nodes: [FlatTrees.Node] = []
      let separators = Array("\t:[<] =,".utf8)
      for line in text.split(separator: "\n") {
        let words = line.utf8.split(whereSeparator: { separators.contains($0) }).map(Substring.init)
        guard words.count > 2, let number = Int(words[0]) else {
          preconditionFailure("XGBoost: a tree has the line \(line)")
        }
        var node = FlatTrees.Node()
        if words[1] == "leaf", let value = Float(words[2]) {
          node.value = value
        } else if words.count == 9, let feature = Int16(words[1].dropFirst()),
          let value = Float(words[2]), let below = Int(words[4]), let other = Int(words[6]),
          let missing = Int(words[8])
        {
          precondition(min(below, other) > number, "children come after their parent")
          node = FlatTrees.Node(
            value: value, below: below, other: other, feature: feature,
            missingIsBelow: missing == below)
        } else {
          preconditionFailure("XGBoost: a tree has the line \(line)")
        }
        while nodes.count <= number { nodes.append(FlatTrees.Node()) }
        nodes[number] = node
      }
      trees.append(nodes)
    }
  }

  extension TreeParameters {
    /// The parameters by the names that XGBoost has for them.
    fileprivate var settings: [(name: String, value: String)] {
      [
        ("verbosity", "0"), ("nthread", String(threads)), ("seed", String(seed & 0x7FFF_FFFF)),
        ("objective", objective.rawValue), ("tree_method", "hist"),
        ("grow_policy", leaves > 0 ? "lossguide" : "depthwise"), ("max_leaves", String(leaves)),
        ("max_depth", String(depth)), ("eta", String(learningRate)),
        ("max_bin", String(bins)),
        ("subsample", String(subsample)), ("colsample_bytree", String(featureSubsample)),
        ("min_child_weight", String(minimumRowsPerLeaf)),
      ]
    }
  }

  /// Ends the program with XGBoost's own words where one of its functions failed.
  private func check(_ status: Int32) {
    if status != 0 { preconditionFailure("XGBoost: \(String(cString: XGBGetLastError()))") }
  }
#endif
