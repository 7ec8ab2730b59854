/// The nodes of one prompt of a forest at a time, in memory that is allocated once.
@usableFromInline
struct PromptChain: ~Copyable {
  @usableFromInline let forest: PromptForest
  @usableFromInline let nodes: UnsafeMutablePointer<UInt32>

  @inlinable
  init(of forest: PromptForest) {
    self.forest = forest
    nodes = .allocate(capacity: max(1, forest.longest))
  }

  @inlinable
  deinit { nodes.deallocate() }

  /// The nodes of a prompt, valid until the next one is read.
  @inlinable
  func read(_ prompt: Int) -> UnsafeMutableBufferPointer<UInt32> {
    forest.write(prompt, to: nodes)
    return UnsafeMutableBufferPointer(
      start: nodes, count: forest.starts[prompt &+ 1] &- forest.starts[prompt])
  }
}
