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
  /// Few prompts are out of balance by the usual parameters.
  private static let routers =
    names + [
      "longest-prefix:match=0:difference=2:ratio=1.25",
      "longest-prefix:match=0.25:difference=0:ratio=1",
    ]

  /// The prompts of each worker, by the rule once more. Changes say the number of the first prompt after them, and the
  /// worker that is lost.
  private func division(
    _ text: String, _ random: RandomForest, workers: Int, capacity: Int,
    changes: [(at: Int, lost: Int?)] = []
  ) throws -> [[Int]] {
    let specification = try Specification(parsing: text)
    var given: [String: Double] = ["match": 0.5, "difference": 32, "ratio": 1.1]
    for (key, value) in specification.given { given[key] = Double(value) }
    let (match, difference, ratio) = (given["match"]!, given["difference"]!, given["ratio"]!)
    var division: [[Int]] = []
    var present: [Int] = []
    // What an added worker counts as if it had it.
    var lead: [(prompts: Int, tokens: Int)] = []
    var records: [NaivePrefixCache] = []
    var sessions: [UInt32] = []
    var homes: [UInt32: Int] = [:]
    func prompts(_ worker: Int) -> Int { lead[worker].prompts + division[worker].count }
    func tokens(_ worker: Int) -> Int {
      division[worker].reduce(lead[worker].tokens) { $0 + random.tokens[$1] + random.outputs[$1] }
    }
    func least(_ workers: [Int], _ load: (Int) -> Int) -> Int {
      workers.first { worker in workers.allSatisfy { load(worker) <= load($0) } }!
    }
    func add() {
      let fewest = present.map(prompts).min() ?? 0
      lead.append((fewest, present.map(tokens).min() ?? 0))
      records.append(NaivePrefixCache(.lru, capacity: capacity))
      present.append(division.count)
      division.append([])
    }
    for _ in 0..<workers { add() }
    for prompt in random.chains.indices {
      for change in changes where change.at == prompt {
        if let lost = change.lost { present.removeAll { $0 == lost } } else { add() }
      }
      let session = random.sessions[prompt]
      if !sessions.contains(session) { sessions.append(session) }
      let worker: Int
      switch specification.name {
      case "round-robin": worker = present[prompt % present.count]
      case "sticky":
        if homes[session].map({ !present.contains($0) }) ?? true {
          homes[session] = present[sessions.firstIndex(of: session)! % present.count]
        }
        worker = homes[session]!
      case "least-loaded": worker = least(present, tokens)
      case "longest-prefix":
        let (fewest, most) = (present.map(prompts).min()!, present.map(prompts).max()!)
        if Double(most - fewest) > difference && Double(most) > ratio * Double(fewest) {
          worker = least(present, prompts)
          break
        }
        let chain = random.chains[prompt]
        func length(_ worker: Int) -> Int {
          chain.prefix { records[worker].parents[$0] != nil }.count
        }
        let longest = present.map(length).max()!
        let found = min(
          random.wholeTokens[prompt].prefix(longest).reduce(0, +), random.tokens[prompt])
        let isMatch = Double(found) > match * Double(random.tokens[prompt])
        worker = least(isMatch ? present.filter { length($0) == longest } : present, tokens)
      default: preconditionFailure("the rule of \(text) is missing here")
      }
      records[worker].serve(
        random.chains[prompt], tokens: random.tokens[prompt],
        wholeTokens: random.wholeTokens[prompt])
      division[worker].append(prompt)
    }
    return division
  }

  private func divided(
    _ router: String, _ forest: PromptForest, workers: Int, capacity: Int, changes: String = ""
  ) throws -> WorkerForests {
    let router = try #require(try RouterChoice(parsing: router))
    let changes =
      changes.isEmpty ? .none : try WorkerChanges(parsing: changes, workers: workers)
    return WorkerForests(
      forest, Workers(router, count: workers, changes: changes), capacity: capacity)
  }

  @Test("The catalog lists every file of the routers' folder")
  func everyFileIsRegistered() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().appending(
      path: "../../../Sources/Prefixes/Routers")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.standardized.path)
    #expect(files.sorted() == Routers.all.map { "\($0).swift" }.sorted())
    #expect(Set(Self.names).count == Self.names.count)
  }

  @Test("Workers hit what naive caches of their prompts hit", arguments: routers)
  func naiveModels(router: String) throws {
    for seed in 0..<200 as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 40, longest: 1 + Int(seed % 9), hasEqualBlocks: seed % 4 < 2)
      let (workers, capacity) = (1 + Int(seed % 5), 2 + Int(seed % 14))
      let wholeTokens = random.wholeTokens
      let expected = try division(router, random, workers: workers, capacity: capacity)
      let forests = try divided(router, random.forest, workers: workers, capacity: capacity)
      let distinct = expected.map { Set($0.flatMap { random.chains[$0] }).count }.reduce(0, +)
      #expect(
        forests.replicas == Double(distinct) / Double(Set(random.chains.joined()).count))
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

  @Test(
    "A worker runs as the only cache of a trace that holds only its prompts", arguments: routers)
  func singleRuns(router: String) throws {
    for seed in 0..<20 as Range<UInt64> {
      let random = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7))
      let (workers, capacity) = (2 + Int(seed % 3), 3 + Int(seed % 9))
      let warmup = Int(seed % 30)
      let forests = try divided(router, random.forest, workers: workers, capacity: capacity)
      for (worker, prompts) in zip(
        forests.workers, try division(router, random, workers: workers, capacity: capacity))
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
    let one = try divided(router, forest, workers: 1, capacity: 12)
    #expect(one.workers.count == 1 && one.workers[0].prompts(amongFirst: 30) == 30)
    for policy in ["lru", "fifo", "arc", "lfu"] {
      let counts = try PrefixCacheTests.run(policy, one.workers[0].forest, capacity: 12)
      #expect(try PrefixCacheTests.run(policy, forest, capacity: 12) == counts)
      #expect(PrefixCounts(sum: [counts]) == counts)
    }
    let none = WorkerForests(forest, Workers(nil, count: 1), capacity: 12)
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
    let forests = try divided("round-robin", forest, workers: 2, capacity: 2)
    #expect(forests.workers.map(\.forest.times) == [[10, 30], [20, 40]])
  }

  @Test("Workers are lost and added", arguments: routers)
  func changes(router: String) throws {
    for seed in 0..<100 as Range<UInt64> {
      let random = RandomForest(
        seed: seed, prompts: 60, longest: 1 + Int(seed % 6), hasEqualBlocks: seed % 2 == 0)
      let capacity = 2 + Int(seed % 14)
      let forests = try divided(
        router, random.forest, workers: 2, capacity: capacity,
        changes: "lose:worker=1:at=15,add:at=20,add:at=20,lose:worker=0:at=40,lose:worker=3:at=55")
      let expected = try division(
        router, random, workers: 2, capacity: capacity,
        changes: [(15, 1), (20, nil), (20, nil), (40, 0), (55, 3)])
      #expect(forests.workers.map(\.forest.prompts) == expected.map(\.count), "seed \(seed)")
      for (worker, prompts) in zip(forests.workers, expected) {
        #expect(worker.forest.tokens == prompts.map { random.tokens[$0] }, "seed \(seed)")
      }
      #expect(expected[1].allSatisfy { $0 < 15 } && expected[3].allSatisfy { 20..<55 ~= $0 })
      let halves = try divided(
        router, random.forest, workers: 2, capacity: capacity,
        changes: "lose:worker=1:at=25%,add:at=50%")
      #expect(
        try division(
          router, random, workers: 2, capacity: capacity, changes: [(15, 1), (30, nil)]
        ).map(\.count) == halves.workers.map(\.forest.prompts))
    }
  }

  @Test("The most workers that are there at a time")
  func most() throws {
    for (text, most) in [("lose:worker=1:at=1,add:at=2", 2), ("add:at=1,lose:worker=0:at=2", 3)] {
      let changes = try WorkerChanges(parsing: text, workers: 2)
      #expect(Workers(nil, count: 2, changes: changes).most == most)
      #expect(changes.description == text)
    }
  }

  @Test(
    "Changes that cannot be name the remedy",
    arguments: [
      ("lose:worker=2:at=50%", "no worker 2 is there then; give one of 0, 1"),
      ("lose:worker=0:at=1,lose:worker=1:at=2", "worker 1 is the last one; add another before"),
      ("lose:worker=0:at=1,lose:worker=0:at=2", "no worker 0 is there then; give one of 1"),
      ("add:at=2,add:at=1", "write changes in order of time"),
      ("add:at=50%,add:at=49.9%", "write changes in order of time"),
      ("add:at=1,add:at=50%", "write all as fractions (50%) or as numbers (2000)"),
      ("add:at=0", "give a fraction between 0% and 100%"),
      ("add:at=100%", "give a fraction between 0% and 100%"),
      ("add:at=1.5", "give a fraction between 0% and 100%"),
      ("add", "“at” is missing"), ("lose:at=5", "“worker” is missing"),
      ("drop:at=5", "write lose:worker=2:at=50% or add:at=75%"), ("", "it is no change"),
      ("add:worker=1:at=5", "add has no parameter “worker”"),
      ("lose:worker=x:at=5", "worker=x is out of range"),
    ])
  func refusedChanges(text: String, message: String) throws {
    let error = #expect(throws: WorkerChangeError.self) {
      try WorkerChanges(parsing: text, workers: 2)
    }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test("The record of what a worker was sent is the cache of lru")
  func records() throws {
    for seed in 0..<200 as Range<UInt64> {
      let random = RandomForest(seed: seed, prompts: 120, longest: 1 + Int(seed % 9))
      let capacity = 1 + Int(seed % 17)
      let segments = random.forest.segments
      var record = SentPrefixes(capacity: capacity)
      var model = NaivePrefixCache(.lru, capacity: capacity)
      var blocks = 0
      for (prompt, chain) in random.chains.enumerated() {
        let sent = segments.chain(of: prompt)
        let found = record.blocks(of: sent, of: segments)
        #expect(found == chain.prefix { model.parents[$0] != nil }.count, "seed \(seed)")
        blocks += found
        record.send(sent, of: segments)
        model.serve(
          chain, tokens: random.tokens[prompt], wholeTokens: random.wholeTokens[prompt])
      }
      #expect(
        try PrefixCacheTests.run("lru", random.forest, capacity: capacity).hitBlocks == blocks)
    }
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
