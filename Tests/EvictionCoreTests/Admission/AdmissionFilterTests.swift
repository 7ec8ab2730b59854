import Eviction
import EvictionTesting
import Parameters
import Testing

@Suite("Admission filters by hand")
struct AdmissionFilterTests {
  private func filter(
    _ text: String, capacity: Int = 4, isSized: Bool = false, seed: UInt64 = 1
  ) throws -> AdmissionFilter {
    try #require(
      try AdmissionCatalog.makeFilter(
        Specification(parsing: text), policy: "a test", capacity: capacity, isSized: isSized,
        seed: seed))
  }

  private func request(_ key: Int, size: Int = 1) -> Request {
    Request(slot: .max, size: size, keyHash: SplitMix64.mix(UInt64(key)))
  }

  private func hash(_ key: Int) -> UInt64 { SplitMix64.mix(UInt64(key)) }

  @Test("size: an object of the limit enters, a larger one does not")
  func sizeLimit() throws {
    let filter = try filter("size:limit=1KiB", isSized: true)
    #expect(filter.admits(request(1, size: 1_024)))
    #expect(!filter.admits(request(1, size: 1_025)))
  }

  @Test("probability: p = 0 refuses and 1 admits everything, and 0.3 three in ten")
  func probabilities() throws {
    func admissions(_ text: String, seed: UInt64 = 1) throws -> Int {
      let filter = try filter(text, seed: seed)
      return (0..<10_000).count { filter.admits(request($0)) }
    }
    #expect(try admissions("probability:p=0") == 0)
    #expect(try admissions("probability:p=1") == 10_000)
    #expect(try (2_800...3_200).contains(admissions("probability:p=0.3")))
    #expect(try admissions("probability:p=0.3") == admissions("probability:p=0.3"))
    #expect(try admissions("probability:p=0.3") != admissions("probability:p=0.3", seed: 2))
  }

  @Test("size-probability: objects of c bytes enter with probability 1/e, those of 0 always")
  func sizeProbabilities() throws {
    let filter = try filter("size-probability:c=100", isSized: true)
    func admissions(size: Int) -> Int {
      (0..<10_000).count { filter.admits(request($0, size: size)) }
    }
    #expect((3_500...3_860).contains(admissions(size: 100)))
    #expect(admissions(size: 0) == 10_000)
    #expect(admissions(size: 100_000) == 0)
    #expect(admissions(size: .max) == 0)
  }

  @Test("bloom: the second request within a window is admitted, and keys are forgotten")
  func secondRequest() throws {
    // C = 4, a window is 4 keys: 1 is in the younger filter, then in the older, then in none.
    let filter = try filter("bloom")
    func admits(_ key: Int) -> Bool {
      filter.record(request(key))
      return filter.admits(request(key))
    }
    #expect(!admits(1) && admits(1))
    #expect(!admits(2) && !admits(3) && !admits(4))
    #expect(admits(1), "in the older filter, and from now on in the younger")
    #expect(!admits(5) && !admits(6) && !admits(7))
    #expect(admits(1) && !admits(2), "1 was requested in the window before, 2 was not")
  }

  @Test("bloom: windows are measured in bytes where objects have sizes")
  func windowOfBytes() throws {
    let filter = try filter("bloom", capacity: 100, isSized: true)
    func admits(_ key: Int, size: Int) -> Bool {
      filter.record(request(key, size: size))
      return filter.admits(request(key, size: size))
    }
    #expect(!admits(1, size: 1))
    #expect(!admits(2, size: 200), "ends the window of 100")
    #expect(admits(1, size: 1))
    #expect(!admits(3, size: 99), "ends the next")
    #expect(!admits(4, size: 500) && !admits(1, size: 1))
  }

  @Test("tinylfu: the more frequent one stays, and on equal terms the victim")
  func frequencies() throws {
    let filter = try filter("tinylfu")
    for key in [1, 1, 2, 3, 3, 3] { filter.record(request(key)) }
    #expect(filter.prefers(hash(1), over: hash(2)))
    #expect(!filter.prefers(hash(1), over: hash(3)))
    #expect(filter.prefers(hash(2), over: hash(2)))
    #expect(filter.admits(request(9)), "there may be room")
  }

  @Test("adaptsize: c falls when large objects are worthless")
  func tuning() throws {
    // A hundred small objects are requested again and again, large ones once. They do not fit together.
    let filter = try filter("adaptsize:interval=2000:c=1MiB", capacity: 2_000, isSized: true)
    func c() -> Double {
      var c = 0.0
      filter.showInternals { name, value in if name == "c" { c = value } }
      return c
    }
    for index in 0..<2_000 {
      filter.record(request(index % 100, size: 10))
      filter.record(request(1_000 + index, size: 1_000))
    }
    #expect(c() < 1_000)
    #expect((0..<100).allSatisfy { !filter.admits(request($0, size: 20_000)) })
  }

  @Test("adaptsize: c stays while less than three caches full of objects are known")
  func tooLittleKnown() throws {
    let filter = try filter("adaptsize:interval=100:c=64KiB", capacity: 2_000, isSized: true)
    for index in 0..<1_000 { filter.record(request(index % 60, size: 100)) }
    var c = 0.0
    filter.showInternals { _, value in c = value }
    #expect(c == 65_536)
  }

  @Test("adaptsize: absurd sizes and no capacity do no harm")
  func absurdSizes() throws {
    for capacity in [0, 1, Int.max >> 8] {
      let filter = try filter("adaptsize:interval=2", capacity: capacity, isSized: true)
      for index in 0..<200 {
        filter.record(request(index, size: index % 2 == 0 ? .max : 0))
        _ = filter.admits(request(index, size: index))
      }
    }
  }

  @Test("A policy asks about each victim, and the newcomer is refused for the first it loses to")
  func eachVictimIsCompared() throws {
    // C = 4 bytes: a, b and c take 1, 1 and 2. d takes 3, and was requested twice; c three times.
    //   d      lost to nobody but needs room: a (1) leaves, b (1) leaves, c (3) stays, d is refused
    let operations = "a b c c c d d".split(separator: " ").map { word in
      CacheOperation.request(
        key: Int(word.first!.asciiValue!) - 97, size: ["a": 1, "b": 1, "c": 2, "d": 3][word]!)
    }
    let workload = Workload(capacity: 4, keys: 4, operations: operations, features: .sizes)
    let run = try PolicyDriver<LRU>.run(
      workload, arguments: Arguments(parameters: []),
      filter: filter("tinylfu", isSized: true))
    #expect(run.violation == nil)
    #expect(
      run.events == [
        .admitted(0), .admitted(1), .admitted(2), .hit(2), .hit(2), .rejected(3), .evicted(0),
        .evicted(1), .rejected(3),
      ])
  }
}
