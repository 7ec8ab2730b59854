import Interleaving

@testable import EvictionCore

extension Scenario {
  /// The buffers of hits: ``TouchBuffers`` behind each lock that shares reads.
  static var buffers: [Scenario] {
    LockCatalog.all.filter { $0.information.sharesReads }.map { type in
      let name = "buffers-\(type.information.name)"
      return buffers(name) {
        type.init()
      } drain: { lock, body in
        lock.withLock(body)
      }
    }
  }

  /// A note is told once, of the entry that was hit; only a full buffer loses some, and all are counted.
  ///
  /// - Parameter drain: Takes the lock, as who drains does.
  static func buffers(
    _ name: String, isFaulty: Bool = false, _ make: @escaping () -> any CacheLock,
    drain: @escaping (any CacheLock, () -> Void) -> Void
  ) -> Scenario {
    Scenario(name, isFaulty: isFaulty) {
      let lock = make()
      let buffers = TouchBuffers()
      defer { buffers.deallocate() }
      /// The entry that a slot stands for.
      var entries: [Slot: Int] = [0: 0, 1: 1]
      var latest = 1
      /// The hits of entries that the policy has not heard of.
      var notes: [Int: Int] = [:]
      var (hits, recorded, told) = (0, 0, 0)
      func hear() {
        var now = 0
        buffers.drain { slot in
          Exploration.point("hear")
          let entry = entries[slot] ?? -1
          Exploration.require(
            notes[entry, default: 0] > 0, "a note of slot \(slot) is read that is not of its entry")
          notes[entry, default: 0] -= 1
          now += 1
        }
        told += now
        Exploration.require(
          now >= min(recorded, TouchBuffers.room), "\(recorded) notes, of which \(now) are told")
        (recorded, notes) = (0, [:])
      }
      func hit(_ slot: Slot) {
        var isFull = false
        lock.withSharedLock {
          notes[entries[slot] ?? -1, default: 0] += 1
          hits += 1
          recorded += 1
          isFull = buffers.recordHit(slot)
        }
        if isFull { drain(lock, hear) }
      }
      // The first and the fifth thread share a buffer, which is nearly full.
      Exploration.threads(5) { number in
        switch number {
        case 0:
          for _ in 0..<TouchBuffers.room - 2 { hit(0) }
          hit(1)
          hit(0)
        case 4:
          for slot: Slot in [0, 1, 1] { hit(slot) }
        case 1:
          for slot: Slot in [1, 0] {
            drain(lock) {
              hear()
              // The slot gets another entry.
              latest += 1
              entries[slot] = latest
            }
          }
        default: break
        }
      }
      var statistics = CacheStatistics()
      buffers.count(into: &statistics)
      Exploration.require(
        statistics.hits == hits && told <= hits, "\(hits) hits are counted as \(statistics.hits)")
    }
  }

  /// The recorder's ring: events arrive in order, each once, or were refused.
  static var ring: Scenario {
    Scenario("ring") {
      let ring = EventRing(capacity: 4)
      let count = 8
      var isOver = false
      var arrived: [Int] = []
      Exploration.threads(2) { number in
        if number == 0 {
          for event in 1...count {
            // Every third takes two words.
            ring.append(
              EventRing.Event(
                .insertion, keyHash: UInt64(event) << 4, cost: event % 3 == 0 ? event : 1))
            Exploration.point("appended")
          }
          isOver = true
        } else {
          var isLast = false
          while !isLast {
            isLast = isOver
            ring.drain { event, _, _ in
              let number = Int(event.keyHash >> 4)
              Exploration.require(
                event.event == .insertion && event.cost == (number % 3 == 0 ? UInt64(number) : 1),
                "event \(number) arrives as \(event)")
              Exploration.require(arrived.last ?? 0 < number, "\(number) comes after \(arrived)")
              arrived.append(number)
              Exploration.point("arrived")
            }
            Exploration.yield("drained")
          }
        }
      }
      Exploration.require(
        arrived.count + ring.dropped == count,
        "\(arrived.count) events arrived and \(ring.dropped) were refused, of \(count)")
    }
  }
}
