import EvictionCore
import Traces

/// The integer keys of a trace by slot, and the slots of keys that it does not have, which a prefetcher may fetch.
package final class SlotKeys {
  private let values: Column<UInt64>?
  /// The slots of keys that the trace has.
  package let requested: Int
  /// The keys that the trace does not have, by their slots beyond its own.
  private var strangers: [UInt64] = []
  /// The slots by key; empty until one is looked up.
  private var slots: [UInt64: Slot] = [:]

  /// The keys of a trace with that many; nil for keys that are no integers.
  package init(_ values: Column<UInt64>?, distinct: Int) {
    self.values = values
    requested = distinct
  }

  /// The slots that keys have by now.
  package var count: Int { requested + strangers.count }

  /// The key of `slot`, which is an integer.
  package subscript(slot: Slot) -> UInt64 {
    let slot = Int(slot)
    if slot >= requested { return strangers[slot - requested] }
    guard let values else { preconditionFailure("the keys are integers") }
    return values[slot]
  }

  /// The slot of `key`, a new one if neither the trace nor a prefetch had it.
  package func slot(of key: UInt64) -> Slot {
    if slots.isEmpty, let values {
      slots.reserveCapacity(requested)
      for slot in 0..<requested { slots[values[slot]] = Slot(slot) }
    }
    if let slot = slots[key] { return slot }
    let slot = Slot(count)
    strangers.append(key)
    slots[key] = slot
    return slot
  }
}
