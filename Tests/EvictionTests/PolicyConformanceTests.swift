import Eviction
import EvictionTesting
import TestConditions
import Testing

/// The conformance suite over the catalog.
@Suite("Every policy of the catalog conforms")
struct PolicyConformanceTests {
  @Test(
    "F2: with its parameters, objects of no size among the workloads",
    arguments: PolicyCatalog.all.map(\.name))
  func withItsParameters(name: String) throws {
    var visitor = Conformance(name: name)
    PolicyCatalog.visit(&visitor)
    if let error = visitor.error { throw error }
  }

  private struct Conformance: PolicyVisitor {
    let name: String
    var error: (any Error)?

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
      if Policy.information.name != name { return }
      // A build that checks every invariant has time for every sixth variant.
      let variants = ParameterVariants.all(
        of: Policy.information.parameters, givingAtMost: isOptimized ? 2 : 1
      ).enumerated().filter { isOptimized || $0.offset % 6 == 0 }.map(\.element)
      let seeds: Range<UInt64> = 0..<(isThorough ? 20 : isOptimized && variants.count < 20 ? 4 : 1)
      for parameters in variants {
        do {
          try PolicyConformance<Policy>(parameters, seeds: seeds).check()
        } catch PolicyError.conflict {
          // Some parameters exclude each other.
        } catch {
          self.error = error
        }
      }
    }
  }
}
