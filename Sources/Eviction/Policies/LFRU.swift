import Parameters

/// Least frequent recently used: popular objects live in a privileged LRU partition, the others compete
/// by how often they were requested lately.
public struct LFRU: ListPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lfru", summary: "LRU for the privileged, approximated LFU for the others",
    paper: "M. Bilal and S.-G. Kang, “A cache management scheme for efficient content eviction and "
      + "replication in cache networks”, IEEE Access 5, 2017; US patent 10819823, 2020.",
    idea:
      "LFU is costly and slow to change where contents change quickly. Counting only up to a small "
      + "number, in the partition where newcomers arrive, finds what is popular; that is protected "
      + "in another partition, under LRU.",
    hit:
      "A privileged object moves to the most recent end of its partition. Any other has its count "
      + "raised by 1; at `popular` it becomes privileged, and while the privileged exceed their share, "
      + "their least recent becomes unprivileged with count 1.",
    miss: "Room is made, and the object enters the unprivileged partition with count 1.",
    eviction: "The lowest count of the unprivileged, among equals the one whose count or partition "
      + "changed least recently; if there is none, the least recent of the privileged.",
    complexity: "O(1) per request; the end of an observation window is O(C), once in `window` × C "
      + "requests.",
    differences: "Known here by its published descriptions. There the requests for an object count "
      + "before it is cached, in a window estimated by Chebyshev's inequality, and decide whether "
      + "it is copied at all (CLCE, the replication scheme) and into which partition; here every "
      + "newcomer enters, unprivileged. Decided here: sizes; counts are small numbers, and what "
      + "makes popular is a fixed count; counts of all unprivileged objects start again at 1 when an "
      + "observation window ends, where higher counts become more recent and equal ones keep "
      + "their order; a window lasts `window` × the residents at its beginning (at least one) "
      + "hits and admissions.",
    parameters: [
      Parameter(
        "privileged", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(5, 10)),
        help: "share of the capacity that the privileged partition may take"),
      Parameter(
        "popular", .integer(in: 2...32), default: .integer(3),
        help: "the count that makes an object privileged"),
      Parameter(
        "window", .integer(in: 0...Int(Int32.max)), default: .integer(8),
        help: "requests per resident after which counts start again at 1; 0 for never"),
    ],
    bytesPerSlot: 9, isReinterpretation: true)

  /// Lists 1 ..< popular: the unprivileged by their counts; list `popular`: the privileged.
  public var lists: SlotLists<UInt8>
  @usableFromInline let popular: UInt8
  @usableFromInline let share: Fraction
  @usableFromInline var quota: Int
  @usableFromInline let window: Int
  /// Requests left of the observation window.
  @usableFromInline var left: Int

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    let count = arguments.integer("popular")
    lists = SlotLists(count: count, slots: configuration.slots)
    popular = UInt8(count)
    share = arguments.fraction("privileged")
    quota = share.floor(of: configuration.capacity)
    window = arguments.integer("window")
    left = window
  }

  /// Counts the request; what is popular becomes, or stays, privileged.
  @inlinable
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let list = lists.owner(of: request.slot)
    if list == privileged {
      lists.moveToFront(request.slot, of: list)
    } else {
      let above = SlotLists<UInt8>.ID(list.rawValue &+ 1)
      lists.move(request.slot, toFrontOf: above, size: host.size(of: request.slot))
      if above == privileged { demote(host: &host) }
    }
    observe(host: &host)
  }

  /// Makes room, and enters the object with count 1.
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    observe(host: &host)
    return true
  }

  /// Evicts the least recent of the lowest count, or of the privileged.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    var list: UInt8 = 1
    while list < popular && lists.lacksVictim(SlotLists.ID(list), host: host) { list &+= 1 }
    lists.evictBack(of: SlotLists.ID(list), host: &host)
  }

  /// Fits the privileged partition to the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    quota = share.floor(of: capacity)
    demote(host: &host)
  }

  @inlinable @inline(__always)
  var privileged: SlotLists<UInt8>.ID { SlotLists.ID(popular) }

  @inlinable @inline(__always)
  mutating func demote(host: inout some SlotHost & ~Copyable) {
    while lists.size(of: privileged) > quota {
      let demoted = lists.removeBack(of: privileged, host: host)
      lists.prepend(demoted, to: .first, size: host.size(of: demoted))
    }
  }

  /// Counts a request of the observation window, which may be its last.
  @inlinable @inline(__always)
  mutating func observe(host: inout some SlotHost & ~Copyable) {
    left &-= 1
    if left == 0 { startAgain(host: &host) }
  }

  /// Ends the observation window: every unprivileged object has count 1.
  @inlinable @inline(never)
  mutating func startAgain(host: inout some SlotHost & ~Copyable) {
    var residents = lists.count(of: .first) + lists.count(of: privileged)
    for list in stride(from: 2, to: popular, by: 1) {
      residents += lists.count(of: SlotLists.ID(list))
      while !lists.isEmpty(SlotLists.ID(list)) {
        let slot = lists.removeBack(of: SlotLists.ID(list), host: host)
        lists.prepend(slot, to: .first, size: host.size(of: slot))
      }
    }
    left = window * residents
  }
}

extension CachePolicy {
  /// `LFRU`: LRU for the privileged, approximated LFU for the others.
  ///
  /// - Parameters:
  ///   - privileged: Share of the capacity that the privileged partition may take.
  ///   - popular: The count that makes an object privileged.
  ///   - window: Requests per resident after which counts start again at 1; 0 for never.
  public static func lfru(
    privileged: Fraction? = nil, popular: Int? = nil, window: Int? = nil
  ) -> CachePolicy {
    CachePolicy(
      LFRU.self,
      parameters: [
        "privileged": privileged, "popular": popular, "window": window,
      ])
  }
}
