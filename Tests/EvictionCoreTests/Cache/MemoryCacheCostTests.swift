import Eviction
import Parameters
import Testing

@Suite("Costs of 0")
struct MemoryCacheCostTests {
  static let policies = PolicyCatalog.policies.filter {
    !$0.information.isBound && $0.needs.isSubset(of: .knownToCaches)
  }.map(\.information.name)

  /// Requests that once ended the process under `sr-lru`, `cacheus` and `dlirs`, and others like them.
  @Test("are legal under every policy", arguments: policies)
  func areLegal(policy: String) throws {
    let least = PolicyCatalog.all.first { $0.name == policy }?.minimumCapacity ?? 1
    for (limit, keys) in [(3, 5), (3, 7), (8, 11), (least, 3), (100, 60)] {
      let cache = try MemoryCache<Int, Int>.open(
        costLimit: limit, costs: .given, policy: PolicyCatalog.policy(Specification(name: policy)),
        seed: 1)
      for index in 0..<2_000 {
        let key = (index + index / keys) % keys
        let cost = index / 700 == 1 ? 0 : index % 3
        if cache.value(forKey: key) == nil || index % 10 == 9 {
          cache.set(index, forKey: key, cost: cost)
        }
        if index % 500 == 499 { cache.costLimit = limit + index % 2 }
      }
      #expect(cache.totalCost <= limit + 1 && cache.count <= keys, "limit \(limit)")
    }
  }
}
