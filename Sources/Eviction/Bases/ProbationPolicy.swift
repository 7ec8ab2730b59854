import Parameters

/// S3-FIFO's queues with a small queue whose newest part counts no hits.
///
/// Requests that follow each other closely are one: they say nothing about reuse. ``Clock2QPlus`` and
/// ``S4FIFO`` get their steps from here, so that their own files hold what differs: the limits, and what a
/// request for a ghost means.
public protocol ProbationPolicy: QueuePolicy, ~Copyable {
  /// The limits of the queues, and the order of entries into the small one.
  var probation: Probation { get set }
}

/// The limits of a small queue, a main queue and their ghosts, and the order of entries into the small one.
public struct Probation: ~Copyable {
  @usableFromInline var smallShare: Fraction
  @usableFromInline var ghostShare: Fraction
  @usableFromInline var skipShare: Fraction
  /// The hits that take an object from the small queue to the main one.
  @usableFromInline var threshold: UInt8
  /// The largest count in the main queue.
  @usableFromInline let maximumCount: UInt8
  @usableFromInline let roundsUp: Bool
  @usableFromInline var smallLimit = 0
  @usableFromInline var mainLimit = 0
  @usableFromInline var ghostLimit = 0
  /// An object counts no hits until this much has entered the small queue after it.
  @usableFromInline var skipLimit = 0
  /// The size units that ever entered the small queue.
  @usableFromInline var entered = 0
  /// Indexed by slot: ``entered`` once the slot itself had entered.
  @usableFromInline var entries: SlotArray<Int>
  @usableFromInline var hasEvicted = false

  /// Reads the parameters `small`, `ghosts` and `threshold`.
  ///
  /// - Parameters:
  ///   - configuration: Capacity and arguments.
  ///   - skip: The name of the parameter that holds the part of the small queue that counts no hits.
  ///   - bits: Bits of the main queue's counter.
  ///   - roundsUp: True if a limit of that part that is no whole number is rounded up.
  public init(
    _ configuration: PolicyConfiguration, skip: String, bits: Int, roundsUp: Bool = false
  ) {
    let arguments = configuration.arguments
    smallShare = arguments.fraction("small")
    ghostShare = arguments.fraction("ghosts")
    skipShare = arguments.fraction(skip)
    threshold = UInt8(arguments.integer("threshold"))
    maximumCount = UInt8(1 << bits - 1)
    self.roundsUp = roundsUp
    entries = SlotArray(repeating: 0, slots: configuration.slots)
    resize(to: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    state.visit(&smallLimit)
    state.visit(&mainLimit)
    state.visit(&ghostLimit)
    state.visit(&skipLimit)
    state.visit(&entered)
    entries.visitState(&state)
    state.visit(&hasEvicted)
  }

  /// The parameters that ``init(_:skip:bits:roundsUp:)`` reads, but `skip`.
  static func parameters(threshold: Int) -> [Parameter] {
    [
      Parameter(
        "small", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "Sc, as a share of the capacity; at least 1"),
      Parameter(
        "threshold", .integer(in: 0...63), default: .integer(threshold),
        help: "an object moves from S to M from this number of counted hits on"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)),
        default: .fraction(Fraction(9, 10)), help: "Gc, as a multiple of the capacity"),
    ]
  }

  /// Recomputes the limits.
  @usableFromInline
  mutating func resize(to capacity: Int) {
    smallLimit = max(1, smallShare.floor(of: capacity))
    mainLimit = capacity - smallLimit
    ghostLimit = ghostShare.floor(of: capacity)
    let skip = skipShare.floor(of: smallLimit)
    let isWhole =
      skip.multipliedFullWidth(by: skipShare.denominator)
      == smallLimit.multipliedFullWidth(by: skipShare.numerator)
    skipLimit = roundsUp && !isWhole ? skip + 1 : skip
  }

  /// Returns true if `slot`, which is in the small queue, counts no hits yet.
  @inlinable @inline(__always)
  func skipsHits(of slot: Slot) -> Bool { entered &- entries[slot] < skipLimit }

  @inlinable @inline(__always)
  mutating func enter(_ request: Request) {
    entered &+= request.size
    entries[request.slot] = entered
  }
}

