import Eviction
import Parameters
import Testing

@Suite("The members of CachePolicy")
struct CachePolicyTests {
  /// Every policy, with a value for each of its parameters.
  private static let all: [CachePolicy] = [
    .arc(arithmetic: .integer, ghosts: 0.25),
    .camp(precision: 1),
    .car(arithmetic: .integer, ghosts: 0.25),
    .cart(arithmetic: .integer, ghosts: 0.25),
    .clock(insertBit: 1, bits: 1, order: .insertFirst),
    .cacheus(ghosts: 0.25),
    .clockPro(cold: 0.25, ghosts: 0.25),
    .expireLatest,
    .expireSoonest,
    .fbr(new: 0.25, old: 0.25, cmax: 1, amax: 1),
    .fifo,
    .gdsf(objective: .bytes, frequency: true, order: .insertFirst),
    .gdWheel(wheels: 1, queues: 2),
    .hyperbolic(sample: 1, weight: .costSize),
    .keyLength(order: .shortest),
    .lfru(privileged: 0.25, popular: 2, window: 1),
    .lfu(ties: .fifo, history: .perfect, ghosts: 0.25),
    .lfuAging(average: 2, maximum: 1),
    .lfuda,
    .lhd(sample: 1, interval: 8, ages: 4, age: 40, explorers: 0.25),
    .lifo,
    .lirs(repeats: .count, hirs: 1, ghosts: 0.25),
    .lrfu(lambda: 0.25),
    .lruK(k: 1, retained: 0.25, ghosts: 0.25),
    .leCaR(rate: 0.25, ghosts: 0.25),
    .mq(queues: 1, lifetime: 0.25, ghosts: 0.25),
    .mru,
    .plru(ways: 4),
    .pannier(container: 0.25, hot: 0.25, survival: 0.25, accesses: 1),
    .qdlp(small: 0.25, bits: 1, ghosts: 0.25),
    .random,
    .randomTwo,
    .sieve,
    .slru(protected: 0.25, segments: 1, probation: .fixed, fill: .protected),
    .sampledLFU(sample: 1, pool: 1, log: 1, decay: 1),
    .sampledLRU(sample: 1, pool: 1, resolution: 1),
    .tlru,
    .twoQ(version: .simple, kin: 0.25, kout: 0.25, ghosts: 0.25),
    .wTinyLFU(
      window: 0.25, protected: 0.25, sample: 1, doorkeeper: true, conservative: true, climb: true,
      step: 0.25, density: true, dense: 1, victims: .queue),
    .windowLFU(window: 10000, ghosts: 0.25),
    .adaptiveClimb,
    .clfus(seen: true),
    .segcache(segments: 4, resolution: 1),
    .clock2QPlus(small: 0.25, threshold: 1, ghosts: 0.25, window: 0.25),
    .crLFU,
    .dlirs(ghosts: 0.25),
    .dynamicAdaptiveClimb(epsilon: 0.25),
    .fifoMerge(examine: 4, keep: 1),
    .flashProb(memory: 0.25, probability: 0.25),
    .lpARC(bits: 1, arithmetic: .integer, ghosts: 0.25),
    .lpTwoQ(bits: 1, kin: 0.25, ghosts: 0.25),
    .lruProb(probability: 0.25),
    .rank(score: "hits/(age*size)", sample: 4, ghosts: 0.25),
    .s3FIFOD(small: 0.25, history: 0.25),
    .s4FIFO(small: 0.25, threshold: 1, ghosts: 0.25, skip: 0.25, reghosts: 1),
    .size,
    .srLRU(ghosts: 0.25),
    .lru,
    .s3FIFO(
      form: .libcachesim, small: 0.25, threshold: 1, keep: true, order: .ghostFirst, inner: true,
      fill: .main, ghosts: 0.25),
  ]

  @Test("are the catalog's policies, with all of their parameters, in their order")
  func membersAreTheCatalog() {
    let names = PolicyCatalog.all.filter { !$0.isBound }.map(\.name)
    #expect(CachePolicyTests.all.map(\.information.name).sorted() == names.sorted())
    for policy in CachePolicyTests.all {
      let declared = policy.information.parameters.map(\.name)
      #expect(policy.specification.given.map(\.key) == declared, "\(policy)")
    }
  }

  @Test("have values that the catalog knows")
  func valuesAreInRange() throws {
    for policy in CachePolicyTests.all {
      let parsed = try PolicyCatalog.policy(Specification(parsing: "\(policy)"))
      #expect(parsed.description == policy.description)
    }
  }

  @Test("make the cache that the text makes")
  func membersAreWhatTextSays() throws {
    let text = try PolicyCatalog.policy("slru:protected=0.8")
    let caches = [CachePolicy.slru(protected: 0.8), text].map {
      MemoryCache<Int, Int>(countLimit: 50, policy: $0, admission: .tinyLFU(), seed: 1)
    }
    var generator = SplitMix64(seed: 1)
    for _ in 0..<5_000 {
      let key = generator.index(below: 1 + generator.index(below: 200))
      for cache in caches where cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
    }
    #expect(caches[0].statistics == caches[1].statistics)
    #expect(CachePolicy.slru(protected: 0.8).description == "slru:protected=0.8")
  }

  @Test("say what is wrong when a cache is opened, not before")
  func mistakesAreErrors() {
    func problem(_ policy: CachePolicy, _ admission: CacheAdmission? = nil) -> String {
      do throws(PolicyError) {
        _ = try MemoryCache<Int, Int>.open(countLimit: 3, policy: policy, admission: admission)
        return "none"
      } catch { return "\(error)" }
    }
    #expect(problem(.slru(protected: 1.5)).contains("protected=1.5 is out of range"))
    #expect(problem(.lru, .size(limit: 0)).contains("limit=0 is out of range"))
    #expect(problem(.lru) == "none")
    #expect(throws: PolicyError.self) { try PolicyCatalog.policy("lru:no=1") }
    #expect(throws: PolicyError.self) { try PolicyCatalog.policy("nothing") }
  }

  @Test("have a standard one")
  func standard() {
    let cache = MemoryCache<String, [UInt8]>(countLimit: 2)
    for key in ["a", "b", "c"] { cache.set([1], forKey: key) }
    #expect(cache.count == 2 && CachePolicy.standard.information.name == "s3fifo")
  }
}
