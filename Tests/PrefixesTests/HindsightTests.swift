import EvictionCore
import Parameters
import Prefixes
import Requests
import TestConditions
import Testing

@Suite("The most that workers can hit")
struct HindsightTests {
  private static let routers = [
    "round-robin", "sticky", "least-loaded", "longest-prefix",
    "longest-prefix:match=0:difference=1:ratio=1",
  ]

  private static func workers(_ router: String, count: Int, changes: String) throws -> Workers {
    let router = try #require(try RouterChoice(parsing: router))
    return Workers(
      router, count: count,
      changes: changes.isEmpty ? .none : try WorkerChanges(parsing: changes, workers: count))
  }

  @Test("No router and no policy hits more", arguments: routers)
  func everyPolicy(router: String) throws {
    for seed in 0..<(isOptimized ? 60 : 12) as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 50, longest: 1 + Int(seed % 8), hasEqualBlocks: seed % 3 > 0)
      let (count, capacity, warmup) = (1 + Int(seed % 4), 2 + Int(seed % 11), Int(seed % 5) * 8)
      let workers = try Self.workers(
        router, count: count,
        changes: ["", "add:at=10", "add:at=20,lose:worker=0:at=30"][Int(seed / 4 % 3)])
      let forest = random.forest
      let bound = PrefixOptimum.hindsight(
        forest, capacity: capacity, workers: workers.most, warmup: warmup)
      let forests = WorkerForests(forest, workers, capacity: capacity)
      func check(_ name: String, _ run: (PromptForest, Int) throws -> PrefixCounts?) throws {
        let counts = PrefixCounts(
          sum: try forests.workers.filter { $0.forest.prompts > 0 }.map {
            try #require(try run($0.forest, $0.prompts(amongFirst: warmup)))
          })
        #expect(counts.hitBlocks <= bound.blocks, "\(name), seed \(seed)")
        #expect(counts.hitTokens <= bound.tokens, "\(name), seed \(seed)")
      }
      for simulator in PrefixSimulator.catalog {
        let information = simulator.description.information
        if information.isBound || information.ignoresCapacity { continue }
        for keepsChains in [true, false] where simulator.keepsChains || !keepsChains {
          try check(information.name) { part, first in
            let arguments = try simulator.description.arguments(
              of: Specification(name: information.name))
            let options = PrefixOptions(
              RunOptions(capacity: capacity, arguments: arguments), keepsChains: keepsChains,
              warmup: first)
            // Some need more room.
            return (try? simulator.run(part, options: options)) ?? PrefixCounts()
          }
        }
      }
      for order in LeafOrders.all {
        try check(order.information.name) { part, first in
          order.run(
            part,
            options: PrefixOptions(
              RunOptions(
                capacity: capacity, arguments: Arguments(parameters: order.information.parameters)),
              warmup: first))
        }
      }
      try check("opt") { part, first in
        PrefixOptimum.run(part, capacity: capacity, warmup: first)
      }
    }
  }

  /// Every division of the prompts between two workers, with everything that their caches may hold.
  @Test("No division and no sets of blocks hit more")
  func exhaustion() {
    var reached = 0
    for seed in 0..<(isOptimized ? 120 : 30) as Range<UInt64> {
      let random = RandomForest(seed: seed, prompts: 7, longest: 3)
      let chains = random.chains
      if chains.joined().contains(where: { $0 >= 16 }) { continue }
      let (capacity, warmup) = (1 + Int(seed % 3), Int(seed % 4))
      let forest = random.forest
      let one = PrefixOptimum.hindsight(forest, capacity: capacity, workers: 1, warmup: warmup)
      #expect(
        one.blocks == exhaustiveOptimum(chains, capacity: capacity, from: warmup), "seed \(seed)")
      let bound = PrefixOptimum.hindsight(forest, capacity: capacity, workers: 2, warmup: warmup)
      var best = 0
      for division in 0..<1 << chains.count {
        let hits = [0, 1].map { worker in
          let prompts = chains.indices.filter { division >> $0 & 1 == worker }
          return exhaustiveOptimum(
            prompts.map { chains[$0] }, capacity: capacity,
            from: prompts.filter { $0 < warmup }.count)
        }
        best = max(best, hits[0] + hits[1])
      }
      #expect(best <= bound.blocks, "seed \(seed)")
      if best == bound.blocks { reached += 1 }
    }
    #expect(reached > (isOptimized ? 10 : 2))
  }

  @Test("One worker without a warm-up hits most as the optimum")
  func oneWorker() throws {
    for seed in 0..<50 as Range<UInt64> {
      let forest = RandomForest(
        seed: seed, prompts: 60, longest: 7, hasEqualBlocks: seed % 2 == 0
      ).forest
      for capacity in [1, 3, 9, 40] {
        let optimum = try #require(PrefixOptimum.run(forest, capacity: capacity))
        let bound = PrefixOptimum.hindsight(forest, capacity: capacity, workers: 1)
        #expect(bound.blocks == optimum.hitBlocks && bound.tokens <= optimum.mostTokens)
      }
    }
  }

  /// With room for one block the optimum of all prompts keeps one that the warm-up needs first, and then counts no hit.
  @Test("Hits of a warm-up do not count")
  func warmup() throws {
    let random = RandomForest(seed: 0, prompts: 40, longest: 4)
    let other = try #require(random.chains.firstIndex { $0[0] != random.chains[0][0] })
    let forest = random.prompts([0, other, 0, other]).forest
    let optimum = try #require(PrefixOptimum.run(forest, capacity: 1, warmup: 3))
    #expect(optimum.hitBlocks == 0)
    #expect(optimum.mostTokens == forest.tokens(ofFirst: 1, of: 3))
    #expect(
      PrefixOptimum.hindsight(forest, capacity: 1, workers: 1, warmup: 3).blocks == 1)
  }
}
