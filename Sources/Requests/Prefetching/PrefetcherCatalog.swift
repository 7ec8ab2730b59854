import EvictionCore
import Parameters

/// Every prefetcher. A new one is one line here.
package enum PrefetcherCatalog {
  /// The prefetchers, in the order in which help lists them.
  package static let all: [Prefetcher.Type] = [
    OneBlockLookahead.self,
    ProbabilityGraph.self,
    Mithril.self,
  ]

  /// The name of no prefetcher.
  static let none = "none"

  /// The prefetcher called `name`, or nil.
  package static func prefetcher(named name: String) -> Prefetcher.Type? {
    all.first { $0.information.name == name }
  }
}

/// The prefetcher as a parameter that every policy has in a sweep, with its own parameters behind it:
/// `lru:prefetch=obl:prefetch.run=2`.
extension PolicyDescription {
  /// Names the prefetcher.
  static let prefetchParameter = Parameter(
    "prefetch",
    .choice([PrefetcherCatalog.none] + PrefetcherCatalog.all.map { $0.information.name }),
    default: .text(PrefetcherCatalog.none),
    help: "in simulations, the prefetcher; its parameters follow as prefetch.NAME=")

  /// The prefetcher that `arguments` name; nil for none.
  package static func prefetcher(_ arguments: Arguments) -> Prefetcher.Type? {
    arguments.nested("prefetch").flatMap { PrefetcherCatalog.prefetcher(named: $0.name) }
  }

  /// The reason why the prefetcher of a run cannot be there; nil if it can, and where there is none.
  static func prefetchConflict(
    _ run: RunOptions, policy: String, needs: RequestNeeds, over shape: RequestShape
  ) -> PolicyError? {
    guard let information = prefetcher(run.arguments)?.information else { return nil }
    let refusal: String? =
      if shape.requests == nil {
        "reads the whole trace, and this one comes block by block; leave out --stream"
      } else if information.readsKeys && shape.keys == nil {
        "reads keys that are integers, and those of this trace are text; take mithril or pg, which read none, or "
          + "convert texts that are numbers: evict trace convert TRACE --output TRACE.oracleGeneral.bin"
      } else if run.arguments.nested("admission") != nil {
        "fetches for a policy alone; leave out the admission filter"
      } else if let unknown = needs.subtracting([.keyHash, .time, .cost]).names.first {
        "cannot tell \(unknown) of what it fetches; take another policy"
      } else if shape.isSized
        && run.arguments.nested("prefetch")?.given.contains(where: { $0.key == "block" }) == true
      {
        "counts the bytes of a sized cache itself; leave out prefetch.block"
      } else { nil }
    return refusal.map {
      .conflict(policy: policy, explanation: "the prefetcher \(information.name) \($0)")
    }
  }

  /// Creates the prefetcher of a run, for which it must be named, and must fit.
  ///
  /// - Throws: `PolicyError` for parameters that the prefetcher does not have.
  package static func makePrefetcher(
    _ run: RunOptions, over shape: RequestShape
  ) throws(PolicyError) -> (prefetcher: Prefetcher, keys: SlotKeys) {
    guard let type = prefetcher(run.arguments), let nested = run.arguments.nested("prefetch") else {
      preconditionFailure("the run names a prefetcher")
    }
    let arguments: Arguments
    do throws(SpecificationError) {
      arguments = try nested.arguments(for: type.information.parameters)
    } catch { throw .specification(error) }
    let keys = SlotKeys(shape.keys, distinct: shape.slots)
    let configuration = PrefetcherConfiguration(
      capacity: run.capacity, isSized: shape.isSized, keys: keys, arguments: arguments)
    return (type.init(configuration), keys)
  }
}

extension RunOptions {
  /// The reason why the delay or the prefetcher of a run does not fit its requests; nil if both do.
  ///
  /// - Parameters:
  ///   - policy: The policy's name.
  ///   - needs: The fields that it reads.
  ///   - shape: The requests.
  ///   - isObserved: True if the policy's contract is checked, or its evictions are logged.
  package func conflict(
    policy: String, needs: RequestNeeds, over shape: RequestShape, isObserved: Bool
  ) -> PolicyError? {
    if let delay {
      return delay.conflict(self, policy: policy, over: shape, isObserved: isObserved)
    }
    return PolicyDescription.prefetchConflict(
      self, policy: policy, needs: needs, over: shape)
  }

  /// True if the policy has a prefetcher.
  @usableFromInline package var prefetches: Bool {
    PolicyDescription.prefetcher(arguments) != nil
  }
}
