#if Learned
  import EvictionCore
  import Parameters

  extension ThreeLCache {
    /// Adds a row: an object as it was when it was sampled, and the distance from there to its next request. Trains once
    /// there are enough, and no candidates are due; the rows are dropped if a training is under way.
    @usableFromInline
    mutating func addRow(_ history: History, size: Int, distance: Int64) {
      history.append(to: &features, at: history.sampled, size: size)
      labels.append(Float(PortableMath.logOnePlus(Double(distance))))
      if labels.count >= batch && evictionsDue <= 0 { train() }
    }

    private mutating func train() {
      takeTrees()
      let targets = labels.mutableValues
      let mean = Float(targets.reduce(0.0) { $0 + Double($1) } / Double(targets.count))
      for row in targets.indices { targets[row] -= mean }
      if trainer.begin(&features, &labels, &costs) { nextMeanLabel = mean }
      takeTrees()
    }

    /// Takes the trees of a training that has ended, if there is one. Candidates are picked anew then.
    @usableFromInline
    mutating func takeTrees() {
      if !trainer.take(&trees, &costs) { return }
      meanLabel = nextMeanLabel
      isTrained = true
      trained = clock
      candidates.removeAll()
      window.boundary = window.longestWait
      window.adapt(after: 16 * batch, widest: widestWindow)
    }
  }
#endif
