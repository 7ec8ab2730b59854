import Eviction

/// The arguments of `CacheStress`: `[SECONDS [LOCK,LOCK… [without-loads]]]`.
package struct StressArguments {
  /// The seconds to go on; at least one round is run.
  package private(set) var seconds = 1.0
  /// The locks to check caches behind.
  package private(set) var locks = LockCatalog.threadSafe

  /// True if caches are to load what is missing, and to update values.
  package private(set) var usesLoads = true

  /// Reads the arguments that follow a program's name.
  ///
  /// - Throws: What is wrong with them.
  package init(_ arguments: some Collection<String>) throws(UsageError) {
    var rest = arguments[...]
    if let text = rest.popFirst() {
      guard let number = Double(text), (0...1e9).contains(number) else {
        throw UsageError(description: "“\(text)” is no number of seconds; give 0 to 1e9")
      }
      seconds = number
    }
    if let names = rest.popFirst() {
      locks = []
      for name in names.split(separator: ",", omittingEmptySubsequences: false) {
        locks.append(try StressArguments.lock(named: String(name)))
      }
    }
    if rest.first == "without-loads" {
      usesLoads = false
      rest.removeFirst()
    }
    if let more = rest.first {
      throw UsageError(
        description: "“\(more)” is too much; give [SECONDS [LOCK,LOCK… [without-loads]]]")
    }
  }

  private static func lock(named name: String) throws(UsageError) -> any CacheLock.Type {
    let known = LockCatalog.threadSafe
    if let lock = known.first(where: { $0.information.name == name }) { return lock }
    let names = known.map { $0.information.name }.joined(separator: ", ")
    throw UsageError(
      description: "no lock for several threads is called “\(name)”; known are \(names)")
  }

  /// The fault of the arguments, and the remedy.
  package struct UsageError: Error, CustomStringConvertible {
    package let description: String
  }
}

extension LockCatalog {
  /// Every lock that several threads may use.
  package static let threadSafe = all.filter { $0.information.isThreadSafe }
}
