@_exported import Conformance
import EvictionCore
import Testing

extension PolicyConformance where Policy: ~Copyable {
  /// Records an issue for each property that does not hold.
  ///
  /// - Throws: ``EvictionCore/PolicyError`` when the policy cannot run with these parameters.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) throws(PolicyError) {
    for property in ConformanceProperty.allCases where !exceptions.contains(property) {
      if let violation = try violation(of: property) {
        Issue.record(
          "\(specification): \(property.rawValue): \(violation)", sourceLocation: sourceLocation)
      }
    }
  }
}
