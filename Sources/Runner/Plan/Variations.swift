import Parameters
import Prefixes
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
  package func capacity(_ capacity: Int, atLeast minimum: Int) -> Int {
    guard kind == .size else { return capacity }
    return max(minimum, Int((Double(capacity) * (1 + extent * position)).rounded()))
  }

  /// The trace of a run: in another order, or from a later request on.
  package func trace(_ trace: Trace) -> Trace {
    switch kind {
    case .size: return trace
    case .beginning: return trace.suffix(from: beginning(of: trace.requests))
    case .order: return trace.reordered(by: orderModel, reach: Int(extent), seed: seed)
    }
  }

  /// The prompts of a run, whose blocks stay together: in another order, in which those of a session keep theirs, or from
  /// a later one on.
  package func prompts(_ forest: PromptForest) -> PromptForest {
    switch kind {
    case .size: return forest
    case .beginning:
      return forest.prompts(Array(UInt32(beginning(of: forest.prompts))..<UInt32(forest.prompts)))
    case .order:
      let order = (forest.sessions ?? []).withUnsafeBufferPointer {
        orderModel.arrivals(of: forest.prompts, reach: Int(extent), seed: seed, keeping: $0)
      }
      return forest.prompts(order)
    }
  }

  private var orderModel: any OrderModel.Type {
    guard let model = model.flatMap(OrderModels.named) else {
      preconditionFailure("the model of an order is one of the catalog")
    }
    return model
  }

  /// The first of that number of requests that runs.
  private func beginning(of requests: Int) -> Int {
    let last = min(Double(requests) * extent, Double(requests - 1))
    return Int(last * (1 + position) / 2)
  }

  /// True where its runs read another trace.
  var changesTrace: Bool { kind != .size }
}
