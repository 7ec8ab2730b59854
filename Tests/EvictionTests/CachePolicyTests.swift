import Eviction
import Parameters
import Testing

@Suite("The members of CachePolicy")
struct CachePolicyTests {
  /// The policies that have a member, with a value for each of their parameters.
  private static let all: [CachePolicy] = [
    .arc(arithmetic: .integer, ghosts: 0.25),
    .camp(precision: 1),
    .clock(insertBit: 1, bits: 1, order: .insertFirst),
    .fifo,
    .gdsf(objective: .bytes, frequency: true, order: .insertFirst),
    .gdWheel(wheels: 1, queues: 2),
    .lfu(ties: .fifo, history: .perfect, ghosts: 0.25),
    .lirs(repeats: .count, hirs: 1, ghosts: 0.25),
    .sieve,
    .slru(protected: 0.25, segments: 1, probation: .fixed, fill: .protected),
    .wTinyLFU(
      window: 0.25, protected: 0.25, sample: 1, doorkeeper: true, conservative: true, climb: true,
      climber: .adam, period: 1, step: 0.25, density: true, dense: 1, victims: .queue,
      windowProtected: 0.5, main: .random, feedback: .window),
    .lru,
    .s3FIFO(
      form: .libcachesim, small: 0.25, threshold: 1, keep: true, order: .ghostFirst, inner: true,
      fill: .main, ghosts: 0.25),
  ]

  @Test("take all parameters of their policies, in their order")
  func parametersAreComplete() {
    for policy in CachePolicyTests.all {
      let declared = policy.information.parameters.map(\.name)
      #expect(policy.specification.given.map(\.key) == declared, "\(policy)")
    }
  }

  @Test("have values that the catalog knows")
  func valuesAreInRange() throws {
    for policy in CachePolicyTests.all {
      let parsed = try PolicyCatalog.policy(named: "\(policy)")
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
    let name = problem(CachePolicy(Hyperbolic.self, parameters: ["samples": 32]))
    #expect(
      name
        == "\(SpecificationError.unknown(name: "hyperbolic", parameter: "samples", known: ["sample", "weight"]))"
    )
    #expect(name.contains("hyperbolic") && name.contains("samples") && name.contains("weight"))
    let value = problem(CachePolicy(Hyperbolic.self, parameters: ["weight": "heavy"]))
    #expect(value.contains("hyperbolic") && value.contains("weight=heavy"), "\(value)")
    #expect(value.contains("cost-size"), "\(value)")
    #expect(
      problem(CachePolicy(Hyperbolic.self, parameters: ["sample": 32, "weight": nil])) == "none")
    #expect(throws: PolicyError.self) { try PolicyCatalog.policy("lru:no=1") }
    #expect(throws: PolicyError.self) { try PolicyCatalog.policy("nothing") }
    for text in ["", ":", "lru:", "lru:=1", "slru:protected", "slru:protected=2", "no such"] {
      #expect(throws: PolicyError.self, "\(text)") { try PolicyCatalog.policy(named: text) }
    }
  }

  @Test func mistakeStopsTheProgramWithItsMessage() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let policy = CachePolicy(Hyperbolic.self, parameters: ["samples": 32])
      _ = MemoryCache<Int, Int>(countLimit: 3, policy: policy)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("hyperbolic") && text.contains("samples"), "\(text)")
  }

  @Test("have a standard one")
  func standard() {
    let cache = MemoryCache<String, [UInt8]>(countLimit: 2)
    for key in ["a", "b", "c"] { cache.set([1], forKey: key) }
    #expect(cache.count == 2 && CachePolicy.standard.information.name == "s3fifo")
  }
}
