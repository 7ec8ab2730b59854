import EvictionCore
import Parameters
import Requests
import Results

/// A policy with its parameters, as a user wrote it.
package struct PolicyChoice: Sendable {
  /// Runs it, in every engine.
  package let entry: RunnablePolicyEntry
  /// Its name and parameters as they were written.
  package let specification: Specification
  /// Its parameters, typed.
  package let arguments: Arguments
  /// True where it was named: then it is refused where it cannot run. What `all` stands for is left out
  /// there.
  package let isNamed: Bool

  /// A policy without parameters.
  package init(_ entry: RunnablePolicyEntry, isNamed: Bool = true) {
    self.entry = entry
    self.isNamed = isNamed
    specification = Specification(name: entry.information.name)
    arguments = Arguments(
      parameters: entry.description.parameters, name: entry.information.name)
  }

  /// The policy's page in the catalog.
  package var information: PolicyInformation { entry.information }

  /// The admission filter in front of the policy; nil for none.
  package var admission: AdmissionInformation? {
    let name = arguments.nested("admission")?.name ?? AlwaysAdmission.information.name
    return name == AlwaysAdmission.information.name
      ? nil : AdmissionCatalog.filter(named: name)?.information
  }

  /// The prefetcher before the policy; nil for none.
  package var prefetcher: PrefetcherInformation? {
    PolicyDescription.prefetcher(arguments)?.information
  }

  /// The error of miniatures that does not grow as they become smaller, of policy and filter; nil where
  /// there are no intervals.
  package var miniatureError: Double? {
    guard let own = information.miniatureError, information.holdsInMiniature(arguments) else {
      return nil
    }
    guard let admission else { return own }
    return admission.miniatureError.map { own + $0 }
  }

  /// The fields of a request that policy and filter read beyond slot and size.
  package var needs: RequestNeeds { entry.needs.union(admission?.needs ?? []) }

  /// True for Belady's MIN.
  package var isOptimum: Bool {
    switch entry.description.baseline(with: arguments) {
    case .optimum, .bypassingOptimum: true
    case .fifo, .lru, .infinite, nil: false
    }
  }

  /// The policy's name.
  package var name: String { information.name }

  /// The policy with its parameters, as results name it: `slru:protected=0.8`.
  package var label: String { Measurement.label(of: name, Measurement.parameters(arguments)) }

  /// Parses specifications such as `lru`, `lru,arc`, `slru:protected=0.8` and `all`, which stands for
  /// every policy that is no bound and no reinterpretation, and for the variants that they list.
  ///
  /// A policy that is named twice with the same parameters appears once. `-name` leaves out the policies of that name
  /// that stand before it: `all,-random`.
  package static func parse(
    _ texts: [String], among policies: [RunnablePolicyEntry] = RunnablePolicyEntry.catalog
  ) throws(PolicyError) -> [PolicyChoice] {
    var choices: [PolicyChoice] = []
    for text in texts.flatMap(\.listItems) {
      if text == "all" {
        for entry in policies where entry.information.isOfAll {
          choices.add(PolicyChoice(entry, isNamed: false))
          for variant in entry.information.variants {
            choices.add(try PolicyChoice(variant, among: policies, isNamed: false))
          }
        }
      } else if text.hasPrefix("-") {
        let excluded = try PolicyChoice(parsing: String(text.dropFirst()), among: policies)
        choices.removeAll { $0.isCovered(by: excluded) }
        if choices.isEmpty {
          throw .conflict(
            policy: excluded.label, explanation: "is left out, and no other policy is named before")
        }
      } else {
        choices.add(try PolicyChoice(parsing: text, among: policies))
      }
    }
    return choices
  }

  /// The policy of that name: one of `policies`, or a plug-in that is open.
  package static func entry(
    named name: String, among policies: [RunnablePolicyEntry]
  ) throws(PolicyError) -> RunnablePolicyEntry {
    if let plugin = PluginLibrary.named(name) { return plugin.entry }
    guard let entry = policies.first(where: { $0.information.name == name }) else {
      throw .unknown(name: name, known: policies.map(\.information.name))
    }
    return entry
  }

  /// The policy of the catalog that is a baseline.
  package init(_ baseline: PolicyInformation.Baseline) {
    let entries = RunnablePolicyEntry.catalog
    guard let specification = entries.compactMap({ $0.information.baselines[baseline] }).first
    else { preconditionFailure("no policy of the catalog is the baseline \(baseline)") }
    do throws(PolicyError) {
      try self.init(specification, among: entries)
    } catch { preconditionFailure("\(error)") }
  }

  /// True where another choice names this policy: without parameters, or with the same.
  private func isCovered(by other: PolicyChoice) -> Bool {
    name == other.name
      && (other.arguments.given.isEmpty || arguments.given == other.arguments.given)
  }

  private init(
    parsing text: String, among policies: [RunnablePolicyEntry]
  ) throws(PolicyError) {
    let specification = try PolicyError.wrapping { () throws(SpecificationError) in
      try Specification(parsing: text)
    }
    try self.init(specification, among: policies)
  }

  /// The policy of a specification.
  package init(
    _ specification: Specification,
    among policies: [RunnablePolicyEntry] = RunnablePolicyEntry.catalog, isNamed: Bool = true
  ) throws(PolicyError) {
    self.specification = specification
    let entry = try PolicyChoice.entry(named: specification.name, among: policies)
    self.entry = entry
    self.isNamed = isNamed
    arguments = try PolicyError.wrapping { () throws(SpecificationError) in
      try entry.description.arguments(of: specification)
    }
  }
}

extension PolicyInformation {
  /// True if `all` stands for it.
  fileprivate var isOfAll: Bool { !isBound && !isReinterpretation }
}

extension PolicyChoice {
  /// The policy or the filter that learns, and the requests before it does so for the first time; nil if
  /// neither learns.
  package var learning: (name: String, interval: Int)? {
    if let interval = information.learningInterval(arguments) { return (name, interval) }
    guard let admission, let nested = arguments.nested("admission"),
      let given = try? nested.arguments(for: admission.parameters),
      let interval = admission.learningInterval(given)
    else { return nil }
    return (admission.name, interval)
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
