import Comparison
import Results
import Testing

/// Everything that a field declares as exact closes the gate when it differs.
@Suite struct ExactFiguresTests {
  /// A run of each kind of which everything is measured.
  static let runs: [Results.Measurement] = Results.Measurement.Kind.allCases.compactMap { kind in
    if kind == .curve { return nil }
    var run = ResultComparisonTests.cell("slru", hits: 40)
    run.kind = kind
    run.parameters = [JSON.Member("protected", .number(0.5))]
    run.byteHitRatio = 0.25
    run.costHitRatio = 0.375
    run.evictions = 50
    run.expirations = 3
    run.unknownSizes = 2
    run.seconds = 1
    run.missRatioReduction = 0.125
    run.distanceToOptimum = 0.0625
    run.internals = InternalsSeries(
      requests: [50, 100], series: [.init(name: "target", values: [1, 2])])
    run.windows = RequestWindows(
      seconds: 10, ends: [50, 100], requests: [50, 50], hits: [10, 30])
    run.prefetch = PrefetchCounts {
      ($0.prefetches, $0.hits, $0.pollution, $0.fetches) = (20, 10, 3, 80)
    }
    run.learning = LearningMeasures {
      ($0.trainings, $0.trainedRows, $0.predictedRows) = (2, 300, 4000)
      ($0.trainingSeconds, $0.predictionSeconds) = (1, 2)
      ($0.modelBytes, $0.featureBytes) = (5000, 600)
    }
    run.latency = LatencyMeasures {
      ($0.miss, $0.delayedHits, $0.misses, $0.total) = (100, 10, 50, 5500)
      ($0.mean, $0.p50, $0.p99, $0.least) = (55, 100, 100, 2000)
    }
    run.latencyReduction = 0.25
    var classes = ClassCounts(names: ["a", "b"])
    (classes.requests, classes.hits) = ([60, 40], [30, 10])
    run.classes = classes
    switch kind {
    case .bounds:
      run.hitRatioBounds = 0.5...0.75
      run.byteHitRatioBounds = 0.25...0.5
    case .replay:
      var replay = Replay {
        $0.threads = 1
        $0.lock = "mutex"
      }
      replay.cut = CutReport {
        $0.cold = CutReport.Part {
          $0.requests = 40
          $0.hits = 10
          $0.seconds = 1
        }
        $0.postFill = CutReport.Part {
          $0.requests = 60
          $0.hits = 30
          $0.seconds = 1
        }
      }
      run.replay = replay
    case .disk:
      var disk = DiskMeasures {
        $0.setup.round = 1
        $0.setup.inlineThreshold = 4096
        $0.setup.pageSize = 4096
        $0.setup.durability = "none"
      }
      (disk.bytesSet, disk.bytesWritten, disk.commits) = (1000, 3000, 90)
      (disk.longestLog, disk.files, disk.allocatedBytes) = (8192, 7, 65536)
      disk.recovery = DiskRecovery {
        $0.entries = 46
        $0.lost = 0
        $0.openSeconds = 1
        $0.reconciledSeconds = 1
      }
      disk.sizes = [1024, 2048].map { size in
        SizeTimes {
          $0.from = size
          $0.isInline = true
        }
      }
      run.disk = disk
    case .prefix:
      var prefix = PrefixMeasures()
      (prefix.prompts, prefix.blocks, prefix.hitBlocks) = (10, 100, 40)
      (prefix.tokens, prefix.hitTokens, prefix.meanHitRatio) = (1600, 640, 0.5)
      (prefix.sessionHitRatio, prefix.orphans, prefix.bytes) = (0.25, 2, 4096)
      prefix.tokenHitRatioBound = 0.75
      (prefix.missedTokensP50, prefix.missedTokensP90) = (80, 150)
      prefix.missedTokensP99 = 160
      (prefix.setup.workers, prefix.setup.router) = (2, "sticky")
      prefix.setup.workerChanges = "add:at=50%"
      (prefix.hitsByWorker, prefix.tokensByWorker) = ([10, 30], [600, 1000])
      let write = PromptPrices.Write {
        ($0.timeToLive, $0.price, $0.storage, $0.isRenewed) = (300, 4, 1, false)
      }
      prefix.setup.prices = PromptPrices {
        ($0.currency, $0.input, $0.read, $0.writes) = ("USD", 2, 0.5, [write])
        ($0.minimumTokens, $0.gibHour) = (1024, 0.25)
      }
      prefix.rent = PromptRent {
        ($0.timeToLive, $0.writtenTokens, $0.tokenHours) = (300, 800, 2.5)
        ($0.pauses, $0.pausesWithin) = (4, 0.75)
      }
      prefix.costs = prefix.costs(hours: 1, write: write)
      (prefix.busiest, prefix.replicas) = (1.25, 1.5)
      (prefix.hindsightHitBlocks, prefix.hindsightTokenHitRatio) = (50, 0.75)
      (prefix.setup.tiers, prefix.setup.computeTime) = ("host:capacity=20", 100)
      prefix.setup.tierRules = TierRules(.writeBack, promotion: .second)
      (prefix.tierBlocks, prefix.hitsByTier, prefix.hitTokensByTier) = (
        [10, 20], [15, 25], [240, 400]
      )
      (prefix.tokensRaisedByTier, prefix.tokensWrittenByTier) = ([0, 160], [1360, 800])
      prefix.meanLoadTime = 9_600.5
      run.prefix = prefix
    case .sweep, .curve: break
    }
    return run
  }

