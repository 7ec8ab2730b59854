import EvictionCore
import Prefixes
import Requests
import Results
import Runner

/// Runs a policy, or the optimum, as a cache of prefixes.
final class PrefixEngine: Engine {
  /// The name of the policy whose place the optimum of prefixes takes.
  static let optimum = "opt"

  private let forests: VariedForests
  private let setup: PrefixSetup
  private let warmup: Int
  private let bytesPerToken: Int?
  /// Runs in place of the cell's policy; nil where the policy runs.
  private let order: LeafOrderChoice?
  /// The prices of a rented cache, which runs in place of an order; nil for others.
  private let write: PromptPrices.Write?
  /// The tiers below the device, each with its blocks.
  private let tiers: [(choice: TierChoice, blocks: Int)]
  let runsInChild = true

  init(
    _ forests: VariedForests, _ setup: PrefixSetup, warmup: Int, bytesPerToken: Int?,
    order: LeafOrderChoice? = nil, write: PromptPrices.Write? = nil,
    tiers: [(choice: TierChoice, blocks: Int)] = []
  ) {
    self.tiers = tiers
    self.order = order
    self.write = write
    self.forests = forests
    self.setup = setup
    self.warmup = warmup
    self.bytesPerToken = bytesPerToken
  }

  /// The same with an order in place of policies.
  func with(_ order: LeafOrderChoice) -> PrefixEngine {
    // Orders run without tiers.
    PrefixEngine(forests, setup, warmup: warmup, bytesPerToken: bytesPerToken, order: order)
  }

  /// A rented cache of all prompts of a forest in place of policies.
  static func rented(
    _ write: PromptPrices.Write, of forest: PromptForest, warmup: Int, setup: PrefixSetup
  ) -> (engine: PrefixEngine, choice: LeafOrderChoice) {
    let order = LeafOrderChoice(
      renting: RentedCache.Terms(
        timeToLive: Int64(write.timeToLive) * 1_000_000_000, isRenewed: write.isRenewed,
        minimumTokens: setup.prices?.minimumTokens ?? 0))
    let engine = PrefixEngine(
      VariedForests(forest, Workers(nil, count: 1)),
      PrefixSetup(setup.definition, prices: setup.prices), warmup: warmup, bytesPerToken: nil,
      order: order, write: write)
    return (engine, order)
  }

  /// Without chains blocks stand in another order, and several caches have several, and so have tiers; these are not drawn.
  var reference: (engine: any Engine, unit: Measurement.Unit)? {
    let forest = forests.recorded
    return setup.residency == .free || setup.isDivided || !tiers.isEmpty
      ? nil
      : (PrefixCurveEngine(forest, setup.definition, warmup: warmup(in: forest)), .blocks)
  }

  /// The prompts that are run and not counted: by kvcache-simulator's definition, the first half.
  private func warmup(in forest: PromptForest) -> Int {
    setup.definition == .kvcacheSimulator ? max(forest.prompts / 2, warmup) : warmup
  }

  /// The rules for a policy: kvcache-simulator's FIFO knows no chains.
  func setup(of policy: PolicyChoice) -> PrefixSetup {
    var setup = setup
    if setup.definition == .kvcacheSimulator && policy.name == "fifo" { setup.residency = .free }
    return setup
  }

  /// The forest knows everything that a policy may read.
  func needs(of policy: PolicyChoice) -> RequestNeeds { [] }

  let readsStream = false

