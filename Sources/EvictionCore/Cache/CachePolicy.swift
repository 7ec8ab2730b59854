import Parameters

/// The policy of a cache: which one, and with which parameters.
///
///     let pages = MemoryCache<String, Page>(countLimit: 1_000, policy: .slru(protected: 0.8))
///
/// The policies that the guides recommend have members, whose parameters the compiler checks; a parameter that is
/// left out has the policy's default. Any other, one's own too, is made from its type. Its parameters are checked
/// where a cache is made:
///
///     let policy = CachePolicy(Hyperbolic.self, parameters: ["sample": 32, "weight": "cost"])
///     let pages = MemoryCache<String, Page>(countLimit: 1_000, policy: policy)
///
/// A name that is known only when the program runs is looked up in the catalog:
/// `try PolicyCatalog.policy("slru:protected=0.8")`.
public struct CachePolicy: Sendable {
  /// The page of the policy.
  public let information: PolicyInformation
  /// The policy's name, and the parameters that were given.
  public let specification: Specification
  /// The fields of a request that the policy reads.
  public let needs: RequestNeeds
  let inspection: PolicyInspection
  private let make: @Sendable (PolicyConfiguration) throws(PolicyError) -> ErasedPolicy

  /// A policy of the type `policy`.
  ///
  /// - Parameters:
  ///   - policy: The type.
  ///   - parameters: Values by the parameters' names; those that are nil or missing are the policy's
  ///     defaults. A name that the policy does not declare, or a value that it does not take, is an error of the
  ///     cache that is made: `open` throws it, and `init` stops the program with it.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, parameters: KeyValuePairs<String, (any CustomStringConvertible)?> = [:]
  ) {
    self.init(
      policy, specification: Specification(name: Policy.information.name, values: parameters))
  }

  /// A policy of the type `policy`, with the parameters of a specification.
  @inlinable
  package init<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, specification: Specification
  ) {
    self.init(
      policy, information: Policy.information, needs: Policy.needs, specification: specification)
  }

  /// A policy of the type `policy` whose page and needs are not those of its type.
  @inlinable
  package init<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, information: PolicyInformation, needs: RequestNeeds,
    specification: Specification? = nil
  ) {
    self.init(
      information: information, needs: needs,
      specification: specification ?? Specification(name: information.name),
      inspection: PolicyInspection(Policy.self)
    ) { (configuration) throws(PolicyError) in
      ErasedPolicy(try Policy(configuration))
    }
  }

  @usableFromInline
  init(
    information: PolicyInformation, needs: RequestNeeds, specification: Specification,
    inspection: PolicyInspection,
    make: @escaping @Sendable (PolicyConfiguration) throws(PolicyError) -> ErasedPolicy
  ) {
    self.information = information
    self.needs = needs
    self.specification = specification
    self.inspection = inspection
    self.make = make
  }
}

extension CachePolicy {
  /// The same policy with other parameters.
  package func with(_ specification: Specification) -> CachePolicy {
    CachePolicy(
      information: information, needs: needs, specification: specification,
      inspection: inspection, make: make)
  }

  /// Throws if the policy cannot be made so.
  package func check(_ configuration: PolicyConfiguration) throws(PolicyError) {
    _ = try make(configuration)
  }

  /// The smallest capacity that the policy is given, whatever the limit.
  func leastCapacity(isSized: Bool) -> Int { isSized ? 1 : information.minimumCapacity }

  /// Makes the policy of an empty cache.
  ///
  /// - Throws: ``PolicyError`` if it can run in a simulation only, or not with this capacity or its parameters.
  func makePolicy(
    capacity: Int?, isSized: Bool, seed: UInt64, options: MemoryCacheOptions
  ) throws(PolicyError) -> ErasedPolicy {
    if information.isBound {
      throw .conflict(
        policy: information.name, explanation: "is a bound, which exists in simulation only")
    }
    if !needs.isSubset(of: .knownToCaches) {
      throw .conflict(
        policy: information.name,
        explanation: "it needs to know more of a request than a memory cache does; simulate it")
    }
    let least = leastCapacity(isSized: isSized)
    var configuration = PolicyConfiguration(
      capacity: min(max(capacity ?? 0, least), CacheBounds.unlimited), isSized: isSized,
      seed: seed, historyBound: options.hasExactHistory ? nil : Fraction(2),
      arguments: try arguments)
    configuration.trainsBesideRequests = options.trainsBesideRequests
    return try make(configuration)
  }

  /// The requests of a newcomer that make it a resident where there is room.
  package var requestsToAdmit: Int {
    get throws(PolicyError) { information.requestsToAdmit(try arguments) }
  }

  /// The parameters, checked against what the policy declares.
  var arguments: Arguments {
    get throws(PolicyError) {
      do throws(SpecificationError) {
        return try specification.arguments(for: information.parameters)
      } catch { throw .specification(error) }
    }
  }
}

extension CachePolicy: CustomStringConvertible {
  /// As the command line has it: `slru:protected=0.8`.
  public var description: String { specification.description }
}

extension CachePolicy {
  /// The policy of a cache that names none: S3-FIFO.
  ///
  /// Of 21 policies that were run over 22 public and bundled traces at 1, 3, 10 and 30 % of their
  /// keys, it took the most off FIFO's miss ratio in the mean over the traces (13 %; ARC took 11 %, LRU 6 %,
  /// SIEVE 8 %), and it was never more than 1.3 % worse. Its hits move nothing, so that readers need not wait
  /// for each other, and a disk cache writes nothing when it is read.
  public static var standard: CachePolicy { .s3FIFO() }
}
