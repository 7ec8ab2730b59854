import Prefixes
import Requests
import Results
import Runner
import Simulation

/// Draws lru at all sizes as a cache of prefixes, in one pass.
struct PrefixCurveEngine: Engine {
  private let forest: PromptForest
  private let definition: PrefixSetup.Definition
  private let warmup: Int

  init(_ forest: PromptForest, _ definition: PrefixSetup.Definition, warmup: Int) {
    self.forest = forest
    self.definition = definition
    self.warmup = warmup
  }

  let readsStream = false

  func work(of cell: Cell, on stream: RequestStream) -> Int { forest.blocks }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let start = ContinuousClock.now
    guard let stack = PrefixStack.run(forest, warmup: warmup, observer: observer) else {
      return nil
    }
    var line = StraightLines()
    stack.forEach { hits in
      // Larger caches count nothing by that definition.
      if definition == .kvcacheSimulator && hits.capacity > stack.filled { return }
      line.append(capacity: hits.capacity, missRatio: 1 - hitRatio(hits, of: stack))
    }
    var curve = MissRatioCurve(
      trace: cell.key.trace, policy: cell.key.policy, unit: .blocks, method: .stackDistances,
      requests: stack.prompts, points: line.finish())
    curve.definition = definition
    curve.seconds = (ContinuousClock.now - start).seconds
    return .curve(curve)
  }

  private func hitRatio(_ hits: PrefixStack.Hits, of stack: PrefixStack) -> Double {
    switch definition {
    case .own, .kvcacheSimulator: Double(hits.tokens) / Double(max(1, stack.tokens))
    case .aiperf: hits.ratios / Double(max(1, stack.prompts))
    case .mooncake: Double(hits.blocks) / Double(max(1, stack.blocks))
    }
  }
}
