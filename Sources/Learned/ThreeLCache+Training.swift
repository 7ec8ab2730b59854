#if Learned
  import EvictionCore
  import Parameters

  extension ThreeLCache {
    /// Adds a row: an object as it was when it was sampled, and the distance from there to its next request. Trains once
    /// there are enough, and no candidates are due.
    @usableFromInline
    mutating func addRow(_ history: History, size: Int, distance: Int64) {
      history.append(to: &features, at: history.sampled, size: size)
      labels.append(Float(PortableMath.logOnePlus(Double(distance))))
      if labels.count >= batch && evictionsDue <= 0 { train() }
    }

    private mutating func train() {
      let start = ContinuousClock.now
      let targets = labels.mutableValues
      meanLabel = Float(targets.reduce(0.0) { $0 + Double($1) } / Double(targets.count))
      for row in targets.indices { targets[row] -= meanLabel }
      trees = GradientBoostedTrees(
        features: features.values, columns: History.columns, labels: labels.values,
        TreeParameters(
          objective: .squaredError, rounds: 16, leaves: 32, depth: 0, learningRate: 0.1,
          subsample: 0.8, featureSubsample: 0.8, minimumRowsPerLeaf: 20, seed: seed))
      costs.addTraining(rows: labels.count, since: start)
      costs.modelBytes = trees.bytes
      features.removeAll()
      labels.removeAll()
      isTrained = true
      trained = clock
      candidates.removeAll()
      window.boundary = window.longestWait
      window.adapt(after: 16 * batch, widest: widestWindow)
    }
  }
#endif