  static let curve: MissRatioCurve = {
    var curve = MissRatioCurve(
      trace: "t", policy: "lru", method: .simulations,
      points: [.init(capacity: 10, missRatio: 0.5), .init(capacity: 20, missRatio: 0.25)])
    curve.requests = 100
    return curve
  }()

  /// A document with runs of every kind and all that stands beside them.
  static let document: ResultSet = {
    var document = ResultComparisonTests.document(runs)
    document.curves = [curve]
    document.references = [curve]
    document.explanations = [
      Explanation {
        $0.trace = "t"
        $0.capacity = 10
        $0.unit = .objects
        $0.compulsoryMissRatio = 0.125
        $0.optimumHitRatio = 0.5...0.75
        $0.bestPolicy = "slru"
        $0.bestHitRatio = 0.5
      }
    ]
    return document
  }()

  /// A document with a value in another's place.
  struct Alteration: CustomStringConvertible {
    let description: String
    let document: JSON
    let isExact: Bool
  }

  /// The document altered by one in each of the values below a key, of which the fields say how certain they are.
  static func alterations(
    below key: String, _ figures: (JSON) -> [DocumentFigure]
  ) -> [Alteration] {
    guard case .array(let entries)? = document.json[key] else { return [] }
    return entries.indices.flatMap { index in
      figures(entries[index]).compactMap { figure in
        let path = figure.path.split(separator: ".").map(String.init)
        let altered = document.json.altered([key, "[\(index)]"] + path)
        // Nothing is altered where a value is left out.
        return altered == document.json
          ? nil
          : Alteration(
            description: "\(key)[\(index)].\(figure.path)", document: altered,
            isExact: figure.certainty == .exact)
      }
    }
  }

  static let all =
    alterations(below: "results") {
      $0["kind"] == "curve" ? MissRatioCurve.figures(of: $0) : Measurement.figures(of: $0)
    } + alterations(below: "references", MissRatioCurve.figures)
    + alterations(below: "explanations", Explanation.figures)
    + alterations(below: "traces", TraceSummary.figures)

  /// True if the gate closes, or the document is refused.
  static func isSeen(_ altered: JSON, in document: ResultSet) -> Bool {
    guard let results = try? ResultSet(reading: altered.document.utf8, file: "b") else {
      return true
    }
    return Judgement.gate(
      ResultComparison(before: document, after: results),
      inconsistencies: ResultSet.inconsistencies(in: altered, read: results)
    ).hasFailed
  }

  @Test func everythingExactIsSeen() throws {
    #expect(!Self.isSeen(Self.document.json, in: Self.document))
    let exact = Self.all.filter(\.isExact)
    #expect(exact.count > 150)
    for alteration in exact {
      #expect(Self.isSeen(alteration.document, in: Self.document), "\(alteration)")
    }
  }

  /// Times differ from run to run, and words from version to version.
  @Test func nothingElseIsHeldAgainstARun() {
    let others = Self.all.filter { !$0.isExact }
    #expect(others.count > 20)
    for alteration in others {
      // The name of a method may be no other than those known.
      if (try? ResultSet(reading: alteration.document.document.utf8, file: "b")) == nil { continue }
      #expect(!Self.isSeen(alteration.document, in: Self.document), "\(alteration)")
    }
  }

