import Requests

extension PromptForest {
  /// The layers of tokens that are bounded one by one.
  private static let layers = 8

  /// A bound of the tokens that a cache of `capacity` blocks hits in prompts from number `warmup` on.
  ///
  /// Where all blocks are equal, it is the tokens of those `hitBlocks` reusable blocks that hold most, as no cache hits
  /// more blocks. Where they differ, tokens are divided into layers: a hit of n tokens counts once in each layer
  /// up to n. In the layers from w on only blocks of w tokens or more count, and no cache hits more of these than the
  /// optimum does of a forest that has no others. A layer holds the tokens of as many hits at most.
  ///
  /// - Parameter hitBlocks: The hits of the optimum.
  /// - Complexity: that of a few runs of the optimum where blocks differ, else O(blocks).
  func tokenBound(capacity: Int, warmup: Int, hitBlocks: Int) -> Int {
    if blockTokens != nil { return reusableTokens(from: warmup, most: hitBlocks) }
    let lengths = reusableLengths(from: warmup)
    if hitBlocks >= lengths.count { return lengths.reduce(0, +) }
    // The shortest blocks of each layer; the first counts all.
    var floors = [0]
    for layer in 1..<Self.layers {
      let floor = lengths[lengths.count * (Self.layers - layer) / Self.layers]
      if floor > floors[floors.count - 1] + 1 { floors.append(floor - 1) }
    }
    var bound = 0
    for (layer, floor) in floors.enumerated() {
      let ceiling = layer + 1 < floors.count ? floors[layer + 1] : Int.max
      var most = hitBlocks
      if layer > 0 {
        most =
          PrefixOptimum.hitBlocks(
            longerThan(floor), capacity: capacity, warmup: warmup)
      }
      for length in lengths.prefix(most) where length > floor {
        bound += min(length, ceiling) - floor
      }
    }
    return bound
  }

  /// The same prompts without the blocks of `tokens` tokens or fewer; all blocks count one.
  private func longerThan(_ tokens: Int) -> PromptForest {
    PromptForest(of: self) { node in
      let parent = self.parents[node]
      return self.depths[node] - (parent == Self.root ? 0 : self.depths[Int(parent)]) > tokens
    }
  }
}
