extension WTinyLFU {
  /// The values of `victims`: what a candidate that needs the room of several objects is compared with.
  public enum Victims: String, CaseIterable, Sendable {
    /// One candidate and one victim at a time, and only while the cache is full.
    case caffeine
    /// The first victim, for all of them.
    case implicit
    /// Each victim in turn.
    case queue
    /// The sum of the victims' frequencies.
    case aggregated
  }
}

extension WindowTinyLFU {
  @inlinable @inline(__always)
  func mainSize<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> Int {
    lists.size(of: .probation) + lists.size(of: .protected)
  }

  /// The object of the main cache that leaves next.
  @inlinable @inline(__always)
  func firstVictim<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> Slot? {
    lists.back(of: .probation) ?? lists.back(of: .protected)
  }

  /// Enters the newcomer into the window, or the main cache if it is larger than that; what the window pushes out
  /// must find room in the main cache.
  @inlinable @inline(__always)
  mutating func admitByVictims<Lists: RecencyLists & ~Copyable, Host: SlotHost & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout Host
  ) -> Bool {
    if Host.pinsSlots { return admit(request, lists: &lists, host: &host) }
    let entersMain = request.size > windowQuota
    if entersMain {
      let frequency = sketch.frequency(of: request.keyHash)
      guard makeMainRoom(for: request.size, frequency: frequency, lists: &lists, host: &host) else {
        return false
      }
    } else if !shrinkWindow(for: request.size, lists: &lists, host: &host) {
      return false
    }
    while !host.hasRoom(for: request) {
      hasFilled = true
      lists.evictBack(of: listOfVictim(lists, host: host), host: &host)
      if host.hasRefused { return false }
    }
    hashes[request.slot] = request.keyHash
    lists.prepend(
      request.slot, to: entersMain ? .probation : .window,
      size: request.size)
    return true
  }

  /// Pushes objects out of the window until `size` fits its quota.
  ///
  /// - Returns: False if the host refused the newcomer.
  @inlinable
  mutating func shrinkWindow<Lists: RecencyLists & ~Copyable>(
    for size: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while lists.size(of: .window) + size > windowQuota {
      lists.moveBack(of: .window, toFrontOf: .candidates, host: host)
    }
    while let candidate = lists.front(of: .candidates) {
      let size = host.size(of: candidate)
      if makeMainRoom(for: size, frequency: frequency(of: candidate), lists: &lists, host: &host) {
        lists.move(candidate, from: .candidates, toFrontOf: .probation, size: size)
      } else {
        if !host.hasRefused { lists.evict(candidate, host: &host) }
        if host.hasRefused {
          giveBackCandidates(lists: &lists, host: host)
          return false
        }
      }
    }
    return true
  }

  /// Puts the candidates back into the window, in the order that they had there.
  @inlinable
  mutating func giveBackCandidates<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while let candidate = lists.front(of: .candidates) {
      let size = host.size(of: candidate)
      lists.remove(candidate, from: .candidates, size: size)
      lists.append(candidate, to: .window, size: size)
    }
  }

  /// Makes room in the main cache for a candidate of that frequency.
  ///
  /// - Returns: False if it is not frequent enough or too large, or if the host refused the newcomer.
  @inlinable
  mutating func makeMainRoom<Lists: RecencyLists & ~Copyable>(
    for size: Int, frequency: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let quota = capacity - windowQuota
    if mainSize(lists) + size <= quota { return true }
    hasFilled = true
    if size > quota { return false }
    switch victims {
    case .aggregated:
      if frequency <= victimsFrequency(for: mainSize(lists) + size - quota, lists, host: host) {
        return false
      }
    case .implicit:
      if let victim = firstVictim(lists), frequency <= self.frequency(of: victim) { return false }
    case .queue, .caffeine: break
    }
    while mainSize(lists) + size > quota, let victim = firstVictim(lists) {
      if victims == .queue && frequency <= self.frequency(of: victim) { return false }
      lists.evict(victim, host: &host)
      if host.hasRefused { return false }
    }
    return true
  }

  /// The frequencies of the victims that free `size`, added up.
  @inlinable
  func victimsFrequency<Lists: RecencyLists & ~Copyable>(
    for size: Int, _ lists: borrowing Lists, host: borrowing some SlotHost & ~Copyable
  ) -> Int {
    var freed = 0
    var sum = 0
    var next = firstVictim(lists)
    while freed < size, let victim = next {
      freed += host.size(of: victim)
      sum += frequency(of: victim)
      next = lists.newer(than: victim)
      if next == nil && lists.owner(of: victim) == .probation {
        next = lists.back(of: .protected)
      }
    }
    return sum
  }
}
