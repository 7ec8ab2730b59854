import AllocationCounter
import Eviction
import EvictionTesting
import Parameters
import TestConditions
import Testing

/// The memory that a policy declares is the memory that it takes, where rings and sketches are at their worst:
/// at a capacity just above a power of two.
@Suite(
  "Bytes per entry are measured", .enabled(if: allocations_are_counted()),
  .enabled(if: isOptimized, "the invariants' checks take too long at this size"))
struct PolicyMemoryTests {
  /// Bounds keep tables of the requests, not only of what is cached.
  @Test(arguments: PolicyCatalog.all.filter { !$0.isBound }.map(\.name))
  func bytesPerEntry(name: String) throws {
    let declared = try #require(PolicyCatalog.all.first { $0.name == name }).bytesPerSlot
    // The allocator rounds each of the few arrays, by as much as it likes at the time: a second look has another.
    var measured: [Double] = []
    while measured.count < 4, !measured.contains(where: { abs($0 - Double(declared)) <= 0.51 }) {
      var visitor = Measurement(name: name)
      PolicyCatalog.visit(&visitor)
      if let error = visitor.error { throw error }
      measured.append(try #require(visitor.bytesPerEntry))
    }
    #expect(
      measured.contains { abs($0 - Double(declared)) <= 0.51 },
      "\(name): \(measured), not \(declared) bytes")
  }

  /// Fills two caches, one four times as large as the other: each entry of the difference takes its
  /// share of the difference in memory.
  private struct Measurement: PolicyVisitor {
    let name: String
    var bytesPerEntry: Double?
    var error: (any Error)?

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
      if Policy.information.name != name { return }
      do {
        let (small, large) = (1 << 12 + 1, 1 << 14 + 1)
        let growth = try bytes(policy, capacity: large) - bytes(policy, capacity: small)
        bytesPerEntry = Double(growth) / Double(large - small)
      } catch {
        self.error = error
      }
    }

    /// The memory of a policy after a scan, ten times over a few keys more than fit, with as many
    /// random requests in between.
    private func bytes<Policy: ReplacementPolicy & ~Copyable>(
      _: Policy.Type, capacity: Int
    ) throws -> Int64 {
      let before = bytes_held_by_this_thread()
      let slots = capacity + 16
      var policy = try Policy(
        PolicyConfiguration(
          capacity: capacity, isSized: false, seed: 1, slots: slots,
          arguments: Arguments(parameters: Policy.information.parameters)))
      var host = CountingHost(capacity: capacity)
      var generator = SplitMix64(seed: 3)
      for index in 0..<20 * slots {
        let slot = Slot(index % 2 == 0 ? index / 2 % slots : generator.index(below: slots))
        let request = Request(
          slot: slot, keyHash: SplitMix64.mix(UInt64(slot)), time: Int64(index), index: index,
          nextUse: index + slots - index % 7, keyLength: 8)
        if policy.contains(slot) {
          policy.hit(request, host: &host)
        } else if policy.insert(request, host: &host) {
          host.used += 1
        }
      }
      let held = bytes_held_by_this_thread() - before
      policy.removeAll()
      return held
    }
  }

  private struct CountingHost: SlotHost, ~Copyable {
    let capacity: Int
    var used = 0

    init(capacity: Int) { self.capacity = capacity }
    func hasRoom(for request: Request) -> Bool { used < capacity }
    func size(of slot: Slot) -> Int { 1 }
    mutating func didEvict(_ slot: Slot) { used -= 1 }
    mutating func didForget(_ slot: Slot) {}
  }
}
