import EvictionCore
import Foundation
import Parameters
import Results
import Traces

/// A run of claims: their trials in random order, until each interval is narrow enough or time is up.
package struct ClaimRun {
  /// The settings of a run.
  package struct Settings {
    /// The seed of the order and of the workloads.
    package var seed = 42
    /// The seconds that trials are started in.
    package var budget: Double
    /// The most trials of a condition.
    package var mostTrials: Int
    /// True for a run with few trials.
    package var isQuick: Bool

    package init(isQuick: Bool) {
      self.isQuick = isQuick
      budget = isQuick ? 120 : 1_000
      mostTrials = isQuick ? 8 : 40
    }
  }

  /// A condition of one of the claims.
  private struct Cell {
    let claim: Int
    let condition: Int
  }

  private let claims: [Claim]
  private let settings: Settings
  private let scratch: String
  private let path: @Sendable (_ trace: String) -> String?
  private var random: SplitMix64
  private var trials: [[[Trial]]]
  private var results: [[ClaimTrial]]
  private var reasons: [[Int: String]]
  /// The trials of each condition that do not count, each with the first of what disturbed it.
  private var disturbed: [[[String]]]
  private let watch: TrialWatch

  /// Prepares a run of these claims, with a folder for temporary files.
  package init(
    _ claims: [Claim], settings: Settings, scratch: String, watch: TrialWatch = .real(),
    path: @escaping @Sendable (_ trace: String) -> String?
  ) {
    self.claims = claims
    self.settings = settings
    self.scratch = scratch
    self.watch = watch
    self.path = path
    random = SplitMix64(seed: UInt64(bitPattern: Int64(settings.seed)))
    trials = claims.map { $0.conditions.map { _ in [] } }
    results = claims.map { _ in [] }
    reasons = claims.map { _ in [:] }
    disturbed = claims.map { $0.conditions.map { _ in [] } }
  }

  /// Runs the trials.
  ///
  /// - Parameters:
  ///   - cancellation: Stops the run after the current trial.
  ///   - progress: Called before each trial with the number of finished conditions and of all.
  ///   - finished: Called with each claim's document, as soon as its last condition is finished.
  package mutating func run(
    cancellation: Cancellation, progress: (_ finished: Int, _ all: Int) -> Void,
    finished: (ClaimDocument) throws -> Void
  ) throws {
    let start = ContinuousClock.now
    var cells = claims.indices.flatMap { claim in
      claims[claim].conditions.indices.map { Cell(claim: claim, condition: $0) }
    }
    let all = cells.count
    var order = 0
    while !cells.isEmpty {
      cells.shuffle(using: &random)
      var left: [Cell] = []
      for (index, cell) in cells.enumerated() {
        if cancellation.isCancelled { return }
        progress(all - (cells.count - index) - left.count, all)
        let isLate = ContinuousClock.now - start > .seconds(settings.budget)
        if isLate {
          let rule = claims[cell.claim].conditions[cell.condition].rule
          if trials[cell.claim][cell.condition].count < Verdicts.least(rule) {
            reasons[cell.claim][cell.condition] = "the budget ended before enough trials"
          }
        } else {
          measure(cell, order: order)
          order += 1
          if !isFinished(cell) { left.append(cell) }
        }
        let others = cells[(index + 1)...] + left
        if !others.contains(where: { $0.claim == cell.claim }) {
          try finished(document(cell.claim))
        }
      }
      cells = left
    }
  }

  private mutating func measure(_ cell: Cell, order: Int) {
    let folder = "\(scratch)/trial"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var context = TrialContext(seed: random.next(), folder: folder, path: path)
      let condition = claims[cell.claim].conditions[cell.condition]
      let end = condition.rule.isTimed ? watch.start() : nil
      let outcome = Result { try condition.trial(&context) }
      let machine = end?() ?? TrialMachine()
      let trial = try outcome.get()
      let result = ClaimTrial {
        $0.condition = cell.condition
        $0.order = order
        $0.claimed = trial.claimed
        $0.other = trial.other
        $0.details = trial.details.map { JSON.Member($0.name, .number($0.value)) }
        $0.disturbances = machine.disturbances
      }
      results[cell.claim].append(result)
      if let first = machine.disturbances.first {
        disturbed[cell.claim][cell.condition].append(first)
      } else {
        trials[cell.claim][cell.condition].append(trial)
      }
    } catch {
      reasons[cell.claim][cell.condition] = "\(error)"
    }
  }

  private func isFinished(_ cell: Cell) -> Bool {
    let trials = trials[cell.claim][cell.condition]
    let disturbed = disturbed[cell.claim][cell.condition].count
    if reasons[cell.claim][cell.condition] != nil { return true }
    if max(trials.count, disturbed) >= settings.mostTrials { return true }
    return trials.count > disturbed
      && Verdicts.isNarrow(
        trials, of: claims[cell.claim], condition: cell.condition, seed: settings.seed)
  }

  private func document(_ claim: Int) -> ClaimDocument {
    var reasons = reasons[claim]
    for condition in claims[claim].conditions.indices {
      if let noise = noise(claim, condition) { reasons[condition] = noise }
    }
    var document = Verdicts.document(
      of: claims[claim], trials: trials[claim], reasons: reasons, seed: settings.seed)
    for condition in document.conditions.indices {
      document.conditions[condition].disturbed = disturbed[claim][condition].count
    }
    document.results = results[claim]
    document.isQuick = settings.isQuick
    return document
  }

  /// Says why the machine was too noisy for a verdict on a condition; nil where it was not.
  private func noise(_ claim: Int, _ condition: Int) -> String? {
    let (counted, disturbed) = (trials[claim][condition].count, disturbed[claim][condition])
    guard let example = disturbed.last,
      disturbed.count >= counted
        || counted < Verdicts.least(claims[claim].conditions[condition].rule)
    else { return nil }
    return "the machine was disturbed in \(disturbed.count) of "
      + "\(counted + disturbed.count) trials, such as by \(example)"
  }
}
