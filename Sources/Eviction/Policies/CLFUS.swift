import Parameters

/// CLFUS, clocked least frequently used by size: a clock passes over objects of more hits per byte than the mean, and
/// what left must be worth more than what it would replace.
public typealias CLFUS = ListedPolicy<HitDensityClock, SlotLists<UInt8>>

/// The rules of ``CLFUS``: the residents, the front the newest; the second list has those that the clock has taken for a
/// newcomer.
public struct HitDensityClock: ListRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "clfus",
    summary: "a clock over hits per byte; a newcomer must be worth more than its victims",
    paper:
      "None but its code: Apache Traffic Server, iocore/cache/RamCacheCLFUS.cc, commit 030cadb.",
    idea:
      "An object of a proxy's memory cache is worth its hits per byte. A clock needs no order by "
      + "worth, and passes over what is worth more than the mean of the last hundred it looked at. "
      + "Nothing enters that was not seen before: scans stay out.",
    hit: "An object worth more than the mean, (hits + 1)/(size + 256), becomes the newest; then it "
      + "has a hit more.",
    miss:
      "A known key has a hit more. If it is worth less than the mean it is refused; else victims are "
      + "taken for it until it fits, and if it would still not fit beside the last one while "
      + "all together are worth more, it is refused. It enters as the newest, with its hits. An unknown "
      + "key is remembered with one hit and refused; it enters only while nothing is remembered and "
      + "there is room. With seen=true, while as many keys are remembered as there are residents, it "
      + "must have been requested once before that.",
    eviction:
      "The clock takes the oldest and works its worth into the mean, which keeps 99 %; up to "
      + "100 that are worth more than the mean become the newest. The first other is a victim. Victims "
      + "that fit beside the newcomer, and all of a refused one, become the newest with a hit less.",
    ghosts: "Keys that left and keys that were refused, by their hashes, in one queue. With each "
      + "victim the oldest has its hits halved: without any it is forgotten, else it loses one more "
      + "and becomes the newest, and if more than residents + 10 are remembered, the next is "
      + "forgotten. As in a sketch, a key that the user removes is not forgotten.",
    complexity:
      "O(1) per hit; a miss passes over 100 objects at most. A remembered key takes 33 to "
      + "45 bytes beside the slots; there may be a few more of them than residents.",
    differences:
      "A size counts 2 GiB at most in an object's worth. "
      + "Traffic Server also counts 256 bytes of each object towards the capacity, and may "
      + "compress objects in memory; here neither. Its table of what was seen has a prime number of "
      + "words; here it is a power of two, emptied as there when it grows with the residents. A trim is "
      + "one turn of the clock.",
    parameters: [
      Parameter(
        "seen", .flag, default: .flag(true),
        help: "a key is remembered from its second request on, once enough are remembered")
    ],
    bytesPerSlot: 27, mayRefuse: { _ in true })

  /// Indexed by slot: what is known of a resident.
  @usableFromInline var entries: SlotArray<KeyHistory.Entry>
  @usableFromInline var history = KeyHistory()
  @usableFromInline var seen: SeenKeys
  @usableFromInline let usesSeen: Bool
  @usableFromInline var capacity: Int
  /// The mean worth of the objects that the clock has looked at.
  @usableFromInline var mean = 0.0

  /// Residents and victims.
  public var listCount: Int { 2 }

  @inlinable static var victims: ListID { ListID(2) }
  /// The objects that the clock passes over at most for one newcomer.
  @inlinable static var patience: Int { 100 }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    entries = SlotArray(repeating: KeyHistory.Entry(), slots: configuration.slots)
    seen = SeenKeys()
    usesSeen = configuration.arguments.flag("seen")
    capacity = configuration.capacity
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    entries.visitState(&state)
    history.visitState(&state)
    seen.visitState(&state)
    state.visit(&capacity)
    state.visit(&mean)
  }

  /// Keys, which it remembers by their hashes.
  @inlinable
  public static var needs: RequestNeeds { .keyHash }

  /// Prefetches the slot's record.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { entries.prefetch(slot) }

  /// Makes a worthy object the newest, and counts the hit.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if worth(of: request.slot, host: host) > mean { lists.moveToFront(request.slot, of: .first) }
    entries[request.slot].hits &+= 1
  }

  /// Admits a known key that is worth its victims; remembers an unknown one.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    var known = history.take(request.keyHash)
    known?.hits &+= 1
    if let entry = known, Self.worth(of: entry) < mean {
      history.append(entry)
      return refuse(request, lists: lists, host: &host)
    }
    let fills = history.count == 0 && fits(request.size, lists)
    if !fills {
      if known == nil && usesSeen {
        let isSeen = seen.record(request.keyHash)
        if history.count >= residents(lists) && !isSeen {
          return refuse(request, lists: lists, host: &host)
        }
      }
      if known == nil, passVictim(lists: &lists, host: host) {
        history.append(KeyHistory.Entry(hash: request.keyHash, size: request.size, hits: 1))
        return refuse(request, lists: lists, host: &host)
      }
      guard takeVictims(for: request, known: known, lists: &lists, host: host),
        settleVictims(for: request, lists: &lists, host: &host)
      else {
        giveBackVictims(lists: &lists, host: host)
        history.append(
          known ?? KeyHistory.Entry(hash: request.keyHash, size: request.size, hits: 1))
        return refuse(request, lists: lists, host: &host)
      }
    }
    if known == nil { seen.fit(residents: residents(lists)) }
    entries[request.slot] = KeyHistory.Entry(
      hash: request.keyHash, size: request.size, hits: known?.hits ?? 1)
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Turns the clock to one victim.
  @inlinable
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    var patience = Self.patience
    guard let victim = turn(patience: &patience, lists: &lists, host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    if !host.mayEvict(victim) { return }
    tick(known: false, residents: residents(lists))
    leave(victim, from: .first, lists: &lists, host: &host)
  }

  /// Notes the capacity.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    self.capacity = capacity
  }

  /// Forgets every key; the mean stays.
  @inlinable
  public mutating func removeAll() { history.removeAll() }

  /// Grows the records.
  @inlinable
  public mutating func reserve(slots: Int) { entries.reserve(slots: slots) }

  /// The mean worth.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("mean_worth", mean)
  }
}

