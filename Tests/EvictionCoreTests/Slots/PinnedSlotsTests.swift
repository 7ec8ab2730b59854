import Eviction
import Parameters
import Testing

/// Searches for a victim among slots of which the host has pinned some.
@Suite("Pinned slots")
struct PinnedSlotsTests {
  static let slots = 24

  @Test("A list passes over pinned slots from either end", arguments: 0..<20 as Range<UInt64>)
  func lists(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var host = PinningHost()
    var lists = SlotLists<UInt8>(count: 1, slots: Self.slots)
    for slot in Slot(0)..<Slot(Self.slots) { lists.prepend(slot, to: .first, size: 1) }
    for _ in 0..<100 {
      host.draw(below: Self.slots, &generator)
      lists.moveToFront(Slot(generator.index(below: Self.slots)), of: .first)
      var order: [Slot] = []
      var next = lists.back(of: .first)
      while let slot = next {
        order.append(slot)
        next = lists.newer(than: slot)
      }
      let victim = order.first { !host.isPinned($0) }
      let found = lists.unpinnedBack(of: .first, host: host)
      let isLacking = lists.lacksVictim(.first, host: host)
      #expect(found == victim)
      #expect(isLacking == (victim == nil))
      guard let victim else { continue }
      if generator.index(below: 2) == 0 {
        lists.evictBack(of: .first, host: &host)
        let left = host.victims.last
        #expect(left == victim)
      } else {
        lists.evictFront(of: .first, host: &host)
        let newest = order.last { !host.isPinned($0) }
        let left = host.victims.last
        #expect(left == newest)
      }
      lists.prepend(host.victims[host.victims.count - 1], to: .first, size: 1)
    }
  }

  @Test(
    "A clock's hand passes over pinned slots, and their bits stay",
    arguments: 0..<20 as Range<UInt64>)
  func clock(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var host = PinningHost()
    var queues = SlotQueues(count: 1, slots: Self.slots)
    for slot in Slot(0)..<Slot(Self.slots) {
      queues.append(slot, to: .first, size: 1, frequency: UInt8(generator.index(below: 3)))
    }
    for _ in 0..<60 where !queues.isEmpty(.first) {
      host.draw(below: Self.slots, &generator)
      let pinned = host.pins.filter { queues.owner(of: $0) != .none }
      let bits = Dictionary(uniqueKeysWithValues: pinned.map { ($0, queues.frequency(of: $0)) })
      let evicts = queues.count(of: .first) > pinned.count
      let isLacking = queues.isAllPinned(.first, host: host)
      let hasEvicted = queues.evictByClock(from: .first, host: &host)
      let wasPinned = evicts && host.isPinned(host.victims[host.victims.count - 1])
      let bitsStay = bits.allSatisfy { slot, bit in queues.frequency(of: slot) == bit }
      #expect(isLacking == !evicts && hasEvicted == evicts && !wasPinned && bitsStay)
    }
  }

  @Test("A run finds the smallest that is not pinned", arguments: 0..<20 as Range<UInt64>)
  func run(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var host = PinningHost()
    var run = PriorityRun<Int>(slots: Self.slots)
    var priorities: [Slot: Int] = [:]
    for step in 0..<200 {
      let slot = Slot(generator.index(below: Self.slots))
      let priority = generator.index(below: 50) * 1000 + step
      if run.contains(slot) {
        if step % 3 == 0, priority > run.priority(of: slot) {
          run.raise(slot, priority: priority)
        } else {
          run.update(slot, priority: priority)
        }
      } else {
        run.insert(slot, priority: priority)
      }
      priorities[slot] = priority
      host.draw(below: Self.slots, &generator)
      let free = priorities.filter { !host.isPinned($0.key) }
      let found = run.firstUnpinned(host: host)
      #expect(found == free.min { $0.value < $1.value }?.key)
    }
  }

