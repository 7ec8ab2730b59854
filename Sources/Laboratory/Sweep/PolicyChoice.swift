import Eviction
import Parameters

/// A policy with its parameters, as a user asked for it.
public struct PolicyChoice: Sendable {
  /// What runs it.
  public let runner: PolicyRunner
  /// Its name and parameters as they were written.
  public let specification: Specification
  /// Its parameters, typed.
  public let arguments: Arguments
  /// Whether it was asked for by name: then it is refused where it cannot run. What `all` stands for
  /// is left out there.
  public let isNamed: Bool

  /// A policy without parameters.
  public init(_ runner: PolicyRunner, isNamed: Bool = true) {
    self.runner = runner
    self.isNamed = isNamed
    specification = Specification(name: runner.information.name)
    arguments = Arguments(parameters: runner.parameters)
  }

  /// The admission filter in front of the policy; nil for none.
  public var admission: AdmissionInformation? {
    let name = arguments.nested("admission")?.name ?? AlwaysAdmission.information.name
    return name == AlwaysAdmission.information.name
      ? nil : AdmissionCatalog.filter(named: name)?.information
  }

  /// Whether a newcomer may be refused, by the policy or by its filter: then the optimum that it is
  /// compared with may refuse, too.
  public var mayRefuse: Bool {
    runner.information.mayRefuse(arguments) || admission?.mayRefuse ?? false
  }

  /// What policy and filter read of a request beyond slot and size.
  public var needs: RequestNeeds { runner.needs.union(admission?.needs ?? []) }

  /// The policy's name.
  public var name: String { runner.information.name }

  /// Parses specifications such as `lru`, `lru,arc`, `slru:protected=0.8` and `all`, which stands for
  /// every policy that is no bound.
  ///
  /// A policy that is asked for twice with the same parameters appears once.
  public static func parse(
    _ texts: [String], among runners: [PolicyRunner] = PolicyRunner.all
  ) throws(PolicyError) -> [PolicyChoice] {
    var choices: [PolicyChoice] = []
    for text in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      if text == "all" {
        for runner in runners where !runner.information.isBound {
          choices.add(PolicyChoice(runner, isNamed: false))
        }
      } else {
        choices.add(try PolicyChoice(parsing: String(text), among: runners))
      }
    }
    return choices
  }

  /// The policy of that name.
  public static func runner(
    named name: String, among runners: [PolicyRunner]
  ) throws(PolicyError) -> PolicyRunner {
    guard let runner = runners.first(where: { $0.information.name == name }) else {
      throw .unknown(name: name, known: runners.map(\.information.name))
    }
    return runner
  }

  private init(parsing text: String, among runners: [PolicyRunner]) throws(PolicyError) {
    let specification = try PolicyError.wrapping { () throws(SpecificationError) in
      try Specification(parsing: text)
    }
    try self.init(specification, among: runners)
  }

  /// The policy of a specification.
  public init(
    _ specification: Specification, among runners: [PolicyRunner] = PolicyRunner.all
  ) throws(PolicyError) {
    self.specification = specification
    runner = try PolicyChoice.runner(named: specification.name, among: runners)
    isNamed = true
    let runner = self.runner
    arguments = try PolicyError.wrapping { () throws(SpecificationError) in
      try runner.arguments(of: specification)
    }
  }
}

extension [PolicyChoice] {
  /// Appends a choice unless it is there; a choice by name counts as named wherever it stands.
  fileprivate mutating func add(_ choice: PolicyChoice) {
    let same = firstIndex {
      $0.name == choice.name && $0.arguments.given == choice.arguments.given
    }
    guard let same else { return append(choice) }
    if choice.isNamed { self[same] = choice }
  }
}

extension PolicyError {
  fileprivate static func wrapping<Result>(
    _ body: () throws(SpecificationError) -> Result
  ) throws(PolicyError) -> Result {
    do throws(SpecificationError) {
      return try body()
    } catch {
      throw .specification(error)
    }
  }
}
