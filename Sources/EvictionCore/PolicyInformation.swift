import Parameters

/// The page of a policy in the catalog, the help and the documentation.
public struct PolicyInformation: Sendable {
  /// A policy that others are measured against.
  public enum Baseline: CaseIterable, Sendable {
    /// First in, first out: the miss ratio that a policy should reduce.
    case fifo
    /// LRU, whose curve at all sizes stands beside the others.
    case lru
    /// Belady's MIN, where every newcomer enters.
    case optimum
    /// Belady's MIN, where a newcomer may be refused.
    case bypassingOptimum
    /// A cache without limit.
    case infinite
  }

  /// The name on the command line, in lower case.
  public let name: String
  /// One line: what the policy does.
  public let summary: String
  /// The source: authors, title, venue and year.
  public let paper: String
  /// The reason why it should work, in a few sentences.
  public let idea: String
  /// The effect of a hit.
  public let hit: String
  /// The effect of a miss.
  public let miss: String
  /// The choice of the victim, and the rule for ties.
  public let eviction: String
  /// The memory of objects that left.
  public let ghosts: String
  /// Time per request; memory is ``bytesPerSlot``.
  public let complexity: String
  /// The differences to other implementations, and the decisions made here where the paper is silent.
  public let differences: String
  /// Its parameters.
  public let parameters: [Parameter]
  /// The smallest capacity it can run at, in objects.
  public let minimumCapacity: Int
  /// The memory it needs per slot at most, in bytes: rings and sketches are powers of two, and this is
  /// measured just above one. A ghost costs the same as a resident.
  public let bytesPerSlot: Int
  /// True if it is a bound that no real cache can reach, to compare with: simulation only, and not
  /// among the policies that `all` stands for.
  public let isBound: Bool
  /// True if it may, with these arguments, refuse a newcomer of its own accord: then the optimum it is
  /// compared with may, too.
  public let mayRefuse: @Sendable (Arguments) -> Bool
  /// The requests of a newcomer, with these arguments, that make it a resident where there is room: 1 for most. A disk
  /// cache that opens tells of each of its entries as often.
  public let requestsToAdmit: @Sendable (Arguments) -> Int
  /// True if a simulation gives it an unlimited capacity, whatever the requested capacity.
  public let ignoresCapacity: Bool
  /// True if later evictions depend on the order of hits; false if a hit moves nothing, but at most
  /// sets a mark or counts beside its entry.
  ///
  /// A disk cache records when entries are read only for a policy whose hits reorder: a restart gives
  /// it their order back. The conformance suite compares the declaration with what the policy does.
  public let hitsReorder: Bool
  /// The error of a miss ratio that small caches of some of the keys make, and which does not become larger
  /// with still smaller ones: as it was measured, 0 for most. Nil without such a measurement, and where
  /// intervals did not hold: then a curve has estimates alone.
  public let miniatureError: Double?
  /// False where a policy with these arguments is another one at other capacities, so that intervals of
  /// samples do not hold: then a curve has estimates alone.
  public let holdsInMiniature: @Sendable (Arguments) -> Bool
  /// The file of the policy: module and name.
  package let file: String
  /// The baselines that it is, each with its parameters. What declares one must be exactly that: a simulation of
  /// objects that count one may count its hits without it.
  public let baselines: [Baseline: Specification]
  /// The parameters with which the policy is Belady's MIN, with every newcomer entering, as long as objects count one;
  /// nil for none. As for ``baselines``, it must be exactly that.
  public let optimumWithoutSizes: Specification?
  /// Its further forms that a fair comparison runs: `all` stands for them, too.
  public let variants: [Specification]
  /// True if it is made after a published description that leaves much open: it is marked in the
  /// catalog, not among the policies that `all` stands for, and not ranked.
  public let isReinterpretation: Bool
  /// True if its parameters make another policy of it each time, and their defaults none of its own: rankings
  /// run it only where it is named.
  public let isTemplate: Bool
  /// The requests before it learns for the first time, with these arguments; nil if it does not learn, or
  /// learns at once.
  public let learningInterval: @Sendable (Arguments) -> Int?

