// The state of sketches.

extension FrequencySketch {
  /// Passes on every counter.
  public mutating func visitState(_ state: inout PolicyState) {
    counters.blocks.visitState(&state)
    doorkeeper.blocks.visitState(&state)
    state.visit(&objects)
    state.visit(&sampleSize)
    state.visit(&additionCount)
  }
}

extension CountMinSketch {
  /// Passes on every counter.
  public mutating func visitState(_ state: inout PolicyState) { blocks.visitState(&state) }
}

extension BloomFilter {
  /// Passes on every bit.
  public mutating func visitState(_ state: inout PolicyState) { blocks.visitState(&state) }
}

extension HashedBlocks {
  mutating func visitState(_ state: inout PolicyState) {
    let number = state.visit(count: count, bytesEach: 64)
    if number != count {
      if number < 1 || number & (number - 1) != 0 { return state.refuse() }
      // Not grown: a sketch that has shrunk with its cache keeps its counters.
      self = HashedBlocks(count: number)
    }
    state.visit(words, count: wordCount)
  }
}
