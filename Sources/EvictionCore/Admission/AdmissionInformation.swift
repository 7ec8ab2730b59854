import Parameters

/// What the catalog, the help and the documentation say about an admission filter.
public struct AdmissionInformation: Sendable {
  /// The name on the command line, in lower case.
  public let name: String
  /// One line: who is admitted.
  public let summary: String
  /// Where it comes from: authors, title, venue and year.
  public let paper: String
  /// Why it should work, in a few sentences.
  public let idea: String
  /// What it notes of every request, and how it decides.
  public let decision: String
  /// Time per request, and memory.
  public let complexity: String
  /// Where other implementations differ, and what was decided here where the paper is silent.
  public let differences: String
  /// Its parameters.
  public let parameters: [Parameter]
  /// What it reads of a request beyond its size.
  public let needs: RequestNeeds
  /// Whether it decides by bytes, and so makes no sense where every object counts one.
  public let needsSizes: Bool
  /// Whether it may refuse a newcomer: then the optimum that a policy behind it is compared with may,
  /// too.
  public let mayRefuse: Bool

  /// Describes a filter.
  public init(
    name: String, summary: String, paper: String, idea: String, decision: String,
    complexity: String, differences: String, parameters: [Parameter] = [],
    needs: RequestNeeds = [], needsSizes: Bool = false, mayRefuse: Bool = true
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
  }
}

/// What a filter is created from.
public struct AdmissionConfiguration: Sendable {
  /// C: objects, or size units where ``isSized``.
  public var capacity: Int
  /// Whether objects have sizes of their own; otherwise each counts one.
  public var isSized: Bool
  /// Where the filter's random draws and hashes start from.
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
