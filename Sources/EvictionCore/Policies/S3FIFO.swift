import Parameters

/// S3-FIFO: a small FIFO queue filters what may enter the main one, and a ghost queue corrects it.
public struct S3FIFO: QueuePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "s3fifo", summary: "a small FIFO queue before a main one, and a queue of ghosts",
    paper: "J. Yang, Y. Zhang, Z. Qiu, Y. Yue and K. V. Rashmi, “FIFO queues are all you need "
      + "for cache eviction”, SOSP 2023, Algorithm 1.",
    idea: "Most objects of a skewed workload are requested once in a cache's lifetime: a "
      + "small queue S gets rid of them soon. What was requested there again moves to the "
      + "main queue M; what came back after it had left, known by the ghost queue G, "
      + "enters M at once.",
    hit: "The object's frequency goes up by 1, to 3 at most.",
    miss: "Room is made. Then a ghost leaves G and enters M's head; anything else enters S's "
      + "head; both with frequency 0.",
    eviction: "While |S| + |M| ≥ C: from S if |S| ≥ Sc or M is empty, else from M. From S: a "
      + "tail with frequency > 1 moves to M's head with frequency 0, and if M is now over "
      + "Mc, M evicts once; and so on, until one object has left for G's head, or S is "
      + "empty. From M: a tail with frequency > 0 goes back to M's head with frequency − "
      + "1; the first with frequency 0 leaves, and is not remembered. Sc = max(1, "
      + "⌊C/10⌋), Mc = C − Sc.",
    ghosts: "What left S: at most Gc = Mc, the oldest forgotten first. As room is made "
      + "before the ghost test, the newcomer's own ghost may be the one that is dropped.",
    complexity: "O(1) per hit, which touches one byte; a miss moves at most as many objects as "
      + "there were hits. Memory: 5 bytes per slot and rings of at most 12.",
    differences:
      "form=caffeine has Gc = ⌊0.9 C⌋. form=libcachesim takes the ghost out of G before room is"
      + " made, does not evict from M within an eviction from S, evicts from M if |M| > Mc or S "
      + "is empty and else from S, and has Gc = ⌊0.9 C⌋; with fill=main newcomers also enter M "
      + "while S is full and nothing was evicted yet, which gives the counts of S3-FIFO in "
      + "libCacheSim's test (commit 0379a0199). Sc is at least 1, and any object that fits the "
      + "cache enters. Where a victim in bytes is larger than Gc, the limit is restored: G is "
      + "empty then.",
    parameters: [
      Parameter(
        "form", .choice(["paper", "caffeine", "libcachesim"]), default: .text("paper"),
        help: "caffeine: ghosts=0.9; libcachesim: ghosts=0.9, order=ghost-first, inner=false, "
          + "and S or M chosen by |M| > Mc; parameters given beside it count"),
      Parameter(
        "small", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "Sc, as a share of the capacity; at least 1"),
      Parameter(
        "threshold", .integer(in: 0...3), default: .integer(1),
        help: "an object moves from S to M if its frequency is larger than this"),
      Parameter(
        "keep", .flag, default: .flag(false),
        help: "an object that moves from S to M keeps its frequency"),
      Parameter(
        "order", .choice(["room-first", "ghost-first"]), default: .text("room-first"),
        help: "ghost-first: the newcomer leaves the ghosts before room is made"),
      Parameter(
        "inner", .flag, default: .flag(true),
        help: "M evicts when a move from S puts it over Mc"),
      Parameter(
        "fill", .choice(["small", "main"]), default: .text("small"),
        help: "main: until the first eviction newcomers enter M while S is full"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: nil,
        help: "Gc, as a multiple of the capacity; Mc, unless the form says otherwise"),
    ],
    bytesPerSlot: 17, hitsReorder: false, miniatureError: 0)

  /// S, the small queue, M, the main one, and G, the ghosts.
  public var queues: SlotQueues
  @usableFromInline let options: Options
  /// Sc, Mc and Gc.
  @usableFromInline var limits: Limits
  @usableFromInline var hasEvicted = false

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    queues = SlotQueues(count: 3, slots: configuration.slots)
    options = Options(configuration.arguments)
    limits = options.limits(of: configuration.capacity)
  }

  /// Passes on the queues, and the limits of the capacity.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) {
    queues.visitState(&state)
    state.visit(&limits)
    state.visit(&hasEvicted)
  }

  /// S and M are resident, G is not.
  @inlinable @inline(__always)
  public static func isResident(in queue: SlotQueues.ID) -> Bool {
    queue == .small || queue == .main
  }

  /// Counts the hit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    queues.reference(request.slot, atMost: 3)
  }

  /// One of an object whose counter can go no higher.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { queues.frequency(of: slot) >= 3 }

  /// Makes room, and enters M if the newcomer is a ghost, S otherwise.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    var wasGhost = options.recallsFirst && recall(request.slot, host: host)
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    if !options.recallsFirst { wasGhost = recall(request.slot, host: host) }
    let skipsSmall =
      options.fillsMain && !hasEvicted && queues.size(of: .small) >= limits.small
    queues.append(
      request.slot, to: wasGhost || skipsSmall ? .main : .small, size: request.size)
    return true
  }

  /// Evicts from S or M until at least one object has left.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    hasEvicted = true
    let residents = count
    repeat {
      if takesFromSmall(host: host) {
        evictFromSmall(for: request, host: &host)
      } else {
        queues.evictByClock(from: .main, host: &host)
      }
    } while count == residents && !host.hasRefused
  }

  /// Recomputes Sc, Mc and Gc, and forgets what is beyond Gc.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    limits = options.limits(of: capacity)
    queues.boundGhosts(of: .ghosts, to: limits.ghosts, newcomer: nil, host: &host)
  }

  @inlinable @inline(__always)
  var count: Int { queues.count(of: .small) + queues.count(of: .main) }

  /// True if S is to give something up: by the limits, unless all of the chosen queue is pinned.
  @inlinable @inline(__always)
  func takesFromSmall(host: borrowing some SlotHost & ~Copyable) -> Bool {
    let prefersSmall =
      options.choosesByMain
      ? queues.size(of: .main) <= limits.main && !queues.isEmpty(.small)
      : queues.size(of: .small) >= limits.small || queues.isEmpty(.main)
    return prefersSmall != queues.isAllPinned(prefersSmall ? .small : .main, host: host)
  }

  /// Takes the newcomer out of G.
  ///
  /// - Returns: True if it was there.
  @inlinable @inline(__always)
  mutating func recall(_ slot: Slot, host: borrowing some SlotHost & ~Copyable) -> Bool {
    if queues.owner(of: slot) != .ghosts { return false }
    queues.remove(slot, size: host.size(of: slot))
    return true
  }

  /// Moves what was requested to M, until one object has left S for G, or S is empty.
  @inlinable
  mutating func evictFromSmall(
    for request: Request?, host: inout some SlotHost & ~Copyable
  ) {
    while let place = queues.unpinnedPlace(of: .small, host: host) {
      let tail = place.slot
      let size = host.size(of: tail)
      let frequency = queues.frequency(of: tail)
      if frequency > options.threshold {
        queues.move(
          place, of: .small, to: .main, size: size,
          frequency: options.keepsFrequency ? frequency : 0)
        if options.evictsWithin && queues.size(of: .main) > limits.main {
          queues.evictByClock(from: .main, host: &host)
          if host.hasRefused { return }
        }
      } else {
        if !host.mayEvict(tail) { return }
        queues.move(place, of: .small, to: .ghosts, size: size)
        host.didEvict(tail)
        queues.boundGhosts(
          of: .ghosts, to: limits.ghosts, newcomer: request?.slot, host: &host)
        return
      }
    }
  }
}

