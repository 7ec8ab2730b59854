/// A figure that a document has and that was not held against the other's, in how many runs, and why.
public struct Omission: Sendable, Equatable {
  /// What was not compared: `hits`, `instructions`, `times`.
  public let figure: String
  /// In how many runs, for this reason.
  public let runs: Int
  /// Why, and what to do where something can be done.
  public let reason: String

  /// The omission in a sentence.
  public var sentence: String {
    "\(figure) of \(runs) run\(runs == 1 ? "" : "s") are not compared: \(reason)"
  }
}
