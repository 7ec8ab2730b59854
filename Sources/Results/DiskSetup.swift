/// The settings that tell the experiments on disk with one policy at one capacity apart: a point of the grid,
/// and the round.
public struct DiskSetup: Hashable, Sendable {
  /// Values of more bytes than this had files of their own.
  public let inlineThreshold: Int
  /// The bytes of a database page.
  public let pageSize: Int
  /// The store's promise, by name.
  public let durability: String
  /// The round of the experiment, from 1.
  public let round: Int

  /// The setup of an experiment.
  public init(_ measures: DiskMeasures) {
    inlineThreshold = measures.inlineThreshold
    pageSize = measures.pageSize
    durability = measures.durability
    round = measures.round
  }

  /// In words: `inline ≤ 20480, page 4096, process-crash, round 1`.
  public var label: String {
    "inline ≤ \(inlineThreshold), page \(pageSize), \(durability), round \(round)"
  }
}