extension S3FIFO {
  /// The options that the parameters give.
  @usableFromInline
  struct Options {
    @usableFromInline let threshold: UInt8
    @usableFromInline let keepsFrequency: Bool
    @usableFromInline let recallsFirst: Bool
    @usableFromInline let evictsWithin: Bool
    @usableFromInline let choosesByMain: Bool
    @usableFromInline let fillsMain: Bool
    @usableFromInline let smallShare: Fraction
    @usableFromInline let ghostShare: Fraction?

    init(_ arguments: Arguments) {
      let form = arguments.text("form")
      choosesByMain = form == "libcachesim"
      threshold = UInt8(arguments.integer("threshold"))
      keepsFrequency = arguments.flag("keep")
      recallsFirst =
        arguments.given["order"].map { $0 == .text("ghost-first") } ?? choosesByMain
      evictsWithin = arguments.given["inner"].map { $0 == .flag(true) } ?? !choosesByMain
      fillsMain = arguments.text("fill") == "main"
      smallShare = arguments.fraction("small")
      ghostShare = arguments.ghosts ?? (form == "paper" ? nil : Fraction(9, 10))
    }

    @usableFromInline
    func limits(of capacity: Int) -> Limits {
      let small = max(1, smallShare.floor(of: capacity))
      let main = capacity - small
      return Limits(small: small, main: main, ghosts: ghostShare?.floor(of: capacity) ?? main)
    }
  }

