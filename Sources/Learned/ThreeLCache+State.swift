#if Learned
  import EvictionCore

  extension ThreeLCache {
    /// Passes on what changes, trees and all.
    public mutating func visitState(_ state: inout PolicyState) {
      lists.visitState(&state)
      newcomers.visitState(&state)
      known.visitState(&state)
      histories.visitState(&state)
      candidates.visitState(&state)
      state.visit(&generator)
      state.visit(&clock)
      state.visit(&isTrained)
      state.visit(&isSampling)
      state.visit(&evictionsDue)
      scan.visitState(&state)
      window.visitState(&state)
      trees.visitState(&state, columns: History.columns)
      state.visit(&meanLabel)
      state.visit(&trained)
      features.visitState(&state)
      labels.visitState(&state)
      state.visit(&costs.trainings)
      state.visit(&costs.trainedRows)
      state.visit(&costs.predictedRows)
      state.visit(&costs.modelBytes)
      if let place = scan.place, Int(place) >= histories.slots || !contains(place) {
        state.refuse()
      }
    }
  }

  extension ThreeLCache.Scan {
    mutating func visitState(_ state: inout PolicyState) {
      state.visit(&place)
      state.visit(&length)
      state.visit(&passed)
      state.visit(&step)
      state.visit(&oldPercent)
      state.visit(&newcomerPercent)
      state.visit(&highestFrequency)
      state.visit(&old)
      state.visit(&current)
      state.visit(&reached)
      state.visit(&evictedFrequencies)
      if evictedFrequencies.count != 16 || length < 0 || step < 1 { state.refuse() }
    }
  }

  extension ThreeLCache.Window {
    mutating func visitState(_ state: inout PolicyState) {
      state.visit(&width)
      state.visit(&isFull)
      state.visit(&requests)
      state.visit(&hits)
      state.visit(&ghostHits)
      state.visit(&longestWait)
      state.visit(&boundary)
      if !(2...64).contains(width) { state.refuse() }
    }
  }
#endif
