import Eviction

/// A host that counts the pins of each slot, and keeps an account of its releases.
package struct AccountingHost: SlotHost, ~Copyable {
  package enum Event: Equatable {
    case evicted(Slot)
    case forgot(Slot)
  }

  package let capacity: Int
  package var used = 0
  /// What left and what was forgotten, in order.
  package private(set) var events: [Event] = []
  private var pins: [Int]
  private var log: [Slot] = []

  package init(slots: Int, capacity: Int = .max) {
    pins = Array(repeating: 0, count: slots)
    self.capacity = capacity
  }

  package func hasRoom(for request: Request) -> Bool { used < capacity }
  package func size(of slot: Slot) -> Int { 1 }
  package static var pinsSlots: Bool { true }
  package func isPinned(_ slot: Slot) -> Bool { pins[Int(slot)] != 0 }
  package var releases: Int? { log.count }
  package func released(_ number: Int) -> Slot { log[number] }

  package mutating func didEvict(_ slot: Slot) {
    used -= 1
    events.append(.evicted(slot))
  }

  package mutating func didForget(_ slot: Slot) { events.append(.forgot(slot)) }

  package mutating func pin(_ slot: Slot) { pins[Int(slot)] += 1 }

  package mutating func release(_ slot: Slot) {
    if pins[Int(slot)] == 0 { return }
    pins[Int(slot)] -= 1
    if pins[Int(slot)] == 0 { log.append(slot) }
  }
}
