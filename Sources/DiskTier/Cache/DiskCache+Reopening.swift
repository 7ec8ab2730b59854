import EvictionCore

extension DiskCache {
  /// Returns the first difference between the options of the opening and those of this one; nil if there is
  /// none. Functions are taken to be alike.
  func difference(from limits: DiskCacheLimits, _ options: DiskCacheOptions) -> String? {
    // Nil asks for any.
    let seed = limits.seed ?? opened.seed
    let asked: [(name: String, own: Any, other: Any)] = [
      ("policy", opened.policy, limits.policy),
      ("count limit", opened.count as Any, limits.count as Any),
      ("cost limit", opened.cost as Any, limits.cost as Any),
      (
        "admission filter", opened.admission?.specification as Any,
        limits.admission?.specification as Any
      ),
      ("seed", opened.seed as Any, seed as Any),
    ]
    for (name, own, other) in asked {
      if let difference = valueDifference(name, own, other) { return difference }
    }
    if opened.observer !== limits.observer { return "another observer" }
    return optionDifference(self.options, options)
  }
}

private func optionDifference(_ options: Any, _ others: Any) -> String? {
  for (own, other) in zip(Mirror(reflecting: options).children, Mirror(reflecting: others).children)
  {
    let difference =
      own.value is StoreOptions
      ? optionDifference(own.value, other.value)
      : valueDifference(own.label ?? "option", own.value, other.value)
    if let difference { return difference }
  }
  return nil
}

private func valueDifference(_ name: String, _ own: Any, _ other: Any) -> String? {
  if text(own) == text(other) { return nil }
  return text(own).map { "the \(name) \($0)" } ?? "no \(name)"
}

/// A value as text; nil for none.
private func text(_ value: Any) -> String? {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle != .optional { return "\(value)" }
  return mirror.children.first.map { "\($0.value)" }
}