  @Test func whatIsMissingIsSeenAndWhatIsNewIsNot() {
    for path in [
      "windows", "internals", "missRatioReduction", "distanceToOptimum", "latencyReduction",
      "prefetch", "classes",
    ] {
      let less = Self.document.json.without(["results", "[0]", path])
      #expect(Self.isSeen(less, in: Self.document), "\(path)")
      let earlier = try? ResultSet(reading: less.document.utf8, file: "a")
      #expect(earlier.map { !Self.isSeen(Self.document.json, in: $0) } == true, "\(path)")
    }
    for path in ["references", "explanations"] {
      #expect(Self.isSeen(Self.document.json.without([path]), in: Self.document), "\(path)")
    }
  }

  @Test func estimatesMayDifferByATenth() {
    func disk(written: Int) -> ResultSet {
      var document = Self.document
      for index in document.measurements.indices {
        document.measurements[index].disk?.bytesWritten = written
      }
      return document
    }
    for (written, isSeen) in [(3000, false), (3300, false), (3400, true), (2600, true)] {
      #expect(Self.isSeen(disk(written: written).json, in: Self.document) == isSeen, "\(written)")
    }
  }

  @Test func aRankingIsCompared() {
    func document(mean: Double) -> ResultSet {
      var document = Self.document
      var suite = SuiteRecord {
        $0.list = "a"
      }
      suite.rank(
        [
          RankedGroup {
            $0.basis = .recorded
            $0.name = "recorded"
            $0.traces = ["t"]
            $0.policies = [
              RankedPolicy {
                $0.policy = "slru"
                $0.values = [mean]
                $0.mean = mean
                $0.firsts = 1
              }
            ]
          }
        ], by: .misses, omissions: [], published: [])
      document.suite = suite
      return document
    }
    let ranking = document(mean: 0.25)
    #expect(!Self.isSeen(ranking.json, in: ranking))
    #expect(Self.isSeen(document(mean: 0.5).json, in: ranking))
    #expect(Self.isSeen(ranking.json.altered(["ranking", "[0]", "mean"]), in: ranking))
  }

  /// A second run of a cell counts what the first did, the number of requests included.
  @Test func aSecondRunThatCountsOtherRequestsIsAContradiction() {
    var document = Self.document
    var second = document.measurements[0]
    second.requests -= 1
    document.measurements.append(second)
    #expect(throws: ResultSetError.self) {
      try ResultSet(reading: document.json.document.utf8, file: "a")
    }
    document.measurements.removeLast()
    document.measurements.append(document.measurements[0])
    #expect(throws: Never.self) {
      try ResultSet(reading: document.json.document.utf8, file: "a")
    }
  }
}

extension JSON {
  /// The value with the one at a path (keys, and `[2]` for elements) altered by one.
  fileprivate func altered(_ path: [String]) -> JSON {
    replacing(path[...]) { $0?.alteredByOne }
  }

  /// The value without a member.
  fileprivate func without(_ path: [String]) -> JSON { replacing(path[...]) { _ in nil } }

  private func replacing(_ path: ArraySlice<String>, _ change: (JSON?) -> JSON?) -> JSON {
    guard let first = path.first else { return change(self) ?? .null }
    // The figures' paths name elements behind the key: `sizes[1]`.
    if let bracket = first.firstIndex(of: "["), bracket != first.startIndex {
      return replacing(
        [String(first[..<bracket]), String(first[bracket...])] + path.dropFirst(), change)
    }
    switch self {
    case .array(var elements):
      let index = Int(first.dropFirst().dropLast()) ?? 0
      elements[index] = elements[index].replacing(path.dropFirst(), change)
      return .array(elements)
    case .object(let members):
      return .object(
        members.compactMap { member in
          if member.key != first { return member }
          if path.count > 1 {
            return Member(first, member.value.replacing(path.dropFirst(), change))
          }
          return change(member.value).map { Member(first, $0) }
        })
    default: return self
    }
  }

  private var alteredByOne: JSON {
    switch self {
    case .integer(let value): .integer(value + 1)
    case .number(let value): .number(value + 0.001)
    case .boolean(let value): .boolean(!value)
    case .string(let text): .string(text + "x")
    case .array(var elements):
      {
        if let place = elements.lastIndex(where: { $0 != .null }) {
          elements[place] = elements[place].alteredByOne
        }
        return .array(elements)
      }()
    case .object(let members):
      .object(
        members.dropLast()
          + (members.last.map { [Member($0.key, $0.value.alteredByOne)] } ?? []))
    case .null: .null
    }
  }
}
