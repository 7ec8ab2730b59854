import Parameters

/// The entry of an admission filter in the catalog, the help and the documentation.
public struct AdmissionInformation: Sendable {
  /// The name on the command line, in lower case.
  public let name: String
  /// One line: who is admitted.
  public let summary: String
  /// The source: authors, title, venue and year.
  public let paper: String
  /// The reason why it should work, in a few sentences.
  public let idea: String
  /// The notes that it takes of every request, and its rule.
  public let decision: String
  /// Time per request, and memory.
  public let complexity: String
  /// The differences to other implementations, and the decisions made here where the paper is silent.
  public let differences: String
  /// Its parameters.
  public let parameters: [Parameter]
  /// The attributes of a request that it reads beyond its size.
  public let needs: RequestNeeds
  /// True if it decides by bytes, and so makes no sense where every object counts one.
  public let needsSizes: Bool
  /// True if it may refuse a newcomer: then the optimum that a policy behind it is compared with may,
  /// too.
  public let mayRefuse: Bool
  /// The requests before it learns for the first time, with these arguments; nil if it does not learn, or
  /// learns at once.
  public let learningInterval: @Sendable (Arguments) -> Int?
  /// The error that it adds to a policy's ``PolicyInformation/miniatureError``; nil where none was measured.
  public let miniatureError: Double?

  /// Describes a filter.
  public init(
    name: String, summary: String, paper: String, idea: String, decision: String,
    complexity: String, differences: String, parameters: [Parameter] = [],
    needs: RequestNeeds = [], needsSizes: Bool = false, mayRefuse: Bool = true,
    learningInterval: @escaping @Sendable (Arguments) -> Int? = { _ in nil },
    miniatureError: Double? = nil
  ) {
    self.name = name
    self.summary = summary
    self.paper = paper
    self.idea = idea
    self.decision = decision
    self.complexity = complexity
    self.differences = differences
    self.parameters = parameters
    self.needs = needs
    self.needsSizes = needsSizes
    self.mayRefuse = mayRefuse
    self.learningInterval = learningInterval
    self.miniatureError = miniatureError
  }
}

/// The configuration of a new filter.
public struct AdmissionConfiguration: Sendable {
  /// C: objects, or size units where ``isSized``.
  public var capacity: Int
  /// True if objects have sizes of their own; otherwise each counts one.
  public var isSized: Bool
  /// The seed of the filter's random draws and hashes.
  public var seed: UInt64
  /// The filter's parameters.
  public var arguments: Arguments

  /// A configuration for a cache of `capacity` in a run with that seed.
  ///
  /// The filter's own seed is another than the policy's, so that the two draw different numbers.
  public init(capacity: Int, isSized: Bool = false, seed: UInt64 = 42, arguments: Arguments) {
    self.capacity = capacity
    self.isSized = isSized
    self.seed = SplitMix64.mix(seed)
    self.arguments = arguments
  }
}

extension AdmissionInformation {
  /// The parameters as they are written behind a policy: `admission.limit`.
  package var nestedParameters: [Parameter] { parameters.map { $0.nested(in: "admission") } }
}
