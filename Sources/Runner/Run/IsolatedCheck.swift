import Conformance
import EvictionCore
import Parameters

extension RunnablePolicyEntry {
  /// The violations of the policy's conformance suite, run in a child: a trap is one, too.
  ///
  /// - Parameters:
  ///   - specification: The policy's name and parameters.
  ///   - seeds: The seeds of the workloads.
  ///   - operations: The operations of a workload.
  ///   - child: Its patience is that for a workload.
  ///   - progress: Called now and then with the property that is checked.
  /// - Throws: `PolicyError` when the policy cannot run with these parameters.
  package func violations(
    of specification: Specification, seeds: Range<UInt64>, operations: Int,
    in child: ForkedChild, progress: (Substring) -> Void
  ) throws(PolicyError) -> [String] {
    let report = child.run { _, mark in
      progress(mark().prefix { $0 != "\n" })
      return true
    } _: { _ in
      if let plugin, isForeign { GuardedMemory.install(for: plugin) }
      do throws(PolicyError) {
        let violations = try violations(
          of: specification, seeds: seeds, operations: operations)
        SignsOfLife.inspection?()
        return ChildAnswer.texts(violations.map(\.description)).bytes
      } catch { return ChildAnswer.refusal(error).bytes }
    }
    guard case .finished(let bytes) = report.end else {
      return [ConformanceViolation(ending: "\(report)", at: report.mark).description]
    }
    switch ChildAnswer(bytes) {
    case .texts(let texts): return texts
    case .refusal(let error): throw error
    case nil: return ["\(specification): returned what is no answer"]
    }
  }
}

extension PolicyChoice {
  /// Checks that the policy can run at `capacity`, without running it. A foreign one that traps or hangs as it is made is
  /// left to its run, which tells of that.
  ///
  /// - Throws: The `PolicyError` that a run would throw.
  package func check(capacity: Int, isSized: Bool) throws(PolicyError) {
    func check() throws(PolicyError) {
      try entry.description.check(capacity: capacity, isSized: isSized, arguments: arguments)
    }
    if !entry.isForeign { return try check() }
    let report = ForkedChild(patience: 5).run { _ in
      do throws(PolicyError) {
        try check()
        return []
      } catch { return ChildAnswer.refusal(error).bytes }
    }
    if case .finished(let bytes) = report.end, case .refusal(let error) = ChildAnswer(bytes) {
      throw error
    }
  }
}

/// The answer of a child that runs a policy.
enum ChildAnswer {
  /// Some texts.
  case texts([String])
  /// The policy does not run.
  case refusal(PolicyError)

  /// The answer in bytes: a letter, and the texts with a zero after each.
  var bytes: [UInt8] {
    switch self {
    case .texts(let texts): [UInt8(ascii: "T")] + texts.flatMap { Array($0.utf8) + [0] }
    case .refusal(.capacityTooSmall(let policy, let capacity, let minimum)):
      [UInt8(ascii: "C")] + Array("\(capacity) \(minimum) \(policy)".utf8)
    case .refusal(let error): [UInt8(ascii: "R")] + Array("\(error)".utf8)
    }
  }

  /// The answer of these bytes; nil if they are no answer.
  init?(_ bytes: [UInt8]) {
    switch bytes.first {
    case UInt8(ascii: "T"):
      let texts = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).dropLast()
      self = .texts(texts.map { String(decoding: $0, as: UTF8.self) })
    case UInt8(ascii: "C"):
      let parts = String(decoding: bytes.dropFirst(), as: UTF8.self).split(
        separator: " ", maxSplits: 2)
      guard parts.count == 3, let capacity = Int(parts[0]), let minimum = Int(parts[1]) else {
        return nil
      }
      self = .refusal(
        .capacityTooSmall(policy: String(parts[2]), capacity: capacity, minimum: minimum))
    case UInt8(ascii: "R"):
      let parts = String(decoding: bytes.dropFirst(), as: UTF8.self).split(
        separator: ": ", maxSplits: 1)
      self = .refusal(
        .conflict(
          policy: parts.first.map(String.init) ?? "",
          explanation: parts.last.map(String.init) ?? ""))
    default: return nil
    }
  }
}
