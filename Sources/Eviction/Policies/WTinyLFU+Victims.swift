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

  /// Objects on their way from the window to the main cache, the last to leave it at the front.
  @inlinable @inline(__always)
  static var candidates: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(4) }

  @inlinable @inline(__always)
  var mainSize: Int { lists.size(of: WTinyLFU.probation) + lists.size(of: WTinyLFU.protected) }

  /// The object of the main cache that leaves next.
  @inlinable @inline(__always)
  var firstVictim: Slot? {
    lists.back(of: WTinyLFU.probation) ?? lists.back(of: WTinyLFU.protected)
  }

  /// Enters the newcomer into the window, or the main cache if it is larger than that; what the window pushes out
  /// must find room in the main cache.
  @inlinable
  mutating func admitByVictims<Host: SlotHost & ~Copyable>(
    _ request: Request, host: inout Host
  ) -> Bool {
    if Host.pinsSlots { return admit(request, host: &host) }
    let entersMain = request.size > windowQuota
    if entersMain {
      let frequency = sketch.frequency(of: request.keyHash)
      guard makeMainRoom(for: request.size, frequency: frequency, host: &host) else {
        return false
      }
    } else if !shrinkWindow(for: request.size, host: &host) {
      return false
    }
    while !host.hasRoom(for: request) {
      hasFilled = true
      lists.evict(nextVictim(host: host), host: &host)
      if host.hasRefused { return false }
    }
    hashes[request.slot] = request.keyHash
    lists.prepend(
      request.slot, to: entersMain ? WTinyLFU.probation : WTinyLFU.window, size: request.size)
    return true
  }

  /// Pushes objects out of the window until `size` fits its quota.
  ///
  /// - Returns: False if the host refused the newcomer.
  @inlinable
  mutating func shrinkWindow(for size: Int, host: inout some SlotHost & ~Copyable) -> Bool {
    while lists.size(of: WTinyLFU.window) + size > windowQuota {
      let pushed = lists.removeBack(of: WTinyLFU.window, host: host)
      lists.prepend(pushed, to: WTinyLFU.candidates, size: host.size(of: pushed))
    }
    while let candidate = lists.front(of: WTinyLFU.candidates) {
      let size = host.size(of: candidate)
      if makeMainRoom(for: size, frequency: frequency(of: candidate), host: &host) {
        lists.move(candidate, toFrontOf: WTinyLFU.probation, size: size)
      } else {
        if !host.hasRefused { lists.evict(candidate, host: &host) }
        if host.hasRefused {
          giveBackCandidates(host: host)
          return false
        }
      }
    }
    return true
  }

  /// Puts the candidates back into the window, in the order that they had there.
  @inlinable
  mutating func giveBackCandidates(host: borrowing some SlotHost & ~Copyable) {
    while let candidate = lists.front(of: WTinyLFU.candidates) {
      let size = host.size(of: candidate)
      lists.remove(candidate, size: size)
      lists.append(candidate, to: WTinyLFU.window, size: size)
    }
  }

  /// Makes room in the main cache for a candidate of that frequency.
  ///
  /// - Returns: False if it is not frequent enough or too large, or if the host refused the newcomer.
  @inlinable
  mutating func makeMainRoom(
    for size: Int, frequency: Int, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let quota = capacity - windowQuota
    if mainSize + size <= quota { return true }
    hasFilled = true
    if size > quota { return false }
    switch victims {
    case .aggregated:
      if frequency <= victimsFrequency(for: mainSize + size - quota, host: host) { return false }
    case .implicit:
      if let victim = firstVictim, frequency <= self.frequency(of: victim) { return false }
    case .queue, .caffeine: break
    }
    while mainSize + size > quota, let victim = firstVictim {
      if victims == .queue && frequency <= self.frequency(of: victim) { return false }
      lists.evict(victim, host: &host)
      if host.hasRefused { return false }
    }
    return true
  }

  /// The frequencies of the victims that free `size`, added up.
  @inlinable
  func victimsFrequency(for size: Int, host: borrowing some SlotHost & ~Copyable) -> Int {
    var freed = 0
    var sum = 0
    var next = firstVictim
    while freed < size, let victim = next {
      freed += host.size(of: victim)
      sum += frequency(of: victim)
      next = lists.newer(than: victim)
      if next == nil && lists.owner(of: victim) == WTinyLFU.probation {
        next = lists.back(of: WTinyLFU.protected)
      }
    }
    return sum
  }
}
