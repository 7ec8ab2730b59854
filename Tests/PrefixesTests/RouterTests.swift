import EvictionCore
import Foundation
import Parameters
import Prefixes
import Requests
import Testing
import Traces

@Suite("Routers of prompts to workers")
struct RouterTests {
  private static let names = Routers.all.map { $0.information.name }

  /// The prompts of each worker, by the rule once more.
  private func division(_ router: String, _ random: RandomForest, workers: Int) -> [[Int]] {
    var division = [[Int]](repeating: [], count: workers)
    var sessions: [UInt32] = []
    for prompt in random.chains.indices {
      let session = random.sessions[prompt]
      if !sessions.contains(session) { sessions.append(session) }
      let worker: Int
      switch router {
      case "round-robin": worker = prompt % workers
      case "sticky": worker = sessions.firstIndex(of: session)! % workers
      case "least-loaded":
        let loads = division.map { prompts in
          prompts.reduce(0) { $0 + random.tokens[$1] + random.outputs[$1] }
        }
        worker = loads.firstIndex(of: loads.min()!)!
      default: preconditionFailure("the rule of \(router) is missing here")
      }
      division[worker].append(prompt)
    }
    return division
  }

  private func divided(
    _ router: String, _ forest: PromptForest, workers: Int
  ) throws -> WorkerForests {
    let router = try #require(Routers.named(router))
    return WorkerForests(forest, router: router, workers: workers)
  }

  @Test("The catalog lists every file of the routers' folder")
  func everyFileIsRegistered() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().appending(
      path: "../../../Sources/Prefixes/Routers")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.standardized.path)
    #expect(
      files.filter { $0 != "Router.swift" }.sorted()
        == Routers.all.map { "\($0).swift" }.sorted())
    #expect(Set(Self.names).count == Self.names.count)
  }

  @Test("Workers hit what naive caches of their prompts hit", arguments: names)
  func naiveModels(router: String) throws {
    for seed in 0..<200 as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 40, longest: 1 + Int(seed % 9), hasEqualBlocks: seed % 4 < 2)
      let (workers, capacity) = (1 + Int(seed % 5), 2 + Int(seed % 14))
      let wholeTokens = random.wholeTokens
      let expected = division(router, random, workers: workers)
      let forests = try divided(router, random.forest, workers: workers)
      #expect(forests.workers.map(\.forest.prompts) == expected.map(\.count), "seed \(seed)")
      for order in [NaivePrefixCache.Order.lru, .fifo, .lfu] {
        var hits = (blocks: 0, tokens: 0)
        for prompts in expected {
          // Each has the whole capacity.
          var model = NaivePrefixCache(order, capacity: capacity)
          for prompt in prompts {
            model.serve(
              random.chains[prompt], tokens: random.tokens[prompt],
              wholeTokens: wholeTokens[prompt])
          }
          hits.blocks += model.hitBlocks
          hits.tokens += model.hitTokens
        }
        let counts = PrefixCounts(
          sum: try forests.workers.filter { $0.forest.prompts > 0 }.map {
            try PrefixCacheTests.run(order.rawValue, $0.forest, capacity: capacity)
          })
        #expect(counts.hitBlocks == hits.blocks, "\(order), seed \(seed)")
        #expect(counts.hitTokens == hits.tokens, "\(order), seed \(seed)")
        #expect(counts.tokens == random.tokens.reduce(0, +) && counts.prompts == 40)
      }
    }
  }

  @Test("A worker runs as the only cache of a trace that holds only its prompts", arguments: names)
  func singleRuns(router: String) throws {
    for seed in 0..<20 as Range<UInt64> {
      let random = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7))
      let (workers, capacity) = (2 + Int(seed % 3), 3 + Int(seed % 9))
      let warmup = Int(seed % 30)
      let forests = try divided(router, random.forest, workers: workers)
      for (worker, prompts) in zip(
        forests.workers, division(router, random, workers: workers))
      where !prompts.isEmpty {
        let alone = random.prompts(prompts).forest
        let (forest, first) = (worker.forest, worker.prompts(amongFirst: warmup))
        #expect(first == prompts.filter { $0 < warmup }.count)
        for policy in ["lru", "arc", "wtinylfu"] {
          #expect(
            try PrefixCacheTests.run(policy, forest, capacity: capacity, warmup: first)
              == PrefixCacheTests.run(policy, alone, capacity: capacity, warmup: first))
        }
        for order in LeafOrders.all {
          let options = PrefixOptions(
            RunOptions(
              capacity: capacity, arguments: Arguments(parameters: order.information.parameters)),
            warmup: first)
          #expect(order.run(forest, options: options) == order.run(alone, options: options))
        }
        #expect(
          PrefixOptimum.run(forest, capacity: capacity, warmup: first)
            == PrefixOptimum.run(alone, capacity: capacity, warmup: first))
      }
    }
  }

  @Test("One worker has all prompts", arguments: names)
  func oneWorker(router: String) throws {
    let forest = RandomForest(seed: 5, prompts: 80, longest: 6).forest
    let one = try divided(router, forest, workers: 1)
    #expect(one.workers.count == 1 && one.workers[0].prompts(amongFirst: 30) == 30)
    for policy in ["lru", "fifo", "arc", "lfu"] {
      let counts = try PrefixCacheTests.run(policy, one.workers[0].forest, capacity: 12)
      #expect(try PrefixCacheTests.run(policy, forest, capacity: 12) == counts)
      #expect(PrefixCounts(sum: [counts]) == counts)
    }
    let none = WorkerForests(forest, router: nil, workers: 1)
    #expect(none.workers.count == 1 && none.workers[0].forest === forest)
  }

  @Test("Prompts of a worker keep their times")
  func times() throws {
    let trace = Trace.of(
      [0, 1, 0, 1], times: [10, 20, 30, 40], groupStarts: [0, 1, 2, 3],
      prompts: PromptColumns(
        blockTokens: 1, lengths: [1, 1, 1, 1].map { PromptLengths(input: $0) }))
    let forest = try #require(PromptForest(trace))
    #expect(forest.times == [10, 20, 30, 40])
    let forests = try divided("round-robin", forest, workers: 2)
    #expect(forests.workers.map(\.forest.times) == [[10, 30], [20, 40]])
  }

  @Test("The usual router goes by sessions where there are any")
  func usual() throws {
    let random = RandomForest(seed: 1, prompts: 5, longest: 3)
    #expect(Routers.usual(for: random.forest).information.name == "sticky")
    let trace = Trace.of(
      [0], groupStarts: [0],
      prompts: PromptColumns(blockTokens: 1, lengths: [PromptLengths(input: 1)]))
    let forest = try #require(PromptForest(trace))
    #expect(Routers.usual(for: forest).information.name == "round-robin")
  }
}
