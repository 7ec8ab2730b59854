import Eviction
import EvictionTesting
import Parameters

/// Runs a policy by hand: one word per operation, one word per outcome.
///
///     a b5 -a ! =3    requests of a (size 1) and b (size 5), removal of a, a trim, a new capacity
///     + .ab x _c      a hit; a miss that evicted a and b; a refusal; anything else, which evicted c
func outcome(of specification: String, capacity: Int, _ trace: String) throws -> String {
  let operations = trace.split(separator: " ").map(operation)
  let isSized = trace.contains { $0.isNumber }
  let workload = Workload(
    capacity: capacity, keys: 26, operations: operations, features: isSized ? .sizes : [])
  var run = HandRun(specification: try Specification(parsing: specification), workload: workload)
  PolicyCatalog.visit(&run)
  if let error = run.error { throw error }
  return run.outcomes.joined(separator: " ")
}

private func operation(_ word: Substring) -> CacheOperation {
  func key(_ letter: Character) -> Int { Int(letter.asciiValue! - Character("a").asciiValue!) }
  return switch word.first! {
  case "-": .remove(key: key(word.last!))
  case "!": .trim
  case "=": .resize(capacity: Int(word.dropFirst())!)
  default: .request(key: key(word.first!), size: Int(word.dropFirst()) ?? 1)
  }
}

private struct HandRun: PolicyVisitor {
  let specification: Specification
  let workload: Workload
  var outcomes: [String] = []
  var error: (any Error)?

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if Policy.information.name != specification.name { return }
    do {
      let arguments = try specification.arguments(for: Policy.information.parameters)
      var driver = try PolicyDriver<Policy>(workload, arguments: arguments)
      for (index, operation) in workload.operations.enumerated() {
        let before = driver.run.events.count
        driver.perform(index)
        outcomes.append(describe(operation, driver.run.events[before...]))
      }
      if let violation = driver.run.violation { outcomes.append(violation) }
    } catch {
      self.error = error
    }
  }

  private func describe(_ operation: CacheOperation, _ events: ArraySlice<CacheEvent>) -> String {
    var mark = "_"
    var victims = ""
    for event in events {
      switch event {
      case .hit: mark = "+"
      case .admitted: mark = "."
      case .rejected: mark = "x"
      case .evicted(let key): victims.append(Character(UnicodeScalar(97 + UInt8(key))))
      }
    }
    return mark + victims
  }
}

/// Returns the evictions, ghosts and parameters of a policy in a run of requests for one-letter keys of size 1.
@_semantics("optimize.sil.specialize.generic.never")
func learned<Policy: ReplacementPolicy & ~Copyable>(
  _ policy: Policy.Type, _ text: String, capacity: Int, _ trace: String
) throws -> (victims: String, ghosts: String, internals: [String: Double]) {
  func letter(_ key: Int) -> Character { Character(UnicodeScalar(97 + UInt8(key))) }
  let keys = trace.utf8.map { Int($0) - 97 }
  let workload = Workload(
    capacity: capacity, keys: 26, operations: keys.map { .request(key: $0, size: 1) })
  let specification = try Specification(parsing: text)
  let arguments = try specification.arguments(for: Policy.information.parameters)
  var driver = try PolicyDriver<Policy>(workload, arguments: arguments)
  for index in keys.indices { driver.perform(index) }
  if let violation = driver.run.violation { throw ContractViolation(description: violation) }
  let victims = driver.run.events.compactMap {
    if case .evicted(let key) = $0 { letter(key) } else { nil }
  }
  var internals: [String: Double] = [:]
  driver.policy.showInternals { internals[$0] = $1 }
  return (String(victims), String(driver.ghosts.sorted().map(letter)), internals)
}

private struct ContractViolation: Error, CustomStringConvertible {
  let description: String
}
