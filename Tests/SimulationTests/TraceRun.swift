import Conformance
import Eviction
import EvictionTesting
import PolicyModels
import Testing
import Traces

/// Runs plain models over a trace as the simulator runs policies.
struct TraceRun {
  private let trace: Trace
  private let operations: [CacheOperation]
  private let nextUses: [Int]
  private let isSized: Bool
  private let hashes: [UInt64]

  init(_ trace: Trace, isSized: Bool = false) {
    self.trace = trace
    self.isSized = isSized
    operations = trace.ids.enumerated().map { index, id in
      let size = isSized ? trace.sizes.map { Int($0[index]) } ?? 1 : 1
      return .request(key: Int(id), size: size)
    }
    var coming = [Int](repeating: .max, count: trace.distinct)
    var uses = [Int](repeating: .max, count: trace.requests)
    for (index, id) in trace.ids.enumerated().reversed() {
      uses[index] = coming[Int(id)]
      coming[Int(id)] = index
    }
    nextUses = uses
    hashes = Array(trace.keyHashes(seed: 42))
  }

  /// The model of a policy, written as on a command line, after the whole trace.
  func model(
    _ policy: String, capacity: Int, resizes: Bool = false, breaking rule: String? = nil
  ) throws -> PolicyModel {
    let parts = policy.split(separator: ":", maxSplits: 1)
    var options = ModelOptions(
      capacity: capacity, isSized: isSized, updatesSizes: resizes,
      parameters: parts.count == 2 ? String(parts[1]) : "")
    options.keyHash = { hashes[$0] }
    options.cost = { _ in 1 }
    options.flippedRule = rule
    let model = try #require(PolicyModels.all[String(parts[0])]?(options))
    for (operation, nextUse) in zip(operations, nextUses) {
      model.perform(operation, nextUse: nextUse)
    }
    return model
  }
}

extension PolicyModel {
  /// Requests that hit.
  var hits: Int { counts[0] }

  /// Hits, insertions, evictions and rejections.
  var counts: [Int] {
    var counts = [0, 0, 0, 0]
    for event in events {
      switch event {
      case .hit: counts[0] += 1
      case .admitted: counts[1] += 1
      case .evicted: counts[2] += 1
      case .rejected: counts[3] += 1
      }
    }
    return counts
  }
}