  @Test("A wheel finds the smallest that is not pinned", arguments: 0..<20 as Range<UInt64>)
  func wheel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var host = PinningHost()
    var wheel = PriorityWheel(slots: Self.slots)
    var ranks: [Slot: (priority: UInt64, step: Int)] = [:]
    var base: UInt64 = 0
    for step in 0..<300 {
      let slot = Slot(generator.index(below: Self.slots))
      let priority = base + UInt64(generator.index(below: 1 + generator.index(below: 5000)))
      if ranks[slot] != nil {
        wheel.update(slot, priority: priority)
      } else {
        wheel.insert(slot, priority: priority)
      }
      ranks[slot] = (priority, step)
      host.draw(below: Self.slots, &generator)
      let free = ranks.filter { !host.isPinned($0.key) }
      let least = free.min {
        ($0.value.priority, $0.value.step) < ($1.value.priority, $1.value.step)
      }
      let found = wheel.firstUnpinned(host: host)
      #expect(found == least?.key)
      base = ranks.values.map(\.priority).min() ?? 0
    }
  }

  @Test("Counts find the least frequent that is not pinned", arguments: 0..<20 as Range<UInt64>)
  func counts(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var host = PinningHost()
    var lists = FrequencyLists(slots: Self.slots)
    var ranked = RankedLists(slots: Self.slots)
    var uses: [Slot: (count: Int, last: Int)] = [:]
    for step in 0..<300 {
      let slot = Slot(generator.index(below: Self.slots))
      if let use = uses[slot] {
        lists.increment(slot)
        ranked.increment(slot)
        uses[slot] = (use.count + 1, step)
      } else {
        lists.insert(slot)
        ranked.prepend(slot, to: RankedList(1), size: 1)
        ranked.rank(slot)
        uses[slot] = (1, step)
      }
      host.draw(below: Self.slots, &generator)
      let free = uses.filter { !host.isPinned($0.key) }
      let least = free.min { ($0.value.count, $0.value.last) < ($1.value.count, $1.value.last) }
      let listed = lists.leastFrequent(host: host)
      let oldest = ranked.leastFrequent(among: .leastRecent, host: host)
      #expect(listed == least?.key && oldest == least?.key)
      let newest = free.min { ($0.value.count, -$0.value.last) < ($1.value.count, -$1.value.last) }
      let latest = ranked.leastFrequent(among: .mostRecent, host: host)
      #expect(latest == newest?.key)
    }
  }

  @Test("The largest that is not pinned leaves", arguments: 0..<20 as Range<UInt64>)
  func sizes(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var host = PinningHost()
    var policy = LargestSize(
      PolicyConfiguration(
        capacity: 1000, isSized: true, seed: 1, slots: Self.slots,
        arguments: Arguments(parameters: LargestSize.information.parameters)))
    var uses: [Slot: (size: Int, last: Int)] = [:]
    // More sizes than there are lists at first, and few at a time.
    for step in 0..<2000 {
      let slot = Slot(generator.index(below: Self.slots))
      let size = step / 10 + generator.index(below: 4)
      if let use = uses[slot] {
        switch generator.index(below: 4) {
        case 0:
          policy.takeOut(slot, size: use.size)
          uses[slot] = nil
        case 1:
          policy.changeSize(of: slot, by: size - use.size)
          uses[slot] = (size, step)
        default:
          policy.hit(Request(slot: slot, size: size), host: &host)
          uses[slot] = (use.size, step)
        }
      } else {
        #expect(policy.insert(Request(slot: slot, size: size), host: &host))
        uses[slot] = (size, step)
      }
      if step == 1000 {
        policy.removeAll()
        uses = [:]
      }
      host.draw(below: Self.slots, &generator)
      let free = uses.filter { !host.isPinned($0.key) }
      let largest = free.min { (-$0.value.size, $0.value.last) < (-$1.value.size, $1.value.last) }
      // Without one, a victim must not be asked for.
      guard let largest else { continue }
      let victim = policy.victim(host: host)
      #expect(victim == largest.key)
    }
  }
}