  /// Describes a policy.
  public init(
    name: String, summary: String, paper: String, idea: String = "", hit: String = "",
    miss: String = "", eviction: String = "", ghosts: String = "None.", complexity: String = "",
    differences: String = "", parameters: [Parameter] = [], minimumCapacity: Int = 1,
    bytesPerSlot: Int, isBound: Bool = false, ignoresCapacity: Bool = false,
    hitsReorder: Bool = true, miniatureError: Double? = nil,
    baselines: [Baseline: Specification] = [:],
    optimumWithoutSizes: Specification? = nil,
    variants: [Specification] = [], isReinterpretation: Bool = false, isTemplate: Bool = false,
    learningInterval: @escaping @Sendable (Arguments) -> Int? = { _ in nil },
    holdsInMiniature: @escaping @Sendable (Arguments) -> Bool = { _ in true },
    mayRefuse: @escaping @Sendable (Arguments) -> Bool = { _ in false },
    requestsToAdmit: @escaping @Sendable (Arguments) -> Int = { _ in 1 },
    file: String = #fileID
  ) {
    self.file = file
    self.name = name
    self.summary = summary
    self.paper = paper
    self.idea = idea
    self.hit = hit
    self.miss = miss
    self.eviction = eviction
    self.ghosts = ghosts
    self.complexity = complexity
    self.differences = differences
    self.parameters = parameters
    self.minimumCapacity = minimumCapacity
    self.bytesPerSlot = bytesPerSlot
    self.isBound = isBound
    self.mayRefuse = mayRefuse
    self.requestsToAdmit = requestsToAdmit
    self.ignoresCapacity = ignoresCapacity
    self.hitsReorder = hitsReorder
    self.miniatureError = miniatureError
    self.holdsInMiniature = holdsInMiniature
    self.baselines = baselines
    self.optimumWithoutSizes = optimumWithoutSizes
    self.variants = variants
    self.isReinterpretation = isReinterpretation
    self.isTemplate = isTemplate
    self.learningInterval = learningInterval
  }
}

/// The fields of ``Request`` that a policy reads beyond slot and size.
public struct RequestNeeds: OptionSet, Sendable {
  /// The set's bits.
  public let rawValue: UInt8

  /// A set from its bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Reads ``Request/keyHash``.
  @inlinable public static var keyHash: RequestNeeds { RequestNeeds(rawValue: 1) }
  /// ``Request/time``, as the source's clock.
  @inlinable public static var time: RequestNeeds { RequestNeeds(rawValue: 2) }
  /// ``Request/nextUse`` and ``Request/index``: only a simulation knows them.
  @inlinable public static var nextUse: RequestNeeds { RequestNeeds(rawValue: 4) }
  /// Reads ``Request/expiry``.
  @inlinable public static var expiry: RequestNeeds { RequestNeeds(rawValue: 8) }
  /// Reads ``Request/keyLength``.
  @inlinable public static var keyLength: RequestNeeds { RequestNeeds(rawValue: 16) }
  /// Reads ``Request/cost``.
  @inlinable public static var cost: RequestNeeds { RequestNeeds(rawValue: 32) }
  /// Reads ``Request/requestClass``: only a simulation knows it.
  @inlinable public static var requestClass: RequestNeeds { RequestNeeds(rawValue: 64) }

  /// The attributes of a request that a cache knows, as against a simulation: all but the future and classes.
  @inlinable public static var knownToCaches: RequestNeeds {
    [.keyHash, .time, .expiry, .keyLength, .cost]
  }
}

/// The configuration of a new policy.
public struct PolicyConfiguration: Sendable {
  /// C: objects, or size units where ``isSized``.
  public var capacity: Int
  /// True if objects have sizes of their own; otherwise each counts one.
  public var isSized: Bool
  /// True if a policy that learns trains on a thread of its own while requests go on, so that none waits for a training:
  /// when its model changes depends on the clock, and so do the hits. False by default: a training runs inside the request
  /// that makes it due, and two runs are equal to the last hit.
  public var trainsBesideRequests = false
  /// The random seed.
  public var seed: UInt64
  /// The number of slots to reserve at once.
  public var slots: Int
  /// Bounds ghosts whose number the policy itself leaves unbounded, as a multiple of C; nil leaves them
  /// unbounded, which is exact. An explicit `ghosts` parameter overrides it.
  public var historyBound: Fraction?
  /// The policy's parameters.
  public var arguments: Arguments

