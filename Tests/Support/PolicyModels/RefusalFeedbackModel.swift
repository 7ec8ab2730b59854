import Eviction

/// Who was refused in the last half of a period, and the level that refusals move.
struct RefusalFeedbackModel {
  private(set) var level = 0
  private let period: Int
  private let highest: Int
  private let isGain: Bool
  private var refused: Set<[UInt64]> = []
  private var requests = 0
  private var number = 0
  private var lastChange = 0

  init(_ form: String, capacity: Int, protected: Int) {
    isGain = form == "gain"
    period = max(1, min(isGain ? 256 : 1_024, capacity))
    highest = isGain ? 5 : min(256, protected)
  }

  mutating func count() {
    if requests % period == 0 { number += 1 }
    if requests % max(1, period / 2) == 0 { refused = [] }
    requests += 1
  }

  /// Four bits of a block of 512, as many blocks as give each request of the longest period 8, a power of two.
  private func places(_ hash: UInt64) -> [[UInt64]] {
    var blocks: UInt64 = 1
    while Int(blocks) * 64 < (isGain ? 256 : 1_024) { blocks *= 2 }
    let second = SplitMix64.mix(hash)
    return (0..<4).map { index in [second % blocks, (second >> (28 + 9 * index)) % 512] }
  }

  mutating func judge(_ hash: UInt64) -> (stays: Bool, growth: Int) {
    let isRepeated = places(hash).allSatisfy { refused.contains($0) }
    let before = level
    let quiet = number - lastChange
    let stays = quiet > 0 && isRepeated
    if stays && quiet >= (isGain ? level : 0) {
      level = min(highest, level + (isGain ? 1 : 8))
      lastChange = number
    } else if !stays && quiet > 1 + (isGain ? level : 0) {
      level = max(0, level - (isGain ? 1 : 4))
      lastChange = number
    }
    if !stays { for place in places(hash) { refused.insert(place) } }
    return (stays, level - before)
  }
}