// MARK: - Steps

extension HitDensityClock {
  /// Hits per byte.
  @inlinable @inline(__always)
  static func worth(of entry: KeyHistory.Entry) -> Double {
    Double(Float(entry.hits &+ 1) / Float(Int(entry.size) + 256))
  }

  /// Hits per byte of a resident.
  @inlinable @inline(__always)
  func worth(of slot: Slot, host: borrowing some SlotHost & ~Copyable) -> Double {
    Self.worth(of: entry(of: slot, host: host))
  }

  /// The history of a resident, with the size that it has now.
  @inlinable @inline(__always)
  func entry(of slot: Slot, host: borrowing some SlotHost & ~Copyable) -> KeyHistory.Entry {
    var entry = entries[slot]
    entry.size = Int32(clamping: host.size(of: slot))
    return entry
  }

  @inlinable @inline(__always)
  func residents<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> Int {
    lists.count(of: .first) + lists.count(of: Self.victims)
  }

  /// Returns true if `size` fits beside the residents that are no victims.
  @inlinable @inline(__always)
  func fits<Lists: RecencyLists & ~Copyable>(_ size: Int, _ lists: borrowing Lists) -> Bool {
    lists.size(of: .first) + size <= capacity
  }

  /// Turns the clock to the next victim; nil if no resident may leave.
  @inlinable
  mutating func turn<Lists: RecencyLists & ~Copyable>(
    patience: inout Int, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) -> Slot? {
    while let slot = lists.unpinnedBack(of: .first, host: host) {
      let worth = worth(of: slot, host: host)
      mean = (worth + mean * 99) / 100
      if worth <= mean || patience <= 0 { return slot }
      patience -= 1
      lists.moveToFront(slot, of: .first)
    }
    return nil
  }

