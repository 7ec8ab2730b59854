#if Learned
  private import CXGBoost

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
      learningRate: Double = 0.1, subsample: Double = 0.8, featureSubsample: Double = 1,
      minimumRowsPerLeaf: Int = 1, threads: Int = 1, seed: UInt64 = 0
    ) {
      self.objective = objective
      self.rounds = rounds
      self.leaves = leaves
      self.depth = depth
      self.learningRate = learningRate
      self.subsample = subsample
      self.featureSubsample = featureSubsample
      self.minimumRowsPerLeaf = minimumRowsPerLeaf
      self.threads = threads
      self.seed = seed
    }
  }

  /// Gradient-boosted trees, trained by XGBoost.
  ///
  /// With one thread and one seed, the same rows give the same trees.
  package struct GradientBoostedTrees: ~Copyable, @unchecked Sendable {
    private let booster: UnsafeMutableRawPointer
    private let settings: String
    /// The size of the serialized model.
    package let bytes: Int

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
      precondition(columns > 0 && features.count == columns * labels.count && !labels.isEmpty)
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
      var created: BoosterHandle?
      check(XGBoosterCreate([matrix], 1, &created))
      guard let booster = created else { preconditionFailure("XGBoost made no booster") }
      self.booster = booster
      for (name, value) in parameters.settings { check(XGBoosterSetParam(booster, name, value)) }
      for round in 0..<parameters.rounds {
        check(XGBoosterUpdateOneIter(booster, Int32(round), matrix))
      }
      var length: bst_ulong = 0
      var model: UnsafePointer<CChar>?
      check(XGBoosterSaveModelToBuffer(booster, #"{"format": "ubj"}"#, &length, &model))
      bytes = Int(length)
      settings =
        #"{"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "#
        + #""strict_shape": false, "cache_id": 0, "missing": NaN}"#
    }

    /// Predicts a value for each row.
    package borrowing func predict(
      _ rows: UnsafeBufferPointer<Float>, columns: Int,
      into values: UnsafeMutableBufferPointer<Float>
    ) {
      let count = rows.count / columns
      precondition(rows.count == count * columns && values.count >= count)
      guard count > 0, let base = rows.baseAddress else { return }
      let array =
        #"{"data": [\#(UInt(bitPattern: base)), true], "shape": [\#(count), \#(columns)], "#
        + #""typestr": "<f4", "version": 3}"#
      var shape: UnsafePointer<bst_ulong>?
      var dimensions: bst_ulong = 0
      var result: UnsafePointer<Float>?
      check(
        XGBoosterPredictFromDense(booster, array, settings, nil, &shape, &dimensions, &result))
      guard let result else { preconditionFailure("XGBoost predicted nothing") }
      for row in 0..<count { values[row] = result[row] }
    }

    deinit { XGBoosterFree(booster) }
  }

  extension TreeParameters {
    /// The parameters by the names that XGBoost has for them.
    fileprivate var settings: [(name: String, value: String)] {
      [
        ("verbosity", "0"), ("nthread", String(threads)), ("seed", String(seed & 0x7FFF_FFFF)),
        ("objective", objective.rawValue), ("tree_method", "hist"),
        ("grow_policy", leaves > 0 ? "lossguide" : "depthwise"), ("max_leaves", String(leaves)),
        ("max_depth", String(depth)), ("eta", String(learningRate)),
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
