/// The settings that tell the experiments on disk with one policy at one capacity apart: a point of the grid,
/// and the round.
package struct DiskSetup: Hashable, Sendable {
  /// Values of more bytes than this had files of their own.
  package let inlineThreshold: Int
  /// The bytes of a database page.
  package let pageSize: Int
  /// The store's promise, by name.
  package let durability: String
  /// The round of the experiment, from 1.
  package let round: Int

  /// The setup of an experiment.
  package init(_ measures: DiskMeasures) {
    inlineThreshold = measures.inlineThreshold
    pageSize = measures.pageSize
    durability = measures.durability
    round = measures.round
  }

  /// In words: `inline ≤ 20480, page 4096, process-crash, round 1`.
  package var label: String {
    "inline ≤ \(inlineThreshold), page \(pageSize), \(durability), round \(round)"
  }
}
