import Parameters

/// LFU with dynamic aging: a newcomer starts from the priority of the last victim.
public struct LFUDA: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lfuda", summary: "LFU with dynamic aging: frequency plus the last victim's priority",
    paper: "M. Arlitt, L. Cherkasova, J. Dilley, R. Friedrich and T. Jin, “Evaluating content "
      + "management techniques for Web proxy caches”, HP Labs technical report 1999 and ACM "
      + "SIGMETRICS Performance Evaluation Review 27(4), 2000.",
    idea:
      "LFU keeps old favourites for ever. Here the cache has an age L, the priority of its last "
      + "victim, and an object's priority is its frequency plus the age at its last request: "
      + "what was popular once falls behind as L rises. No parameter to tune.",
    hit: "Frequency + 1; the priority becomes frequency + L.",
    miss: "Room is made, and the object enters with frequency 1 and priority 1 + L.",
    eviction: "The lowest priority; among equals the least recently used. L becomes the victim's "
      + "priority. Sizes play no part.",
    ghosts:
      "None; the frequency is forgotten at eviction. L stays, also when everything is removed.",
    complexity: "O(1) amortised per request: priorities are whole numbers and victims' never fall.",
    differences:
      "libCacheSim's LFUDA (commit 118cb492a) is another policy: a hit adds its lowest priority"
      + " to the object's, which is nothing before the first eviction and doubles it later, and "
      + "objects that fall below that bound stay until they are hit.",
    bytesPerSlot: 20, miniatureError: 0)

  @usableFromInline var wheel: PriorityWheel
  /// Indexed by slot: the requests of its stay, 0 for a slot that is not resident.
  @usableFromInline var frequencies: SlotArray<UInt32>
  /// L.
  @usableFromInline var age: UInt64 = 0

  /// Creates an empty cache's policy, with L = 0.
  public init(_ configuration: PolicyConfiguration) {
    wheel = PriorityWheel(slots: configuration.slots)
    frequencies = SlotArray(repeating: 0, slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    wheel.visitState(&state)
    frequencies.visitState(&state)
    state.visit(&age)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { frequencies[slot] != 0 }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    frequencies.prefetch(slot)
    wheel.prefetch(slot)
  }

  /// Counts the request, and adds the age.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let earlier = frequencies[request.slot]
    let frequency = earlier == .max ? earlier : earlier &+ 1
    frequencies[request.slot] = frequency
    wheel.update(request.slot, priority: age &+ UInt64(frequency))
  }

  /// Makes room, and starts counting from the age.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    frequencies[request.slot] = 1
    wheel.insert(request.slot, priority: age &+ 1)
    return true
  }

  /// Evicts the object of the lowest priority, which becomes the age.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    guard let victim = wheel.firstUnpinned(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    if !host.mayEvict(victim) { return }
    age = wheel.priority(of: victim)
    wheel.remove(victim)
    frequencies[victim] = 0
    host.didEvictAndForget(victim)
  }

  /// Forgets the slot and its frequency.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if !contains(slot) { return }
    wheel.remove(slot)
    frequencies[slot] = 0
    host.didForget(slot)
  }

  /// Forgets every slot and frequency; L stays.
  @inlinable
  public mutating func removeAll() {
    wheel.removeAll()
    frequencies.removeAll()
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    wheel.reserve(slots: slots)
    frequencies.reserve(slots: slots)
  }

  /// The age of the cache.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("L", Double(age))
  }
}
