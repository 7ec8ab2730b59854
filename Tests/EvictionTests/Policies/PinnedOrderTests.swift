import Eviction
import Parameters
import TestConditions
import Testing

/// Every policy of the catalog with pins, against the same policy without: by the order in which it empties the cache.
@Suite("The order of victims beside pinned slots")
struct PinnedOrderTests {
  /// The policies that promise less than the first slot of their order and the same order afterwards, with the reason.
  static let looser: [String: Looseness] = [
    // Without pins the hand clears or lowers what it passes; of a pinned slot it leaves the bit as it is.
    "clock": .hand, "sieve": .hand, "s3fifo": .hand, "s3fifo-d": .hand, "s4fifo": .hand,
    "s4fifo-learned": .hand, "clock2q-plus": .hand, "qd-lp": .hand, "fifo-merge": .hand,
    "clfus": .hand, "gd-wheel": .hand,
    // The sizes of lists say which gives up the next victim; the other does if all of it is pinned.
    "arc": .lists, "car": .lists, "cart": .lists, "2q": .lists, "lp-arc": .lists, "lp-2q": .lists,
    "segcache": .lists, "wtinylfu": .lists,
    // The next victim is drawn, or of the one of two experts that is drawn.
    "random": .draws, "random-two": .draws, "hyperbolic": .draws, "lhd": .draws,
    "sampled-lru": .draws, "sampled-lfu": .draws, "lecar": .draws, "cacheus": .draws,
  ]

  /// The reason why an eviction beside pins is not the first of the order.
  enum Looseness {
    case hand, lists, draws
  }

  @Test("The victim is the first that is not pinned, and nothing else changes")
  func order() {
    var runner = OrderRunner()
    PolicyCatalog.visit(&runner)
    #expect(runner.failures == [])
    #expect(runner.names.count > 50)
    #expect(Set(Self.looser.keys).isSubset(of: runner.names))
  }
}

/// Compares each policy with itself.
private struct OrderRunner: PolicyVisitor {
  var failures: [String] = []
  var names: Set<String> = []

  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ type: Policy.Type) {}

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: PinnablePolicy & ~Copyable>(_ type: Policy.Type) {
    let name = Policy.information.name
    names.insert(name)
    for seed in 0..<(isOptimized ? 15 : 3) as Range<UInt64> {
      do throws(PolicyError) {
        let failed = try failure(of: type, seed: seed)
        if let failed { failures.append("\(name), seed \(seed): \(failed)") }
      } catch { failures.append("\(name): \(error)") }
    }
  }

  /// The first promise that one seed breaks; nil if it keeps all.
  private func failure<Policy: ReplacementPolicy & ~Copyable>(
    of type: Policy.Type, seed: UInt64
  ) throws(PolicyError) -> String? {
    let looseness = PinnedOrderTests.looser[Policy.information.name]
    var free = try FilledCache<Policy>(seed: seed)
    let order = free.drain()
    var generator = SplitMix64(seed: ~seed)
    var pins = Set(order.filter { _ in generator.index(below: 2) == 0 })
    if pins.count == order.count { pins.remove(order[0]) }

    var pinned = try FilledCache<Policy>(seed: seed)
    let victims = pinned.evict(beside: pins)
    if !pins.isDisjoint(with: victims) { return "a pinned slot left" }
    if !pins.isDisjoint(with: pinned.host.forgotten) { return "a pinned slot was forgotten" }
    if looseness == nil || looseness == .hand,
      victims[0] != order.first(where: { !pins.contains($0) })
    {
      return "the victim is not the first"
    }
    if looseness == nil && pinned.drain() != order.filter({ !victims.contains($0) }) {
      return "the order of the others changed"
    }

    // Whatever the policy, pins on the others do not save its victim.
    var alone = try FilledCache<Policy>(seed: seed)
    let gone = alone.evict(beside: Set(order.dropFirst()))
    if gone != [order[0]] { return "another victim than without pins" }
    if looseness == nil && alone.drain() != Array(order.dropFirst()) {
      return "pins that were in nobody's way changed the order"
    }
    return nil
  }
}

/// A policy after some hundred requests, the same for each seed.
private struct FilledCache<Policy: ReplacementPolicy & ~Copyable>: ~Copyable {
  var policy: Policy
  var host: RecordingPinningHost

  init(seed: UInt64) throws(PolicyError) {
    let slots = 40
    let capacity = max(12, Policy.information.minimumCapacity)
    policy = try Policy(
      PolicyConfiguration(
        capacity: capacity, seed: seed, slots: slots,
        arguments: Arguments(parameters: Policy.information.parameters)))
    host = RecordingPinningHost(capacity: capacity)
    var generator = SplitMix64(seed: seed)
    for index in 0..<300 {
      let slot = Slot(generator.index(below: 1 + generator.index(below: slots)))
      let request = Request(
        slot: slot, keyHash: UInt64(slot) &* 0x9E37_79B9_7F4A_7C15, time: Int64(index),
        expiry: Int64(index + 50), keyLength: Int(slot % 5))
      if policy.contains(slot) {
        policy.hit(request, host: &host)
      } else if policy.insert(request, host: &host) {
        host.used += 1
      }
    }
  }

  /// What one eviction takes beside these pins, which are gone afterwards.
  mutating func evict(beside pins: Set<Slot>) -> [Slot] {
    host.pins = pins
    host.victims = []
    host.forgotten = []
    policy.evict(for: nil, host: &host)
    host.pins = []
    return host.victims
  }

  /// Evicts everything.
  mutating func drain() -> [Slot] {
    host.victims = []
    while host.used > 0 { policy.evict(for: nil, host: &host) }
    return host.victims
  }
}

/// A host that pins slots, counts what it holds and records what leaves.
private struct RecordingPinningHost: SlotHost, ~Copyable {
  let capacity: Int
  var used = 0
  var pins: Set<Slot> = []
  var victims: [Slot] = []
  var forgotten: Set<Slot> = []

  init(capacity: Int) { self.capacity = capacity }

  func hasRoom(for request: Request) -> Bool { used < capacity }
  func size(of slot: Slot) -> Int { 1 }
  static var pinsSlots: Bool { true }
  func isPinned(_ slot: Slot) -> Bool { pins.contains(slot) }

  mutating func didEvict(_ slot: Slot) {
    used -= 1
    victims.append(slot)
  }

  mutating func didForget(_ slot: Slot) { forgotten.insert(slot) }
}
