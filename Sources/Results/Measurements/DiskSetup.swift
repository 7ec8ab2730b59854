/// The settings that tell the experiments on disk with one policy at one capacity apart: a point of the grid,
/// and the round.
package struct DiskSetup: Hashable, Sendable {
  package var inlineThreshold = 0
  package var pageSize = 0
  package var durability = ""
  package var round = 0

  package init() {}

  /// In words: `inline ≤ 20480, page 4096, process-crash, round 1`.
  package var label: String {
    "inline ≤ \(inlineThreshold), page \(pageSize), \(durability), round \(round)"
  }
}
