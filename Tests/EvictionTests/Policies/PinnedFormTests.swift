import Eviction
import Parameters
import PolicyModels
import TestConditions
import Testing

/// Every policy of the catalog that can pass over pinned slots, against the type that it shows to hosts that pin many.
@Suite("Policies over lists for pinned slots")
struct PinnedFormTests {
  @Test("The same slots leave and are forgotten, in the same order")
  func forms() {
    var runner = FormRunner()
    PolicyCatalog.visit(&runner)
    #expect(runner.failures == [])
    #expect(runner.names.count > 50)
  }
}

/// Compares each policy with the type that it shows.
private struct FormRunner: PolicyVisitor {
  var failures: [String] = []
  var names: Set<String> = []

  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ type: Policy.Type) {}

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: PinnablePolicy & ~Copyable>(_ type: Policy.Type) {
    let name = Policy.information.name
    names.insert(name)
    for seed in 0..<(isOptimized ? 20 : 2) as Range<UInt64> {
      var own = PinnedEvents(seed: seed)
      own.visit(type)
      var shown = PinnedEvents(seed: seed)
      type.visitPinned(&shown)
      if own.events.isEmpty && !Policy.information.ignoresCapacity {
        failures.append("\(name), seed \(seed): nothing left")
      }
      if own.events != shown.events { failures.append("\(name), seed \(seed)") }
    }
  }
}

/// What a policy does over random requests, while its residents are pinned and released.
private struct PinnedEvents: PolicyVisitor {
  let seed: UInt64
  var events: [AccountingHost.Event] = []

  init(seed: UInt64) { self.seed = seed }

  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ type: Policy.Type) {}

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: PinnablePolicy & ~Copyable>(_ type: Policy.Type) {
    let slots = 60
    let capacity = max(20, Policy.information.minimumCapacity)
    let configuration = PolicyConfiguration(
      capacity: capacity, seed: seed, slots: slots,
      arguments: Arguments(parameters: Policy.information.parameters))
    guard var policy = try? Policy(configuration) else { return }
    var generator = SplitMix64(seed: seed)
    var host = AccountingHost(slots: slots, capacity: capacity)
    for index in 0..<1500 {
      let slot = Slot(generator.index(below: 1 + generator.index(below: slots)))
      let request = Request(
        slot: slot, keyHash: UInt64(slot) &* 0x9E37_79B9_7F4A_7C15, time: Int64(index),
        expiry: Int64(index + 50), keyLength: Int(slot % 5))
      if policy.contains(slot) {
        policy.hit(request, host: &host)
      } else if policy.insert(request, host: &host) {
        host.used += 1
      }
      // So at least three residents of a full cache are not.
      let other = Slot(generator.index(below: capacity - 3))
      if generator.index(below: 3) > 0 && policy.contains(other) {
        host.pin(other)
      } else {
        host.release(other)
      }
      if index % 100 == 99 && policy.contains(slot) {
        while host.isPinned(slot) { host.release(slot) }
        policy.remove(slot, host: &host)
        host.used -= 1
      }
    }
    events = host.events
  }
}
