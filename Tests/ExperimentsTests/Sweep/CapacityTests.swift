import Experiments
import Parameters
import Runner
import Testing

/// Capacities as users write them.
@Suite struct CapacityTests {
  @Test(arguments: [
    ("1000", Capacity.count(1000)), ("1e6", .count(1_000_000)), ("2.5e3", .count(2500)),
    ("1%", .fraction(Fraction(1, 100))), ("0.1%", .fraction(Fraction(1, 1000))),
    ("64MiB", .bytes(64 << 20)), ("1.5KiB", .bytes(1536)), ("1GB", .bytes(1_000_000_000)),
    ("512B", .bytes(512)), ("2TiB", .bytes(2 << 40)), ("1kB", .bytes(1000)),
  ])
  func notationsAreUnderstood(_ text: String, _ capacity: Capacity) throws {
    #expect(try Capacity(parsing: text) == capacity)
  }

  @Test(arguments: [
    "", "0", "-1", "1.5", "x", "%", "0%", "-1%", "MiB", "0MiB", "1 MiB", "1mib", "1e30", "9e18GiB",
    "0.1B", "1%%", "0x10", "9e18", "1e5TiB",
  ])
  func nonsenseIsRefused(_ text: String) {
    #expect(throws: PlanError.self) { try Capacity(parsing: text) }
  }

  @Test func sharesAreFlooredExactlyAndAtLeastOne() throws {
    #expect(try Capacity(parsing: "29%").resolved(total: 100) == 29)
    #expect(try Capacity(parsing: "1%").resolved(total: 186_880) == 1868)
    #expect(try Capacity(parsing: "1%").resolved(total: 99) == 1)
    #expect(try Capacity(parsing: "100%").resolved(total: 7) == 7)
    #expect(try Capacity(parsing: "33.3%").resolved(total: 1 << 56) == 23_995_178_814_630_002)
    #expect(try Capacity(parsing: "99%").resolved(total: .max) == 1 << 56)
  }

  @Test func listsAreSeparatedByCommas() throws {
    #expect(try Capacity.list(parsing: "1,2%") == [.count(1), .fraction(Fraction(2, 100))])
    #expect(throws: PlanError.self) { try Capacity.list(parsing: "1,,2") }
  }

  @Test func bytesImplyASizedRunAndDoNotMixWithPlainNumbers() throws {
    #expect(try ExperimentPlan.isSized([.bytes(1), .fraction(Fraction(1, 2))], asked: false))
    #expect(try !ExperimentPlan.isSized([.count(1)], asked: false))
    #expect(try ExperimentPlan.isSized([.count(1), .bytes(1)], asked: true))
    #expect(throws: PlanError.self) {
      try ExperimentPlan.isSized([.count(1), .bytes(1)], asked: false)
    }
  }
}
