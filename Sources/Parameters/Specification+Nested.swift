/// A parameter whose value names something that has parameters of its own, which follow with a prefix:
/// `lru:admission=size:admission.limit=64KiB`.
extension Specification {
  /// Returns the specification that the parameter `key` names, with its own parameters, `size:limit=64KiB`; nil
  /// if it is not given.
  public func nested(_ key: String) -> Specification? {
    guard let name = given.first(where: { $0.key == key })?.text else { return nil }
    let prefix = key + "."
    return Specification(
      name: name,
      given: given.filter { $0.key.hasPrefix(prefix) }
        .map { ($0.key.dropFirst(prefix.count).description, $0.text) })
  }

  /// The same without `key` and what follows with its prefix.
  public func withoutNested(_ key: String) -> Specification {
    Specification(
      name: name, given: given.filter { $0.key != key && !$0.key.hasPrefix(key + ".") })
  }
}

extension Parameter {
  /// The parameter as one of what the parameter `key` names: `limit` as `admission.limit`.
  public func nested(in key: String) -> Parameter {
    Parameter("\(key).\(name)", kind, default: defaultValue, time: time, help: help)
  }
}

extension Arguments {
  /// Returns the specification that the parameter `key` names, with the parameters given to it; nil if it is
  /// not given.
  public func nested(_ key: String) -> Specification? {
    let texts = given.sorted { $0.key < $1.key }.map { (key: $0.key, text: "\($0.value)") }
    return Specification(name: "", given: texts).nested(key)
  }
}
