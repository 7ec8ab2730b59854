import EvictionCore

extension PolicyConformance where Policy: ~Copyable {
  /// Runs the requests of a workload, with two in three of the residents pinned, anew for each.
  ///
  /// - Returns: The eviction of a pinned slot; nil if there is none.
  func lostPin(_ workload: Workload) throws(PolicyError) -> String? {
    var generator = SplitMix64(seed: workload.seed)
    var policy = try Policy(
      PolicyConfiguration(
        capacity: workload.capacity, seed: workload.seed, slots: workload.keys,
        arguments: arguments()))
    var host = PinningHost(capacity: workload.capacity)
    for (index, operation) in workload.operations.enumerated() {
      guard case .request(let key, _) = operation else { continue }
      BreakdownReport.begin(operation: index)
      let slot = Slot(key)
      let request = Request(
        slot: slot, cost: workload.cost(of: key), keyHash: Workload.hash(of: key),
        time: Int64(index), index: index, expiry: Int64(index + Workload.timeToLive(of: key)),
        keyLength: Workload.length(of: key), requestClass: UInt32(Workload.requestClass(of: key)))
      let residents = (0..<Slot(workload.keys)).filter { policy.contains($0) }
      host.pins = Set(residents.filter { _ in generator.index(below: 3) > 0 })
      if host.pins.count == residents.count { host.pins.subtract(residents.prefix(1)) }
      if policy.contains(slot) {
        policy.hit(request, host: &host)
      } else if policy.insert(request, host: &host) {
        host.used += 1
      }
      if let lost = host.lost ?? host.pins.first(where: { !policy.contains($0) }) {
        return "evicts slot \(lost), which is pinned, at operation \(index), \(operation)"
      }
    }
    return nil
  }
}

/// A host that pins slots.
private struct PinningHost: SlotHost, ~Copyable {
  let capacity: Int
  var used = 0
  var pins: Set<Slot> = []
  /// A pinned slot that was evicted.
  var lost: Slot?

  init(capacity: Int) { self.capacity = capacity }

  func hasRoom(for request: Request) -> Bool { used < capacity }
  func size(of slot: Slot) -> Int { 1 }
  static var pinsSlots: Bool { true }
  func isPinned(_ slot: Slot) -> Bool { pins.contains(slot) }

  mutating func didEvict(_ slot: Slot) {
    used -= 1
    if pins.contains(slot) { lost = slot }
  }

  mutating func didForget(_ slot: Slot) {}
}
