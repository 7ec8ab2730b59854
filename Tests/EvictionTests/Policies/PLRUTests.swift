import AllocationCounter
import Eviction
import Parameters
import Testing

@Suite("Tree pseudo-LRU by hand")
struct PLRUTests {
  @Test("The bits lead to an object that was not used lately, which need not be the least recent")
  func pseudo() throws {
    // Leaves: a c | b d. After d the root points left; c turns it right, where the node points to b.
    // e takes b's place and turns the root left, where the node points to a.
    let trace = "a b c d c e f"
    #expect(try outcome(of: "plru", capacity: 4, trace) == ". . . . + .b .a")
    #expect(try outcome(of: "lru", capacity: 4, trace) == ". . . . + .a .b")
  }

  @Test("A capacity that is no power of two leaves a leaf out")
  func threeLeaves() throws {
    // a c | b: after c the root points right, and after d left
    #expect(try outcome(of: "plru", capacity: 3, "a b c d e") == ". . . .b .a")
  }

  @Test("A half without objects is passed over")
  func emptyHalf() throws {
    // a c | b: b leaves first, and then the root points to nothing
    #expect(try outcome(of: "plru", capacity: 6, "a2 b2 c2 d5") == ". . . .bac")
  }

  @Test("A newcomer takes the place that was left last")
  func vacantPlace() throws {
    // a c | b d: e takes b's place, and turns the root left, where the node points to a
    #expect(try outcome(of: "plru", capacity: 4, "a b c d -b e f") == ". . . . _ . .a")
  }

  @Test("Each set evicts for itself, also where another one has room")
  func sets() throws {
    // Two sets of two ways: a hash in the lower half of all hashes is of the first.
    let requests = "abcadbe".map { letter in
      let number = UInt32(letter.asciiValue! - Character("a").asciiValue!)
      return Request(slot: number, keyHash: letter == "d" ? .max : UInt64(number))
    }
    // c finds the first set full, and the second empty; d fills no way of the first.
    #expect(
      try outcome(of: PLRU.self, "ways=2", capacity: 4, requests) == ". . .a .b . .c .a")
  }

  @Test(
    "Sets take memory when they hold something, whatever the capacity",
    .enabled(if: allocations_are_counted()), arguments: [100_000_000, 100_000_000_000, 64 << 50])
  func tablesOfWhatExists(capacity: Int) throws {
    let arguments = try Specification(parsing: "plru:ways=2").arguments(
      for: PLRU.information.parameters)
    var host = CountedHost()
    let before = bytes_held_by_this_thread()
    var policy = try PLRU(PolicyConfiguration(capacity: capacity, slots: 5, arguments: arguments))
    for slot in 0..<5 as Range<Slot> {
      _ = policy.insert(Request(slot: slot, keyHash: SplitMix64.mix(UInt64(slot))), host: &host)
    }
    let held = bytes_held_by_this_thread() - before
    #expect(held < 4_096)
    // In turn: the sets are ordered as the hashes are.
    let order = (0..<5 as Range<Slot>).sorted {
      SplitMix64.mix(UInt64($0)) < SplitMix64.mix(UInt64($1))
    }
    for _ in order { policy.evict(for: nil, host: &host) }
    #expect(host.victims == order)
    policy.removeAll()
  }

  private struct CountedHost: SlotHost, ~Copyable {
    var victims: [Slot] = []
    func hasRoom(for request: Request) -> Bool { true }
    func size(of slot: Slot) -> Int { 1 }
    mutating func didEvict(_ slot: Slot) { victims.append(slot) }
    mutating func didForget(_ slot: Slot) {}
  }

  @Test("A set that was emptied begins again, and its turn comes after the others'")
  func turns() throws {
    // Eight sets of two ways; slot n has a hash of set n.
    func request(_ slot: Slot) -> Request {
      Request(slot: slot, keyHash: UInt64(slot % 8) << 61)
    }
    let arguments = try Specification(parsing: "plru:ways=2").arguments(
      for: PLRU.information.parameters)
    var host = CountedHost()
    var policy = try PLRU(PolicyConfiguration(capacity: 16, slots: 24, arguments: arguments))
    for slot in [5, 2, 10, 7] as [Slot] { _ = policy.insert(request(slot), host: &host) }
    // Sets 2 (slots 2 and 10), 5 and 7, in this order: set 2 gives up 2.
    for _ in 0..<2 { policy.evict(for: nil, host: &host) }
    #expect(host.victims == [2, 5])
    // Set 7 is next, then 1 and 2 of the next round, then 5.
    for slot in [1, 13] as [Slot] { _ = policy.insert(request(slot), host: &host) }
    for _ in 0..<4 { policy.evict(for: nil, host: &host) }
    #expect(host.victims == [2, 5, 7, 1, 10, 13])
  }

  @Test("The ways are as good as LRU where there are two")
  func twoWays() throws {
    let trace = "a b a c b a c c a b c b a"
    #expect(
      try outcome(of: "plru:ways=2", capacity: 3, trace)
        == outcome(of: "lru", capacity: 2, trace))
  }
}
