import Eviction
import EvictionTesting
import Parameters
import Testing

@Suite("LHD by hand")
struct LHDTests {
  @Test("Before anything was measured, class and age decide as in GDSF")
  func firstDensities() throws {
    // 8 draws of 2 residents see both, except for one run in 128. All ages are 0 after a shift by 10.
    // a was hit: class 15, density 16; b is new: class 0, density 1.
    #expect(try outcome(of: "lhd", capacity: 2, "a b a c") == ". . + .b")
    // By size: a has 16/9 of 10 bytes, b 1/1, c 16/1.
    #expect(try outcome(of: "lhd", capacity: 11, "a9 b1 c1 a9 c1 d1") == ". . . + + .b")
  }

  @Test("An empty object counts one size unit, and the victims' mean density stays a number")
  func emptyObjects() throws {
    // a has 1/1, as its class is 0; b was hit: 16/1. a frees nothing, and b leaves too.
    #expect(try outcome(of: "lhd", capacity: 1, "a0 b1 b1 c1") == ". . + .ab")
    let workload = Workload(
      capacity: 1, keys: 100, operations: (0..<100).map { .request(key: $0, size: $0 % 3 / 2) })
    let arguments = try Specification(parsing: "lhd").arguments(for: LHD.information.parameters)
    let run = try PolicyDriver<LHD>.run(workload, arguments: arguments)
    #expect(run.violation == nil)
    #expect(run.events.contains { if case .evicted(let key) = $0 { key % 3 < 2 } else { false } })
  }

  @Test("The shift follows the number of objects after five intervals")
  func ageShift() throws {
    // 100 residents over 1 % of 16 ages: 625 requests an age, of which the next power of two is 1024.
    // With 4 ages: 2500, 4096.
    #expect(try Self.shift(ages: 16) == [10])
    #expect(try Self.shift(ages: 4) == [10, 12])
    // Before, it is that of the power of two which an age lasts at least.
    #expect(try Self.shift(ages: 4, age: 100) == [6, 12])
    #expect(try Self.shift(ages: 4, age: 1) == [0, 12])
  }

  private static func shift(ages: Int, age: Int = 1_024) throws -> [Double] {
    let workload = Workload(
      capacity: 100, keys: 200, operations: (0..<2_000).map { .request(key: $0 % 200, size: 1) })
    let arguments = try Specification(parsing: "lhd:interval=300:ages=\(ages):age=\(age)")
      .arguments(for: LHD.information.parameters)
    var driver = try PolicyDriver<LHD>(workload, arguments: arguments)
    var shifts: [Double] = []
    for index in workload.operations.indices {
      driver.perform(index)
      driver.policy.showInternals { name, value in
        if name == "age-shift" && shifts.last != value { shifts.append(value) }
      }
    }
    return shifts
  }

  @Test("Over hundreds of intervals it does what its model does", arguments: [4, 16, 200])
  func longRuns(ages: Int) throws {
    for seed in 0..<3 as Range<UInt64> {
      for features in [[], [.sizes, .changingSizes, .sizeUpdates, .disturbances]]
        as [Workload.Features]
      {
        let workload = Workload(seed: seed, features: features, length: 1_000)
        let specification = "lhd:interval=8:ages=\(ages):age=40:explorers=0.2"
        let difference = try ModelAgreementTests.difference(specification, workload)
        #expect(difference == nil, "seed \(seed), features \(features.rawValue)")
      }
    }
  }

  @Test("Objects that come back stay among those that do not")
  func resistsAScan() throws {
    // Every second request goes round 20 objects; the others are never repeated. LRU would have to
    // keep 40 objects to see any again.
    let operations = (0..<2_000).map { request in
      CacheOperation.request(key: request % 2 == 0 ? request / 2 % 20 : 20 + request, size: 1)
    }
    let workload = Workload(capacity: 30, keys: 2_020, operations: operations)
    let arguments = try Specification(parsing: "lhd:interval=100:ages=200:explorers=0.2")
      .arguments(for: LHD.information.parameters)
    let run = try PolicyDriver<LHD>.run(workload, arguments: arguments)
    let hits = run.events.count { if case .hit = $0 { true } else { false } }
    #expect(run.violation == nil && hits > 300, "\(hits) of the loop's 1 000 requests")
  }
}