  /// A configuration for a cache of `capacity`.
  public init(
    capacity: Int, isSized: Bool = false, seed: UInt64 = 42, slots: Int = 0,
    historyBound: Fraction? = nil, arguments: Arguments
  ) {
    self.capacity = capacity
    self.isSized = isSized
    self.seed = seed
    self.slots = slots
    self.historyBound = historyBound
    self.arguments = arguments
  }
}

/// The reason why a policy cannot be run.
public enum PolicyError: Error, Equatable {
  /// The catalog has no policy of that name.
  case unknown(name: String, known: [String])
  /// The specification's parameters are wrong.
  case specification(SpecificationError)
  /// The capacity is below the policy's minimum.
  case capacityTooSmall(policy: String, capacity: Int, minimum: Int)
  /// Parameters that exclude each other, or a combination that has no meaning.
  case conflict(policy: String, explanation: String)
  /// A limit or an option of a cache is out of its range.
  case option(name: String, problem: String)
  /// The policy contradicts what its page declares it to be.
  case theorem(policy: String, explanation: String)
  /// The file that it is read from is not there.
  case missing(policy: String, file: String)
}

extension PolicyError {
  /// A cost limit, and nothing that says what entries cost.
  package static var costsAreUnknown: PolicyError {
    .option(
      name: "costLimit",
      problem: "needs to know what entries cost: costs: .given, .bytes or .weighed { … }")
  }

  /// Throws if a limit of a cache is negative.
  package static func checkLimits(count: Int?, cost: Int?) throws(PolicyError) {
    for (name, limit) in [("countLimit", count), ("costLimit", cost)] {
      if let limit, limit < 0 {
        throw .option(name: name, problem: "must be 0 or more, or nil for no limit; is \(limit)")
      }
    }
  }

  /// Stops the program if a limit of a cache is negative.
  static func demandLimits(count: Int? = nil, cost: Int? = nil) {
    do { try checkLimits(count: count, cost: cost) } catch { fatalError("\(error)") }
  }
}

extension PolicyError {
  /// Names of the optimum in papers and other programs.
  private static let namesOfOptimum = ["belady", "min", "optimal", "optimum"]

  /// Names of the policies of the trait Learned.
  private static let learned = ["lrb", "gl-cache", "3l-cache"]

  /// The remedy where a file or a parameter stands in the place of a name, or the optimum has another one; nil for
  /// others.
  private static func remedy(for name: String, _ known: [String]) -> String? {
    if known.contains("opt"), namesOfOptimum.contains(name.lowercased()) {
      return "did you mean opt?"
    }
    if learned.contains(name.lowercased()) && !known.contains(name.lowercased()) {
      return "it learns by XGBoost: install libxgboost-dev, and build with "
        + "swift build -c release --traits Lab,Learned"
    }
    if name.hasSuffix(".so") || name.hasSuffix(".dylib") {
      return "a library is named plugin:\(name.contains("/") ? "" : "./")\(name)"
    }
    if name.hasSuffix(".c") {
      return "a policy in C is compiled to a library, and named plugin:./mine.so"
    }
    return name.contains("=") ? "parameters follow their policy, as in slru:protected=0.8" : nil
  }
}

extension PolicyError: CustomStringConvertible {
  /// One line: what is wrong and what to do.
  public var description: String {
    switch self {
    case .unknown(let name, let known):
      "no policy is called “\(name)”; \(PolicyError.remedy(for: name, known) ?? known.remedy(for: name))"
    case .specification(let error):
      "\(error)"
    case .capacityTooSmall(let policy, let capacity, let minimum):
      "\(policy) cannot run at capacity \(capacity); give at least \(minimum)"
    case .conflict(let policy, let explanation), .theorem(let policy, let explanation):
      "\(policy): \(explanation)"
    case .option(let name, let problem):
      "\(name): \(problem)"
    case .missing(let policy, let file):
      "\(policy): there is no file \(file); check the path"
    }
  }
}

extension RequestNeeds {
  /// The needed attributes, in words.
  package var names: [String] {
    let named: [(RequestNeeds, String)] = [
      (.keyHash, "keys"), (.time, "times"), (.nextUse, "the future"), (.expiry, "times to live"),
      (.keyLength, "key lengths"), (.cost, "costs"), (.requestClass, "classes"),
    ]
    return named.filter { contains($0.0) }.map(\.1)
  }
}

extension Arguments {
  /// The `ghosts` parameter, where it is given.
  package var ghosts: Fraction? {
    if case .fraction(let share) = value("ghosts") { share } else { nil }
  }
}
