import Eviction

/// A host that counts the pins of each slot, and keeps an account of its releases.
struct AccountingHost: SlotHost, ~Copyable {
  enum Event: Equatable {
    case evicted(Slot)
    case forgot(Slot)
  }

  let capacity: Int
  var used = 0
  /// What left and what was forgotten, in order.
  private(set) var events: [Event] = []
  private var pins: [Int]
  private var log: [Slot] = []

  init(slots: Int, capacity: Int = .max) {
    pins = Array(repeating: 0, count: slots)
    self.capacity = capacity
  }

  func hasRoom(for request: Request) -> Bool { used < capacity }
  func size(of slot: Slot) -> Int { 1 }
  static var pinsSlots: Bool { true }
  func isPinned(_ slot: Slot) -> Bool { pins[Int(slot)] != 0 }
  var releases: Int? { log.count }
  func released(_ number: Int) -> Slot { log[number] }

  mutating func didEvict(_ slot: Slot) {
    used -= 1
    events.append(.evicted(slot))
  }

  mutating func didForget(_ slot: Slot) { events.append(.forgot(slot)) }

  mutating func pin(_ slot: Slot) { pins[Int(slot)] += 1 }

  mutating func release(_ slot: Slot) {
    if pins[Int(slot)] == 0 { return }
    pins[Int(slot)] -= 1
    if pins[Int(slot)] == 0 { log.append(slot) }
  }
}
