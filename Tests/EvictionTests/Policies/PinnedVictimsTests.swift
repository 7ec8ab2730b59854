import Eviction
import Parameters
import Testing

/// Every policy of the catalog on a host that pins slots.
@Suite("Policies pass over pinned slots")
struct PinnedVictimsTests {
  /// Runs each policy that can pass over pins, with pins drawn anew for each request.
  private struct Runner: PolicyVisitor {
    var failures: [String] = []
    var names: [String] = []

    mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ type: Policy.Type) {
      let information = Policy.information
      if Policy.pinRefusal != nil || Policy.needs.contains(.nextUse) { return }
      names.append(information.name)
      for seed in 0..<8 as Range<UInt64> {
        do throws(PolicyError) {
          try run(type, seed: seed)
        } catch { failures.append("\(information.name): \(error)") }
      }
    }

    private mutating func run<Policy: ReplacementPolicy & ~Copyable>(
      _ type: Policy.Type, seed: UInt64
    ) throws(PolicyError) {
      let slots = 30
      let capacity = max(12, Policy.information.minimumCapacity)
      let name = Policy.information.name
      var generator = SplitMix64(seed: seed)
      var policy = try Policy(
        PolicyConfiguration(
          capacity: capacity, seed: seed, slots: slots,
          arguments: Arguments(parameters: Policy.information.parameters)))
      var host = BoundedPinningHost(capacity: capacity)
      for index in 0..<600 {
        let slot = Slot(generator.index(below: slots))
        let request = Request(
          slot: slot, keyHash: UInt64(slot) &* 0x9E37_79B9_7F4A_7C15, time: Int64(index),
          expiry: Int64(index + 50), keyLength: Int(slot % 5))
        let residents = (0..<Slot(slots)).filter { policy.contains($0) }
        host.pins = Set(residents.filter { _ in generator.index(below: 3) > 0 })
        if host.pins.count == residents.count, let first = residents.first {
          host.pins.remove(first)
        }
        if policy.contains(slot) {
          policy.hit(request, host: &host)
        } else if policy.insert(request, host: &host) {
          host.used += 1
        }
        let stay = host.pins.allSatisfy { policy.contains($0) }
        if host.hasEvictedPinned || !stay {
          failures.append("\(name), seed \(seed), request \(index)")
          return
        }
      }
    }
  }

  @Test("No policy evicts a pinned slot")
  func pinnedSlotsStay() {
    var runner = Runner()
    PolicyCatalog.visit(&runner)
    #expect(runner.failures == [])
    #expect(runner.names.count > 45)
  }
}

/// A host that pins slots and counts what it holds.
private struct BoundedPinningHost: SlotHost, ~Copyable {
  let capacity: Int
  var used = 0
  var pins: Set<Slot> = []
  var hasEvictedPinned = false

  init(capacity: Int) { self.capacity = capacity }

  func hasRoom(for request: Request) -> Bool { used < capacity }
  func size(of slot: Slot) -> Int { 1 }
  static var pinsSlots: Bool { true }
  func isPinned(_ slot: Slot) -> Bool { pins.contains(slot) }

  mutating func evicted(_ slot: Slot) {
    used -= 1
    if pins.contains(slot) { hasEvictedPinned = true }
  }

  mutating func forgot(_ slot: Slot) {}
}
