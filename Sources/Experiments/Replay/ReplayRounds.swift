import Runner

/// The number of rounds of a replay's cell.
package struct ReplayRounds: Sendable {
  /// The rounds that are always made.
  let least: Int
  /// The rounds after which it is enough.
  let most: Int
  /// The time of a cell for each instrument after which it is enough, in seconds.
  let seconds: Double
  /// Repeats a disturbed cell once.
  let repeatsDisturbed: Bool

  /// A number of rounds.
  package static func exactly(_ count: Int, repeatsDisturbed: Bool = false) -> ReplayRounds {
    ReplayRounds(least: count, most: count, seconds: 0, repeatsDisturbed: repeatsDisturbed)
  }

  /// Rounds for about this time, fewer where the intervals are narrow; six, which an interval takes, at least,
  /// unless these took more than ten times as long.
  package static func lasting(seconds: Double) -> ReplayRounds {
    ReplayRounds(least: 6, most: 64, seconds: seconds, repeatsDisturbed: true)
  }

  /// The rounds that a cell may take.
  var limit: Int { repeatsDisturbed ? 2 * most : most }

  /// Returns true if the cell needs no further round.
  func isEnough(_ run: RepeatedRun) -> Bool {
    if run.count >= most { return true }
    if run.count < least { return seconds > 0 && run.secondsSpent >= 10 * seconds }
    return run.secondsSpent >= seconds || run.isNarrow
  }

  /// The rounds that a cell is expected to take.
  ///
  /// - Parameter scheduled: The seconds of a round that no machine could shorten, for each instrument.
  func usual(scheduled: Double) -> Int {
    if seconds == 0 || scheduled <= 0 { return least }
    return max(1, Int(min(Double(least), (10 * seconds / scheduled).rounded(.up))))
  }
}
