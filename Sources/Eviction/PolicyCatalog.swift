@_exported import EvictionCore
import Parameters

#if Learned
  @_exported import Learned
#endif

/// Every policy, in the order in which help and reports list them.
///
/// Those that predict by gradient-boosted trees are among them where the package is built with the trait Learned.
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
    visitor.visit(LIFO.self)
    visitor.visit(CLOCK.self)
    visitor.visit(SIEVE.self)
    visitor.visit(S3FIFO.self)
    visitor.visit(TwoQ.self)
    visitor.visit(QDLP.self)
    visitor.visit(RandomTwo.self)
    visitor.visit(LIRS.self)
    visitor.visit(LRUK.self)
    visitor.visit(CAR.self)
    visitor.visit(CART.self)
    visitor.visit(LFUDA.self)
    visitor.visit(LFUAging.self)
    visitor.visit(GDSF.self)
    visitor.visit(LeCaR.self)
    visitor.visit(Cacheus.self)
    visitor.visit(MQ.self)
    visitor.visit(ClockPro.self)
    visitor.visit(FBR.self)
    visitor.visit(WindowLFU.self)
    visitor.visit(LRFU.self)
    visitor.visit(LFRU.self)
    visitor.visit(PLRU.self)
    visitor.visit(Pannier.self)
    visitor.visit(WTinyLFU.self)
    visitor.visit(GDWheel.self)
    visitor.visit(CAMP.self)
    visitor.visit(TLRU.self)
    visitor.visit(ExpireSoonest.self)
    visitor.visit(ExpireLatest.self)
    visitor.visit(KeyLength.self)
    visitor.visit(Hyperbolic.self)
    visitor.visit(LHD.self)
    visitor.visit(SampledLRU.self)
    visitor.visit(SampledLFU.self)
    visitor.visit(Clock2QPlus.self)
    visitor.visit(S4FIFO.self)
    visitor.visit(S4FIFOLearned.self)
    visitor.visit(S3FIFOD.self)
    visitor.visit(LPARC.self)
    visitor.visit(LPTwoQ.self)
    visitor.visit(CRLFU.self)
    visitor.visit(SRLRU.self)
    visitor.visit(DLIRS.self)
    visitor.visit(FRD.self)
    visitor.visit(FIFOMerge.self)
    visitor.visit(AdaptiveClimb.self)
    visitor.visit(DynamicAdaptiveClimb.self)
    visitor.visit(LargestSize.self)
    visitor.visit(LRUProb.self)
    visitor.visit(FlashProb.self)
    visitor.visit(CLFUS.self)
    visitor.visit(Segcache.self)
    visitor.visit(KLRU.self)
    visitor.visit(TuQueue.self)
    visitor.visit(LIRS2.self)
    visitor.visit(DClock.self)
    visitor.visit(LRUMAD.self)
    visitor.visit(LeastStale.self)
    visitor.visit(Rank.self)
    #if Learned
      visitor.visit(LRB.self)
      visitor.visit(GLCache.self)
      visitor.visit(ThreeLCache.self)
    #endif

    // Bounds: simulation only.
    visitor.visit(OPT.self)
    visitor.visit(BeladySize.self)
    visitor.visit(Infinite.self)
  }

  /// Each policy with its default parameters, as caches take it.
  public static let policies: [CachePolicy] = {
    struct Collector: PolicyVisitor {
      var policies: [CachePolicy] = []
      mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
        policies.append(CachePolicy(policy))
      }
    }
    var collector = Collector()
    visit(&collector)
    return collector.policies
  }()

  /// The page of each policy.
  public static var all: [PolicyInformation] { policies.map(\.information) }

  /// The policy that a text names, as `slru:protected=0.8`: for names that are known only when the program
  /// runs.
  ///
  ///     let policy = try PolicyCatalog.policy(named: text)
  ///     let pages = try MemoryCache<String, Page>.open(countLimit: 1_000, policy: policy)
  ///
  /// - Throws: `PolicyError` for a name or a parameter that there is not, a value out of range, or other text.
  public static func policy(named text: String) throws(PolicyError) -> CachePolicy {
    let specification: Specification
    do throws(SpecificationError) {
      specification = try Specification(parsing: text)
    } catch { throw .specification(error) }
    return try policy(specification)
  }

  /// The policy of a specification.
  ///
  /// - Throws: `PolicyError` for a name or a parameter that there is not, or a value out of range.
  public static func policy(
    _ specification: Specification
  ) throws(PolicyError) -> CachePolicy {
    guard let policy = policies.first(where: { $0.information.name == specification.name }) else {
      throw .unknown(name: specification.name, known: policies.map(\.information.name))
    }
    do throws(SpecificationError) {
      _ = try specification.arguments(for: policy.information.parameters)
    } catch { throw .specification(error) }
    return policy.with(specification)
  }
}
