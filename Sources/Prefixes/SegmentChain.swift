/// The segments of one prompt of a forest at a time, in memory that is allocated once.
struct SegmentChain: ~Copyable {
  private let ends: [UInt32]
  private let parents: [UInt32]
  private let depths: [UInt32]
  private let segments: UnsafeMutablePointer<UInt32>

  init(of segments: PromptSegments) {
    (ends, parents, depths) = (segments.ends, segments.parents, segments.depths)
    self.segments = .allocate(capacity: max(1, segments.longest))
  }

  deinit { segments.deallocate() }

  /// The segments of a prompt, valid until the next one is read.
  func read(_ prompt: Int) -> UnsafeBufferPointer<UInt32> {
    var segment = ends[prompt]
    let count = segment == PromptForest.root ? 0 : Int(depths[Int(segment)])
    for place in (0..<count).reversed() {
      segments[place] = segment
      segment = parents[Int(segment)]
    }
    return UnsafeBufferPointer(start: segments, count: count)
  }
}
