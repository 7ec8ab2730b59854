import Results
import Testing

/// `evict prefix` as a process.
@Suite struct PrefixCommandTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
    let lines = (0..<40).map { turn in
      let blocks = (0...turn % 4).map { "\(100 * (turn % 3) + $0)" }.joined(separator: ",")
      return
        #"{"timestamp": \#(turn), "input_length": \#(8 * (turn % 4) + 5), "hash_ids": [\#(blocks)]}"#
    }
    try shell.write(lines.joined(separator: "\n") + "\n", to: "chat.jsonl")
  }

  @Test func countsTokensOfPrefixes() async throws {
    let outcome = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru,opt,reuse-odds"
        + " --capacity 4,8 --format json")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(results.measurements.count == 6)
    for measurement in results.measurements {
      let prefix = try #require(measurement.prefix)
      #expect(measurement.kind == .prefix && measurement.unit == .blocks)
      #expect(prefix.prompts == 40 && prefix.blocks == 100 && prefix.tokens == 680)
      #expect(prefix.hitTokens <= prefix.tokens)
      #expect((measurement.distanceToOptimum ?? -1) >= 0)
    }
  }

  @Test(arguments: ["own", "mooncake", "aiperf", "kvcache-simulator"])
  func theCurveMeetsEveryRowOfLRU(definition: String) async throws {
    let outcome = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --as \(definition)"
        + " --capacity 1,2,3,4,5,6,7,8,9,10,11,12 --curve --format json")
    #expect(outcome.errors == "" || definition == "kvcache-simulator")
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    let curve = try #require(results.references.first)
    #expect(curve.policy == "lru" && curve.unit == .blocks && curve.isExact)
    #expect(curve.definition?.rawValue == definition && curve.method == .stackDistances)
    #expect(results.measurements.count > 5)
    for measurement in results.measurements {
      let missRatio = try #require(curve.missRatio(at: measurement.capacity))
      let hitRatio = try #require(measurement.definedHitRatio)
      #expect(abs(1 - missRatio - hitRatio) < 1e-9, "\(measurement.capacity)")
    }
    let table = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --as \(definition)"
        + " --capacity 4 --curve")
    #expect(table.code == 0)
    #expect(table.output.contains("The curve of lru on chat.jsonl bends most at "))
  }

  @Test func theCurveIsOfChains() async throws {
    for (option, name) in [("--free", "--free"), ("--warmup 3", "--warmup")] {
      let outcome = try await shell.run("evict prefix chat.jsonl --curve \(option)")
      #expect(outcome.code == 64 && outcome.errors.contains("leave out \(name)"), "\(outcome)")
    }
    let free = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --free --capacity 4"
        + " --format json")
    #expect(try ResultSet(reading: free.output.utf8, file: "prefix").references.isEmpty)
  }

  @Test func bytesAreBlocksOfTokens() async throws {
    let outcome = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --capacity 1KiB"
        + " --bytes-per-token 16 --format json")
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(results.measurements.map(\.capacity) == [8])
    #expect(results.measurements.map(\.prefix?.bytes) == [1024])
  }

  @Test(arguments: [
    ("--policy plru", "plru is left out: it cannot pass over blocks that others follow", 64),
    ("--capacity 1GiB", "a capacity in bytes needs the bytes of a token", 64),
    ("--policy lru,depth-cost --free", "depth-cost is left out: it ranks the ends of chains", 64),
    ("--policy nosuch", "reuse-odds", 64),
    ("--policy lru:admission=tinylfu", "a cache of prefixes has no admission filter", 64),
    ("--workers 0", "--workers 0 is out of range; give 1 to 1000", 64),
    ("--workers 2 --router nosuch", "'sticky', 'least-loaded' or 'longest-prefix'", 64),
    ("--workers 2 --router longest-prefix:match=2", "match=2 is out of range; give 0…1", 64),
    ("--workers 2 --router sticky:match=0", "sticky has no parameter “match”", 64),
    ("--worker-changes add:at=5", "give their number, --workers 4", 64),
    ("--workers 2 --worker-changes add:at=5 --prices p.json", "leave out --worker-changes", 64),
    ("--workers 2 --worker-changes lose:worker=2:at=5", "give one of 0, 1", 64),
    ("--workers 1 --worker-changes lose:worker=0:at=5", "worker 0 is the last one", 64),
    ("--workers 2 --worker-changes add:at=40", "give a smaller number or a fraction (50%)", 64),
    ("--workers 1 --worker-changes add:at=5 --curve", "leave out --worker-changes", 64),
    ("--router round-robin", "give their number, --workers 4", 64),
    ("--workers 2 --curve", "leave out --workers", 64),
    ("--workers 2 --router sticky", "give round-robin or least-loaded or longest-prefix", 65),
    ("--tiers host:capacity=0", "tier host: “0” is no capacity", 64),
    ("--tiers host", "tier host: it has no capacity; give one: host:capacity=5%", 64),
    ("--tiers :capacity=4", "it has no name; give one: host:capacity=4", 64),
    ("--tiers host:size=4", "host has no parameter “size”; it has capacity, policy, load", 64),
    ("--tiers host:capacity=4:policy=plru", "tier host: plru cannot run there", 64),
    ("--tiers a:capacity=4,a:capacity=9", "tier a: another tier has that name", 64),
    ("--tiers host:capacity=4 --policy session", "session is left out: it ranks whole prompts", 64),
    ("--tiers host:capacity=4 --curve", "--curve is of one cache; leave out --tiers", 64),
    ("--tiers host:capacity=4 --free", "leave out --free", 64),
    ("--tiers host:capacity=4 --prices p.json", "--prices are of one cache; leave out --tiers", 64),
    ("--tiers host:capacity=4 --as kvcache-simulator", "leave out --tiers", 64),
    ("--tiers host:capacity=4 --tier-rules nosuch", "'--tier-rules <rules>'", 64),
    ("--tier-rules inclusive", "--tier-rules goes with tiers below the device", 64),
    ("--compute 3", "--compute goes with tiers below the device", 64),
  ])
  func refusalsNameTheRemedy(_ options: String, _ message: String, _ code: Int32) async throws {
    let outcome = try await shell.run(
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru --capacity 4 \(options)"
    )
    #expect(outcome.errors.contains(message) && outcome.code == code)
  }

  @Test(arguments: ["exclusive", "inclusive", "write-back:promotion=second"])
  func tiersAddUp(rules: String) async throws {
    let command =
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru,arc,opt --capacity 2"
      + " --tiers host:capacity=3:load=2,disk:capacity=50%:policy=slru:policy.protected=0.7:load=10"
      + " --compute 100 --tier-rules \(rules)"
    for workers in [1, 2] {
      let outcome = try await shell.run("\(command) --workers \(workers) --format json")
      #expect(outcome.errors == "" && outcome.code == 0)
      let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
      #expect(results.references.isEmpty && results.measurements.count == 3)
      for measurement in results.measurements {
        let prefix = try #require(measurement.prefix)
        #expect(CellKey(measurement).label.contains("tiers host:capacity=3"))
        #expect((measurement.distanceToOptimum ?? -1) >= 0)
        if measurement.policy == "opt" {
          #expect(prefix.hitsByTier.isEmpty && prefix.meanLoadTime == nil)
          continue
        }
        #expect(prefix.tierBlocks == [2, 3, 6])
        #expect(prefix.hitsByTier.reduce(0, +) == prefix.hitBlocks)
        #expect(prefix.hitTokensByTier.reduce(0, +) == prefix.hitTokens)
        let time =
          100 * (prefix.tokens - prefix.hitTokens) + 2 * prefix.hitTokensByTier[1]
          + 10 * prefix.hitTokensByTier[2]
        #expect(prefix.meanLoadTime == Double(time) / 40)
      }
    }
    let table = try await shell.run("\(command) --wide")
    #expect(table.output.contains("device %") && table.output.contains("tier 3 %"))
    #expect(!table.output.contains("tier 4 %"))
  }

  /// 64 workers are more than there are prompts.
  @Test(arguments: [2, 64])
  func workersAddUp(workers: Int) async throws {
    let command =
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru,opt,frequency --capacity 4"
    let outcome = try await shell.run("\(command) --workers \(workers) --format json")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(results.references.isEmpty && results.measurements.count == 3)
    for measurement in results.measurements {
      let prefix = try #require(measurement.prefix)
      #expect(prefix.setup == PrefixSetup(workers: workers, router: "round-robin"))
      #expect(CellKey(measurement).label.hasSuffix(", \(workers) workers, round-robin"))
      #expect(prefix.prompts == 40 && prefix.tokens == 680 && measurement.capacity == 4)
      #expect(prefix.hitsByWorker.count == workers && prefix.tokensByWorker.count == workers)
      #expect(prefix.hitsByWorker.reduce(0, +) == prefix.hitBlocks)
      #expect(prefix.tokensByWorker.reduce(0, +) == 680)
      #expect(prefix.hindsightHitBlocks ?? 0 >= prefix.hitBlocks)
      #expect(prefix.hindsightTokenHitRatio ?? 0 >= prefix.tokenHitRatio ?? 1)
      #expect(prefix.busiest ?? 0 >= 1 && prefix.replicas ?? 0 >= 1)
      #expect((measurement.distanceToOptimum ?? -1) >= 0)
    }
    let table = try await shell.run("\(command) --workers \(workers) --router least-loaded")
    #expect(table.output.contains("workers") && table.output.contains("least-loaded"))
  }

  @Test(arguments: ["round-robin", "sticky", "least-loaded", "longest-prefix"])
  func oneWorkerIsTheCacheOfAll(router: String) async throws {
    let command =
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru,arc,opt,session --capacity 4,8"
    let plain = try await shell.run("\(command) --format json").output
    let routed = try await shell.run("\(command) --workers 1 --router \(router) --format json")
    let (all, one) = (
      try ResultSet(reading: plain.utf8, file: "a").measurements,
      try ResultSet(reading: routed.output.utf8, file: "b").measurements
    )
    #expect(one.count == 8 && one.map { CellKey($0) } == all.map { CellKey($0) })
    #expect(one.map(\.prefix) == all.map(\.prefix))
    let table = try await shell.run("\(command) --workers 1 --router \(router)")
    #expect(table.code == 0 && !table.output.contains("workers"))
  }

  @Test(arguments: ["round-robin", "least-loaded", "longest-prefix:match=0"])
  func lostWorkersGetNoMorePrompts(router: String) async throws {
    let command =
      "evict prefix chat.jsonl --trace-format mooncake:block=8 --policy lru,opt --capacity 4 --workers 2"
      + " --router \(router)"
    let changes = "lose:worker=0:at=25%,add:at=50%"
    let outcome = try await shell.run(
      "\(command) --worker-changes \(changes) --format json")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(results.measurements.count == 2)
    for measurement in results.measurements {
      let prefix = try #require(measurement.prefix)
      #expect(
        prefix.setup == PrefixSetup(workers: 2, router: router, workerChanges: changes))
      #expect(CellKey(measurement).label.hasSuffix(", 2 workers, \(router), \(changes)"))
      #expect(
        prefix.hitsByWorker.count == 3 && prefix.hitsByWorker.reduce(0, +) == prefix.hitBlocks)
      #expect(prefix.tokensByWorker.reduce(0, +) == 680)
      #expect(prefix.hindsightHitBlocks ?? 0 >= prefix.hitBlocks)
    }
    let plain = try ResultSet(
      reading: try await shell.run("\(command) --format json").output.utf8, file: "plain")
    #expect(
      Set(plain.measurements.map { CellKey($0) }).isDisjoint(
        with: results.measurements.map { CellKey($0) }))
    let table = try await shell.run("\(command) --worker-changes \(changes) --wide")
    for column in ["changes", "any router ≤ %", "busiest / mean", "replicas"] {
      #expect(table.output.contains(column))
    }
  }

  @Test func sessionsStayWithTheirWorkers() async throws {
    // Two sessions by turns, each with prompts of its own.
    let lines = (0..<8).map {
      #"{"session_id": "\#("ab".dropFirst($0 % 2).prefix(1))", "timestamp": \#($0), "input_length": 16, "hash_ids": [\#($0 % 2), \#(2 + $0)]}"#
    }
    try shell.write(lines.joined(separator: "\n") + "\n", to: "two.jsonl")
    let outcome = try await shell.run(
      "evict prefix two.jsonl --trace-format mooncake:block=8 --policy lru --capacity 2 --workers 2"
        + " --format json")
    #expect(outcome.errors == "" && outcome.code == 0)
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(results.measurements.map(\.prefix?.setup.router) == ["sticky"])
    #expect(results.measurements.map(\.prefix?.hitsByWorker) == [[3, 3]])
    #expect(results.measurements.map(\.prefix?.tokensByWorker) == [[64, 64]])
  }

  /// The chunks a b c, then a b d, then a c, then a b c; a holds 10 tokens, b 3, c 7, d 1.
  private func writeChunks() throws {
    func prompt(_ input: Int, _ system: String, _ passages: String) -> String {
      #"{"timestamp": "1", "input_length": \#(input), "hash_ids": {"sys_prompt": [\#(system)], "passages_ids": [\#(passages)]}}"#
        + "\n"
    }
    try shell.write(
      #"{"sys_prompt_id": 1, "token_length": 10}"# + "\n"
        + #"{"sys_prompt_id": 2, "token_length": 3}"# + "\n", to: "1_sys_prompt.jsonl")
    try shell.write(
      #"{"passage_id": 3, "token_length": 7}"# + "\n"
        + #"{"passage_id": 4, "token_length": 1}"# + "\n", to: "2_passages.jsonl")
    try shell.write(
      prompt(22, "1, 2", "3") + prompt(14, "1, 2", "4") + prompt(17, "1", "3")
        + prompt(22, "1, 2", "3"), to: "0_trace.jsonl")
  }

  @Test func chunksCountTheirTokens() async throws {
    try writeChunks()
    let outcome = try await shell.run(
      "evict prefix 0_trace.jsonl --policy lru,opt --capacity 2,3 --format json")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("2 of 4 prompts have tokens beyond their blocks"))
    let results = try ResultSet(reading: outcome.output.utf8, file: "prefix")
    #expect(results.measurements.map(\.policy) == ["lru", "opt", "lru", "opt"])
    #expect(results.measurements.map(\.prefix?.hitTokens) == [33, 36, 36, 43])
    #expect(results.measurements.allSatisfy { $0.prefix?.tokens == 75 })
    #expect(
      results.measurements.map(\.prefix?.tokenHitRatioBound) == [nil, 40.0 / 75, nil, 43.0 / 75])
    let bytes = try await shell.run(
      "evict prefix 0_trace.jsonl --policy lru --capacity 1KiB --bytes-per-token 16")
    #expect(
      bytes.errors.contains("0_trace.jsonl: its blocks differ in tokens, so 1KiB are no number"))
    #expect(bytes.code == 64)
    let info = try await shell.run("evict trace info 0_trace.jsonl")
    #expect(info.errors == "" && info.output.contains("reusable tokens"))
  }

  @Test(arguments: [
    (#"{"t": 0, "layer": 3, "experts": [17, 4]}"#, "the experts of a token are a set"),
    (
      #"{"ts": 1, "type": "BlockStored", "block_hashes": [71, 72], "parent_block_hash": null, "block_size": 16}"#,
      "its events are the blocks that missed in an engine's cache"
    ),
  ])
  func tracesWithoutChainsNameTheWayOn(_ line: String, _ reason: String) async throws {
    try shell.write(line + "\n" + line + "\n", to: "x.jsonl")
    let prefix = try await shell.run("evict prefix x.jsonl --policy lru --capacity 4")
    #expect(prefix.errors.contains(reason) && prefix.errors.contains("evict sweep"))
    #expect(prefix.code == 65)
    let sweep = try await shell.run("evict sweep x.jsonl --policy lru --capacity 4 --format json")
    #expect(sweep.errors == "" && sweep.code == 0)
    let info = try await shell.run("evict trace info x.jsonl")
    #expect(info.errors == "" && info.code == 0)
  }

  @Test func aTraceWithoutPromptsIsRefused() async throws {
    let outcome = try await shell.run("evict prefix tiny.txt --policy lru --capacity 4")
    #expect(outcome.errors.contains("does not say which blocks its prompts consist of"))
    #expect(outcome.code == 65)
  }
}
