import CInline
import EvictionCore
import Foundation
import Traces

/// The surroundings of a trial.
package struct TrialContext {
  /// The trial's own random numbers.
  package var random: SplitMix64
  /// An empty folder, removed after the trial.
  package let folder: String
  /// The path of a trace by its name; nil if it is nowhere.
  package let path: @Sendable (_ trace: String) -> String?

  package init(
    seed: UInt64, folder: String, path: @escaping @Sendable (_ trace: String) -> String?
  ) {
    random = SplitMix64(seed: seed)
    self.folder = folder
    self.path = path
  }

  /// Measures both sides, in the order that a coin decides.
  package mutating func compare(
    _ claimed: () throws -> Double, with other: () throws -> Double
  ) rethrows -> Trial {
    try compare {
      ClaimSample(try claimed())
    } with: {
      ClaimSample(try other())
    }
  }

  /// Measures both sides and what they tell besides, in the order that a coin decides.
  package mutating func compare(
    _ claimed: () throws -> ClaimSample, with other: () throws -> ClaimSample
  ) rethrows -> Trial {
    if random.index(below: 2) == 0 {
      let first = try claimed()
      return Trial(first, try other())
    }
    let first = try other()
    return Trial(try claimed(), first)
  }

  /// Loads a trace.
  package func trace(_ name: String) throws -> Trace {
    guard let path = path(name) else {
      throw ClaimUnavailable("the trace \(name) is missing; name its folder in EVICTIONLAB_TRACES")
    }
    return try TraceLoader.load(path: path)
  }

  /// Random indices below a bound.
  package mutating func indices(_ count: Int, below bound: Int) -> [Int] {
    (0..<count).map { _ in random.index(below: bound) }
  }

  /// Random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}

/// Nanoseconds that `body` takes.
package func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = evl_monotonic_nanoseconds()
  try body()
  return Double(evl_monotonic_nanoseconds() - start)
}

/// Keeps the compiler from removing the work behind a value.
@inline(never)
@_optimize(none)
package func keep<Value>(_ value: Value) {}

extension [Double] {
  /// The value below which this fraction lies.
  func quantile(_ fraction: Double) -> Double {
    let sorted = sorted()
    return sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * fraction))]
  }
}