  func work(of cell: Cell, on stream: RequestStream) -> Int { forests.recorded.blocks }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let setup = setup(of: cell.policy)
    let forests = forests.forests(cell.variation, capacity: cell.capacity)
    let warmup = warmup(in: forests.whole)
    let start = ContinuousClock.now
    var workers: [PrefixCounts] = []
    var blocks = 0
    for worker in forests.workers {
      let before = blocks
      let counts = try run(
        cell, setup, on: worker.forest, warmup: worker.prompts(amongFirst: warmup)
      ) { observer(before + $0) }
      guard let counts else { return nil }
      workers.append(counts)
      blocks += worker.forest.blocks
    }
    let time = ContinuousClock.now - start
    return .measurement(
      measurement(of: cell, in: forests, workers, setup, warmup: warmup, seconds: time.seconds))
  }

  /// Runs the prompts of one worker.
  private func run(
    _ cell: Cell, _ setup: PrefixSetup, on forest: PromptForest, warmup: Int,
    observer: (Int) -> Bool
  ) throws(ExperimentError) -> PrefixCounts? {
    // There may be more workers than prompts.
    if forest.prompts == 0 { return PrefixCounts() }
    if order == nil && cell.policy.name == PrefixEngine.optimum {
      return tiers.isEmpty
        ? PrefixOptimum.run(
          forest, capacity: cell.capacity, warmup: warmup, observer: observer)
        : TieredCaches.optimum(
          forest, capacities: [cell.capacity] + tiers.map(\.blocks), warmup: warmup,
          observer: observer)
    }
    var options = PrefixOptions(cell.run)
    options.warmup = warmup
    if let order {
      options.run.arguments = order.arguments
      return order.entry.run(forest, options: options, observer: observer)
    }
    if !tiers.isEmpty {
      let all =
        [TieredCaches.Tier(cell.policy.entry.prefixes, options.run)]
        + tiers.map { tier in
          var run = options.run
          (run.capacity, run.arguments) = (tier.blocks, tier.choice.policy.arguments)
          return TieredCaches.Tier(tier.choice.policy.entry.prefixes, run)
        }
      return try ExperimentError.running { () throws(PolicyError) in
        try TieredCaches.run(
          forest, tiers: all, rules: setup.tierRules, warmup: warmup, observer: observer)
      }
    }
    options.keepsChains = setup.residency == .leaves
    return try ExperimentError.running { () throws(PolicyError) in
      try cell.policy.entry.prefixes.run(forest, options: options, observer: observer)
    }
  }

  private func measurement(
    of cell: Cell, in forests: WorkerForests, _ workers: [PrefixCounts], _ setup: PrefixSetup,
    warmup: Int, seconds: Double
  ) -> Measurement {
    let forest = forests.whole
    let counts = PrefixCounts(sum: workers)
    var measurement = cell.measurement
    if let order {
      measurement.policy = order.entry.information.name
      measurement.parameters = Measurement.parameters(order.arguments)
    }
    var prefix = PrefixMeasures()
    prefix.setup = setup
    // A cache that was not full counts nothing by that definition.
    if setup.definition != .kvcacheSimulator || counts.hadFilled {
      measurement.requests = counts.blocks
      measurement.hits = counts.hitBlocks
      prefix.prompts = counts.prompts
      prefix.blocks = counts.blocks
      prefix.hitBlocks = counts.hitBlocks
      prefix.tokens = counts.tokens
      prefix.hitTokens = counts.hitTokens
      prefix.orphans = counts.orphans
      if setup.isDivided {
        addWorkers(to: &prefix, of: cell, in: forests, workers, warmup: warmup)
      }
      let missed = counts.missedTokens.sorted()
      prefix.missedTokensP50 = missed.percentile(50)
      prefix.missedTokensP90 = missed.percentile(90)
      prefix.missedTokensP99 = missed.percentile(99)
      if !counts.tiers.isEmpty { record(counts, capacity: cell.capacity, in: &prefix) }
      if counts.prompts > 0 { prefix.meanHitRatio = counts.hitRatios / Double(counts.prompts) }
      if forest.sessions != nil && counts.tokens > 0 {
        prefix.sessionHitRatio = Double(counts.sessionHitTokens) / Double(counts.tokens)
      }
      if order == nil && cell.policy.name == PrefixEngine.optimum && counts.tokens > 0 {
        prefix.tokenHitRatioBound = Double(counts.mostTokens) / Double(counts.tokens)
      }
    }
    if let write {
      var rent = PromptRent()
      rent.timeToLive = write.timeToLive
      rent.writtenTokens = counts.writtenTokens
      rent.tokenHours = counts.tokenHours
      let pauses = forest.pauses(
        upTo: Int64(write.timeToLive) * 1_000_000_000, from: warmup)
      rent.pauses = pauses?.all
      rent.pausesWithin = pauses.flatMap {
        $0.all > 0 ? Double($0.within) / Double($0.all) : nil
      }
      prefix.rent = rent
    }
    if let bytesPerToken, let blockTokens = forest.blockTokens {
      let (block, isOver) = bytesPerToken.multipliedReportingOverflow(by: blockTokens)
      let (bytes, isBeyond) = block.multipliedReportingOverflow(by: cell.capacity)
      prefix.bytes = isOver || isBeyond ? nil : bytes
    }
    // A cache without limit of memory costs more than one of its capacity.
    if setup.prices != nil && !cell.policy.information.ignoresCapacity {
      prefix.costs = prefix.costs(hours: forest.hours(from: warmup), write: write)
    }
    measurement.insertions = counts.insertions
    measurement.evictions = counts.evictions
    measurement.prefix = prefix
    measurement.record(seconds: seconds, requestsRun: forest.blocks)
    return measurement
  }

  /// Adds what is known of several workers only.
  private func addWorkers(
    to prefix: inout PrefixMeasures, of cell: Cell, in forests: WorkerForests,
    _ workers: [PrefixCounts], warmup: Int
  ) {
    prefix.hitsByWorker = workers.map(\.hitBlocks)
    prefix.tokensByWorker = workers.map(\.tokens)
    prefix.replicas = forests.replicas
    if prefix.tokens == 0 { return }
    let busiest = prefix.tokensByWorker.max() ?? 0
    prefix.busiest = Double(busiest * workers.count) / Double(prefix.tokens)
    let isUnlimited = order == nil && cell.policy.information.ignoresCapacity
    let bound = self.forests.hindsight(
      of: forests, cell.variation,
      capacity: isUnlimited ? .max : cell.capacity + tiers.reduce(0) { $0 + $1.blocks },
      warmup: warmup)
    prefix.hindsightHitBlocks = bound.blocks
    prefix.hindsightTokenHitRatio = Double(bound.tokens) / Double(prefix.tokens)
  }

  /// Takes down the counts of tiers.
  private func record(_ counts: PrefixCounts, capacity: Int, in prefix: inout PrefixMeasures) {
    prefix.tierBlocks = [capacity] + tiers.map(\.blocks)
    prefix.hitsByTier = counts.tiers.map(\.hitBlocks)
    prefix.hitTokensByTier = counts.tiers.map(\.hitTokens)
    prefix.tokensRaisedByTier = counts.tiers.map(\.raisedTokens)
    prefix.tokensWrittenByTier = counts.tiers.map(\.enteredTokens)
    let loadTimes = tiers.map { $0.choice.loadTime.double }
    let computeTime = prefix.setup.computeTime
    if counts.prompts == 0 || computeTime == nil && loadTimes.allSatisfy({ $0 == 0 }) { return }
    var time = Double(counts.tokens - counts.hitTokens) * (computeTime ?? 0)
    for (tier, loadTime) in zip(counts.tiers.dropFirst(), loadTimes) {
      time += Double(tier.hitTokens) * loadTime
    }
    prefix.meanLoadTime = time / Double(counts.prompts)
  }
}

extension [Int] {
  /// The least value that `percent` % of the values, which rise, do not exceed: the nearest rank. Nil for none.
  fileprivate func percentile(_ percent: Int) -> Int? {
    isEmpty ? nil : self[(count * percent + 99) / 100 - 1]
  }
}
