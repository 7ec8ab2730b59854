import CEvictionLab
import Conformance
import EvictionCore
import Results
import Runner

/// Names a policy that the program has.
@_cdecl("evl_policy_add")
public func addPolicy(
  _ name: UnsafePointer<CChar>?, _ policy: UnsafePointer<evl_policy>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let name = try Argument.text(name, "name")
    let policy = try Argument.present(policy, "policy")
    if name.isEmpty || name.contains(where: { ":,".contains($0) || $0.isWhitespace }) {
      throw .usage("“\(name)” is no name of a policy; leave out colons, commas and spaces")
    }
    _ = try wrapping(CallFailure.init) { () throws(PolicyError) in
      try PluginLibrary.add(policy, named: name)
    }
  }
}

/// Takes a name away.
@_cdecl("evl_policy_remove")
public func removePolicy(_ name: UnsafePointer<CChar>?) {
  guard let name = name.flatMap({ String(validatingCString: $0) }) else { return }
  PluginLibrary.remove(named: name)
}

/// Runs the conformance suite on a policy.
@_cdecl("evl_policy_check")
public func checkPolicy(
  _ policy: UnsafePointer<CChar>?, _ seed: UInt64, _ rounds: UInt64, _ operations: UInt64,
  _ progress: evl_progress?, _ context: UnsafeMutableRawPointer?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(json, "json")
    let text = try Argument.text(policy, "policy")
    let rounds = try count(rounds, "rounds")
    let operations = try count(operations, "operations")
    if seed > UInt64(Int64.max) { throw .usage("seed is \(seed); give at most \(Int64.max)") }
    let violations = try Watch.run(progress, context) { (watch) throws(CallFailure) in
      let choice = try PolicyChoice(named: text)
      let properties = ConformanceProperty.allCases
      let violations = try wrapping(CallFailure.init) { () throws(PolicyError) in
        try choice.entry.violations(
          of: choice.specification, seeds: seed..<seed + UInt64(rounds), operations: operations,
          isSilent: true,
          goesOn: { watch.note(properties.firstIndex(of: $0) ?? 0, of: properties.count) })
      }
      if watch.cancellation.isCancelled { throw .cancelled }
      return violations
    }
    let report: JSON = ["violations": .array(violations.map(\.json))]
    place.pointee = try Copies.of(Array(report.document.utf8CString))
  }
}

private func count(_ value: UInt64, _ name: String) throws(CallFailure) -> Int {
  guard (1...1_000_000).contains(value) else {
    throw .usage("\(name) is \(value); give 1 to 1000000")
  }
  return Int(value)
}

extension ConformanceViolation {
  fileprivate var json: JSON {
    [
      "property": .string(property.rawValue), "message": .string(description),
      "breaksContract": .boolean(breaksContract),
    ]
  }
}