  /// Sc, Mc and Gc.
  @usableFromInline
  struct Limits: BitwiseCopyable {
    @usableFromInline var small: Int
    @usableFromInline var main: Int
    @usableFromInline var ghosts: Int
  }
}

extension SlotQueues.ID {
  /// The small queue that newcomers enter.
  @inlinable @inline(__always)
  package static var small: SlotQueues.ID { SlotQueues.ID(1) }
  /// The main queue.
  @inlinable @inline(__always)
  package static var main: SlotQueues.ID { SlotQueues.ID(2) }
  /// The queue of objects that left the small queue.
  @inlinable @inline(__always)
  package static var ghosts: SlotQueues.ID { SlotQueues.ID(3) }
}

extension S3FIFO {
  /// The values of `form`.
  public enum Form: String, CaseIterable, Sendable {
    /// The algorithm of the paper.
    case paper
    /// The form with fewer ghosts.
    case caffeine
    /// The form whose order of steps and choice of the queue differ, with the counts of libCacheSim's test
    /// (commit 0379a0199).
    case libcachesim
  }

  /// The values of `order`.
  public enum Order: String, CaseIterable, Sendable {
    /// Room is made before the newcomer leaves the ghosts.
    case roomFirst = "room-first"
    /// The newcomer leaves the ghosts before room is made.
    case ghostFirst = "ghost-first"
  }

  /// The values of `fill`.
  public enum Fill: String, CaseIterable, Sendable {
    /// Newcomers enter the small queue.
    case small
    /// Newcomers enter the main queue while the small one is full, until the first eviction.
    case main
  }
}

extension CachePolicy {
  /// ``S3FIFO``: a small FIFO queue before a main one, and a queue of ghosts.
  ///
  /// - Parameters:
  ///   - form: With `.caffeine`, ghosts=0.9; libcachesim: ghosts=0.9, order=ghost-first, inner=false, and S
  ///     or M chosen by |M| > Mc; parameters given beside it count.
  ///   - small: Sc, as a share of the capacity; at least 1.
  ///   - threshold: An object moves from S to M if its frequency is larger than this.
  ///   - keep: An object that moves from S to M keeps its frequency.
  ///   - order: With `.ghostFirst`, the newcomer leaves the ghosts before room is made.
  ///   - inner: M evicts when a move from S puts it over Mc.
  ///   - fill: With `.main`, until the first eviction newcomers enter M while S is full.
  ///   - ghosts: Gc, as a multiple of the capacity; Mc, unless the form says otherwise.
  public static func s3FIFO(
    form: S3FIFO.Form? = nil, small: Fraction? = nil, threshold: Int? = nil, keep: Bool? = nil,
    order: S3FIFO.Order? = nil, inner: Bool? = nil, fill: S3FIFO.Fill? = nil,
    ghosts: Fraction? = nil
  ) -> CachePolicy {
    CachePolicy(
      S3FIFO.self,
      parameters: [
        "form": form?.rawValue, "small": small, "threshold": threshold, "keep": keep,
        "order": order?.rawValue, "inner": inner, "fill": fill?.rawValue, "ghosts": ghosts,
      ])
  }
}