  /// Turns the clock for an unknown newcomer: one victim is taken and given back.
  ///
  /// - Returns: False, with nothing done, if no resident may leave.
  @inlinable
  mutating func passVictim<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) -> Bool {
    var patience = Self.patience
    guard let victim = turn(patience: &patience, lists: &lists, host: host) else { return false }
    tick(known: false, residents: residents(lists))
    entries[victim].hits -= min(entries[victim].hits, 1)
    lists.moveToFront(victim, of: .first)
    return true
  }

  /// Takes victims until the newcomer fits.
  ///
  /// - Returns: False if it is unknown, worth less than they are, or does not fit without anything.
  @inlinable
  mutating func takeVictims<Lists: RecencyLists & ~Copyable>(
    for request: Request, known: KeyHistory.Entry?, lists: inout Lists,
    host: borrowing some SlotHost & ~Copyable
  ) -> Bool {
    var patience = Self.patience
    var together = 0.0
    while let victim = turn(patience: &patience, lists: &lists, host: host) {
      let size = host.size(of: victim)
      lists.move(victim, from: .first, toFrontOf: Self.victims, size: size)
      together += worth(of: victim, host: host)
      tick(known: known != nil, residents: residents(lists))
      guard let known else { return false }
      if !fits(request.size + size, lists) && together > Self.worth(of: known) { return false }
      if fits(request.size, lists) { return true }
    }
    return fits(request.size, lists)
  }

  /// Gives back the victims that fit beside the newcomer, and evicts the others.
  ///
  /// - Returns: False if the host refused the newcomer.
  @inlinable
  mutating func settleVictims<Lists: RecencyLists & ~Copyable>(
    for request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while let victim = lists.back(of: Self.victims) {
      let size = host.size(of: victim)
      if fits(request.size + size, lists) {
        giveBack(victim, size: size, lists: &lists)
      } else if host.mayEvict(victim) {
        leave(victim, from: Self.victims, lists: &lists, host: &host)
      } else {
        return false
      }
    }
    return true
  }

  @inlinable
  mutating func giveBackVictims<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while let victim = lists.back(of: Self.victims) {
      giveBack(victim, size: host.size(of: victim), lists: &lists)
    }
  }

  /// Makes a victim the newest resident, with a hit less.
  @inlinable @inline(__always)
  mutating func giveBack<Lists: RecencyLists & ~Copyable>(
    _ victim: Slot, size: Int, lists: inout Lists
  ) {
    entries[victim].hits -= min(entries[victim].hits, 1)
    lists.move(victim, from: Self.victims, toFrontOf: .first, size: size)
  }

  @inlinable @inline(__always)
  mutating func leave<Lists: RecencyLists & ~Copyable>(
    _ victim: Slot, from list: ListID, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.remove(victim, from: list, size: host.size(of: victim))
    history.append(entry(of: victim, host: host))
    host.didEvictAndForget(victim)
  }

  /// Ages what is remembered; `known` counts the newcomer as remembered.
  @inlinable
  mutating func tick(known: Bool, residents: Int) {
    guard let hits = history.oldestHits else { return }
    if hits < 2 {
      _ = history.takeOldest()
      return
    }
    history.renewOldest(hits: hits / 2 - 1)
    if history.count + (known ? 1 : 0) > residents + 10 { _ = history.takeOldest() }
  }
}

/// A table of 16 bits of the key that was last requested at each word.
@usableFromInline
struct SeenKeys: ~Copyable {
  @usableFromInline var words: SlotArray<UInt16>
  @usableFromInline var count = 128

  @usableFromInline
  init() { words = SlotArray(repeating: 0, slots: 128) }

  mutating func visitState(_ state: inout PolicyState) {
    words.visitState(&state)
    state.visit(&count)
  }

  /// Notes the key.
  ///
  /// - Returns: True if it was there.
  @inlinable
  mutating func record(_ hash: UInt64) -> Bool {
    let word = Slot(truncatingIfNeeded: hash & UInt64(count &- 1))
    let tag = UInt16(truncatingIfNeeded: hash &>> 48)
    let isSeen = words[word] == tag
    words[word] = tag
    return isSeen
  }

  /// Doubles and empties the table if there are more residents than words.
  @inlinable
  mutating func fit(residents: Int) {
    if residents <= count { return }
    count *= 2
    words.reserve(slots: count)
    words.removeAll()
  }
}
