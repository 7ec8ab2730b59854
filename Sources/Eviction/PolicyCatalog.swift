import Parameters

/// Something done once with each policy's type, specialised for it.
///
/// A visitor's `visit` is generic; ``PolicyCatalog/visit(_:)`` names the concrete types. As both are
/// inlinable, whatever a visitor builds (a closure that simulates, one that replays) is compiled for
/// each policy on its own, and a policy's type is erased once per run, never per request.
public protocol PolicyVisitor {
  /// Called with each policy's type.
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type)
}

/// Every policy, in the order in which help and reports list them.
public enum PolicyCatalog {
  /// Shows each policy's type to `visitor`. A new policy is one line here.
  @inlinable @inline(__always)
  public static func visit(_ visitor: inout some PolicyVisitor) {
    visitor.visit(LRU.self)
    visitor.visit(FIFO.self)
    visitor.visit(LFU.self)
    visitor.visit(MRU.self)
    visitor.visit(Random.self)
    visitor.visit(ARC.self)
    visitor.visit(SLRU.self)
    visitor.visit(WTinyLFU.self)
    visitor.visit(Hyperbolic.self)
    visitor.visit(LHD.self)
    visitor.visit(SampledLRU.self)
    visitor.visit(SampledLFU.self)
  }

  /// What each policy says of itself.
  public static let all: [PolicyInformation] = {
    struct Collector: PolicyVisitor {
      var all: [PolicyInformation] = []
      mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
        all.append(Policy.information)
      }
    }
    var collector = Collector()
    visit(&collector)
    return collector.all
  }()
}