extension ProbationPolicy where Self: ~Copyable {
  /// The small and the main queue are resident, the ghosts are not.
  @inlinable @inline(__always)
  public static func isResident(in queue: SlotQueues.ID) -> Bool {
    queue == .small || queue == .main
  }

  /// Counts the hit, but in the newest part of the small queue.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let slot = request.slot
    if queues.owner(of: slot) == .main {
      queues.reference(slot, atMost: probation.maximumCount)
    } else if !probation.skipsHits(of: slot) {
      queues.reference(slot, atMost: probation.threshold)
    }
  }

  /// One in the newest part of the small queue, or of an object whose counter can go no higher.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool {
    if queues.owner(of: slot) == .main {
      return queues.frequency(of: slot) >= probation.maximumCount
    }
    if probation.skipsHits(of: slot) { return true }
    return queues.frequency(of: slot) >= probation.threshold
  }

  /// Makes room for a newcomer that has left the ghosts, and enters it.
  ///
  /// - Parameters:
  ///   - request: The newcomer.
  ///   - isProven: True if it needs no probation.
  ///   - host: Told what leaves.
  @inlinable @inline(__always)
  public mutating func admit(
    _ request: Request, isProven: Bool, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    let smallSize = queues.size(of: .small)
    let fillsMain = !probation.hasEvicted && smallSize >= probation.smallLimit
    if isProven || fillsMain {
      queues.append(request.slot, to: .main, size: request.size)
    } else {
      queues.append(request.slot, to: .small, size: request.size)
      probation.enter(request)
    }
    return true
  }

  /// Takes the newcomer out of the ghosts.
  ///
  /// - Returns: True if it was there.
  @inlinable @inline(__always)
  public mutating func recall(_ slot: Slot, host: inout some SlotHost & ~Copyable) -> Bool {
    if queues.owner(of: slot) != .ghosts { return false }
    queues.remove(slot, size: host.size(of: slot))
    return true
  }

  /// Evicts from the main queue if it is over its limit, else from the small one, until an object has left.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    probation.hasEvicted = true
    while true {
      let isOver = queues.size(of: .main) > probation.mainLimit
      let prefersMain = queues.isEmpty(.small) || isOver
      if prefersMain != queues.isAllPinned(prefersMain ? .main : .small, host: host) {
        queues.evictByClock(from: .main, host: &host)
        return
      }
      let threshold = probation.threshold
      guard let isEvicted = queues.evictFromSmall(threshold: threshold, host: &host) else {
        continue
      }
      if isEvicted {
        queues.boundGhosts(
          of: .ghosts, to: probation.ghostLimit, newcomer: request?.slot, host: &host)
      }
      return
    }
  }

  /// Recomputes the limits, and forgets the ghosts beyond theirs.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    probation.resize(to: capacity)
    queues.boundGhosts(of: .ghosts, to: probation.ghostLimit, newcomer: nil, host: &host)
  }
}

extension SlotQueues {
  /// Moves the oldest of the small queue to the main one while they were hit often enough; the first other becomes
  /// the newest ghost. Pinned slots are passed over.
  ///
  /// - Returns: True if a slot was evicted, false if the host keeps it, and nil if none is left.
  @inlinable @inline(__always)
  mutating func evictFromSmall(
    threshold: UInt8, host: inout some SlotHost & ~Copyable
  ) -> Bool? {
    while let place = unpinnedPlace(of: .small, host: host) {
      let tail = place.slot
      let size = host.size(of: tail)
      if frequency(of: tail) >= threshold {
        move(place, of: .small, to: .main, size: size)
        continue
      }
      if !host.mayEvict(tail) { return false }
      move(place, of: .small, to: .ghosts, size: size)
      host.didEvict(tail)
      return true
    }
    return nil
  }
}
