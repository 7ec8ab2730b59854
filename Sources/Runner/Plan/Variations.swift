import Parameters
import Requests
import Results
import Traces

/// The variations in which each cell of a sweep is run once more.
package struct Variations: Sendable, Equatable {
  /// Those of one kind: its model and extent.
  package let kinds: [Variation]
  /// The number of runs of each kind.
  package let count: Int

  /// No variation.
  package static let none = Variations([], count: 0)

  /// That number of each of these kinds.
  package init(_ kinds: [Variation], count: Int) {
    self.kinds = kinds
    self.count = kinds.isEmpty ? 0 : count
  }

  /// Every variation, kind by kind.
  package var all: [Variation] {
    kinds.flatMap { kind in
      guard count > 0 else { return [Variation]() }
      return (1...count).map {
        Variation(kind.kind, model: kind.model, extent: kind.extent, number: $0)
      }
    }
  }
}

extension Variation {
  /// The seed of what it draws.
  private var seed: UInt64 {
    let kind = Variation.Kind.allCases.firstIndex(of: kind) ?? 0
    return KeyHash.finish(UInt64(kind + 1) << 32 ^ UInt64(UInt32(truncatingIfNeeded: number)))
  }

  /// A number between −1 and 1.
  private var position: Double {
    Double(Int64(bitPattern: KeyHash.finish(seed) >> 11)) * 0x1p-52 - 1
  }

  /// The capacity of a run: another one for a size, at least the one that is given.
  func capacity(_ capacity: Int, atLeast minimum: Int) -> Int {
    guard kind == .size else { return capacity }
    return max(minimum, Int((Double(capacity) * (1 + extent * position)).rounded()))
  }

  /// The trace of a run: in another order, or from a later request on.
  func trace(_ trace: Trace) -> Trace {
    switch kind {
    case .size: return trace
    case .beginning:
      let last = min(Double(trace.requests) * extent, Double(trace.requests - 1))
      return trace.suffix(from: Int(last * (1 + position) / 2))
    case .order:
      guard let model = model.flatMap(OrderModels.named) else {
        preconditionFailure("the model of an order is one of the catalog")
      }
      return trace.reordered(by: model, reach: Int(extent), seed: seed)
    }
  }

  /// True where its runs read another trace.
  var changesTrace: Bool { kind != .size }
}
