// Times that go on in another cache, whose clock has another start.
extension EntryLifetimes {
  /// The times that the entry in `slot` has left.
  func saved(_ slot: Slot) -> SavedTimes {
    let time = max(now, clock.now)
    func left(until end: UInt64) -> UInt64 { end == .max ? .max : end > time ? end - time : 0 }
    var times = SavedTimes()
    if hasDeadlines {
      times.end = left(until: terms[slot].end)
      times.idle = terms[slot].idle
      times.deadline = left(until: terms[slot].deadline)
    }
    if refreshes.isInUse { times.refresh = left(until: refreshes.due(slot)) }
    if tracksAges { times.age = age(of: slot, at: time) }
    return times
  }

  /// Makes room for times that are about to be restored, as far as some entry has them.
  mutating func beginRestoring(_ times: some Sequence<SavedTimes>, slots: Int) {
    for times in times {
      if times.deadline != .max { hasDeadlines = true }
      if times.refresh != .max && !refreshes.isInUse { refreshes.reserve(slots: slots) }
    }
    reserve(slots: slots)
    now = max(now, clock.exact)
  }

  /// Gives the entry in `slot`, which is new, what it had left `elapsed` nanoseconds ago. The oldest comes first.
  mutating func restore(
    _ slot: Slot, _ times: SavedTimes, tags: Set<String>, elapsed: UInt64
  ) {
    func end(_ left: UInt64) -> UInt64 {
      left == .max ? .max : now.saturatingAdd(left > elapsed ? left - elapsed : 0)
    }
    if times.deadline != .max {
      let term = Term(end: end(times.end), idle: times.idle, deadline: end(times.deadline))
      terms[slot] = term
      queue.insert(slot, priority: term.deadline)
    }
    if refreshes.isInUse { refreshes.set(slot, due: end(times.refresh)) }
    if tracksAges {
      let age = times.age == .max ? 0 : times.age.saturatingAdd(elapsed)
      stamps[slot] = now > age ? now - age : 0
      ages.prepend(slot, to: .first, size: 1)
    }
    self.tags.set(tags, of: slot)
    settle()
  }
}

extension SavedTimes {
  /// True if it comes before `other` in the order of ages; what has none began now.
  func isOlder(than other: SavedTimes) -> Bool {
    (age == .max ? 0 : age) > (other.age == .max ? 0 : other.age)
  }
}
