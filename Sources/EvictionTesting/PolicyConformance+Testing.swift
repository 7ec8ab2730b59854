@_exported import Conformance
import EvictionCore
import Testing

extension PolicyConformance where Policy: ~Copyable {
  /// Records an issue for each property that does not hold.
  ///
  /// - Throws: ``EvictionCore/PolicyError`` when the policy cannot run with these parameters.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) throws(PolicyError) {
    for violation in try violations() {
      Issue.record("\(specification): \(violation)", sourceLocation: sourceLocation)
    }
  }
}
