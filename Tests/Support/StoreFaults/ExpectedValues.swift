import DiskTier

/// The values that a store must hold after a crash: everything acknowledged, the step under way wholly or not
/// at all, and nothing else.
package struct ExpectedValues: Sendable {
  /// The numbers of acknowledged values, by key.
  package var values: [Int: Int]
  /// The step that was begun and not acknowledged.
  package var underWay: StoreStep?

  package init(values: [Int: Int] = [:], underWay: StoreStep? = nil) {
    self.values = values
    self.underWay = underWay
  }

  /// Compares with a store that has been reconciled; returns what is wrong, empty if nothing is.
  ///
  /// A removal of everything, or of many, that was under way counts as a whole too.
  package func problems(of store: HybridStore, keys: Int) throws -> [String] {
    let held = try Self.held(by: store, keys: keys)
    var problems = held.problems
    var possible = [values]
    if let underWay {
      var after = values
      underWay.apply(to: &after)
      possible.append(after)
    }
    if !possible.contains(held.values) {
      problems.append(
        "holds \(held.values.sorted { $0.key < $1.key }), expected"
          + " \(values.sorted { $0.key < $1.key }) with \(underWay?.line ?? "nothing") under way")
    }
    let count = try store.count
    if count != held.values.count { problems.append("counts \(count)") }
    let report = try store.check(repair: false)
    if !report.isClean { problems.append("\(report)") }
    return problems
  }

  /// The numbers of the values that a store holds, and what is wrong with others.
  package static func held(
    by store: HybridStore, keys: Int
  ) throws -> (values: [Int: Int], problems: [String]) {
    var values: [Int: Int] = [:]
    var problems: [String] = []
    for key in 0..<keys {
      guard let found = try store.get(StoreStep.name(key)) else { continue }
      // A value bears its number in the cost, too, so that it can be looked up.
      let number = found.metadata.cost
      values[key] = number
      if found.bytes != StoreStep.bytes(number) || found.extended != StoreStep.extended(number) {
        problems.append("key \(key) has other bytes than those of value \(number)")
      }
    }
    return (values, problems)
  }
}
