import Eviction

/// A host that pins slots.
struct PinningHost: SlotHost, ~Copyable {
  /// The slots that must stay.
  var pins: Set<Slot> = []
  /// The slots that left, in order.
  var victims: [Slot] = []

  func hasRoom(for request: Request) -> Bool { true }
  func size(of slot: Slot) -> Int { 1 }
  static var pinsSlots: Bool { true }

  func isPinned(_ slot: Slot) -> Bool { pins.contains(slot) }
  mutating func didEvict(_ slot: Slot) { victims.append(slot) }
  mutating func didForget(_ slot: Slot) {}

  /// Pins each of the slots below `slots` with probability 1/2.
  mutating func draw(below slots: Int, _ generator: inout SplitMix64) {
    pins = Set((0..<Slot(slots)).filter { _ in generator.index(below: 2) == 0 })
  }
}
