/// The host of a policy: a cache, or a simulator of one.
///
/// The host keeps the account (capacity, how much of it is used, each slot's size) and the values. A
/// policy asks it for room and sizes, and tells it which slots lose their values and which ones it has
/// forgotten. In a simulation of objects that count one, `size(of:)` is the constant 1 and
/// `didForget(_:)` is empty, and both vanish when specialised.
public protocol SlotHost: ~Copyable {
  /// Returns true if `request` can enter without going over the capacity.
  func hasRoom(for request: Request) -> Bool

  /// The size of the object in `slot` as it was admitted; for a ghost, as it was evicted.
  ///
  /// During `insert` the requested slot itself still has the size of its earlier stay.
  func size(of slot: Slot) -> Int

  /// Returns true if `victim` may leave for the newcomer. A policy asks before each eviction.
  ///
  /// An admission filter answers no when it would rather keep the victim: the newcomer is then refused,
  /// ``hasRefused`` is true until the request is over, the victim stays where it is, and `insert`
  /// returns false. Always true for a trim that no newcomer needs, on a hit, and without such a filter, where it costs nothing.
  mutating func mayEvict(_ victim: Slot) -> Bool

  /// True if ``mayEvict(_:)`` may ever be false, so that others' policies need not ask.
  static var asksFilter: Bool { get }

  /// True if the host bears whatever a policy tells it, and notes what is wrong: the conformance suite's does.
  static var notesBreaches: Bool { get }

  /// True if ``mayEvict(_:)`` has refused the newcomer of this request.
  var hasRefused: Bool { get }

  /// True if ``isPinned(_:)`` may ever be true, so that other hosts' policies are compiled without a word of it.
  static var pinsSlots: Bool { get }

  /// Returns true if the resident `slot` must stay for now. A policy passes over it in its order, and changes
  /// nothing about it: no bit is cleared, nothing is demoted or remembered.
  ///
  /// ``ReplacementPolicy/evict(for:host:)`` is called only while a resident is not pinned, and only of a
  /// ``PinnablePolicy``. Always false, and then free, but in a cache of prefixes.
  func isPinned(_ slot: Slot) -> Bool

  /// The number of pinned slots, that of a newcomer among them; nil if the host keeps no account of them, by default.
  var pinned: Int? { get }

  /// The number of residents that are not pinned; nil if the host does not list them, by default. One that does lists them
  /// for each policy that draws its victims (``PinnablePolicy/drawsVictims``).
  var unpinned: Int? { get }

  /// The unpinned resident at `index`, below ``unpinned``, in no meaningful order.
  func unpinned(at index: Int) -> Slot

  /// The number of releases so far: of times that a pinned slot became one that may leave; nil if the host keeps no
  /// account of them, by default. A search for a victim then starts where the last one ended.
  var releases: Int? { get }

  /// The slot of release `number`, one of the last ``releasesKept`` before ``releases``.
  func released(_ number: Int) -> Slot

  /// The policy chose `slot` as a victim: its value is gone and its room is free.
  ///
  /// The slot is a ghost from here on, until ``didForget(_:)``.
  mutating func didEvict(_ slot: Slot)

  /// The policy will refuse the newcomer that it is inserting, which it knew nothing about, and remembers it: its slot is a
  /// ghost from here on, of the request's size, until ``didForget(_:)``.
  mutating func didRemember(_ newcomer: Request)

  /// The policy remembers nothing about `slot` any more: the host may give it to another key.
  mutating func didForget(_ slot: Slot)
}

extension SlotHost where Self: ~Copyable {
  /// Every victim may leave.
  @inlinable @inline(__always)
  public mutating func mayEvict(_ victim: Slot) -> Bool { true }

  /// A filter may answer.
  @inlinable @inline(__always)
  public static var asksFilter: Bool { true }

  /// A policy is trusted.
  @inlinable @inline(__always)
  public static var notesBreaches: Bool { false }

  /// No slot is ever pinned.
  @inlinable @inline(__always)
  public static var pinsSlots: Bool { false }

  /// No slot is pinned.
  @inlinable @inline(__always)
  public func isPinned(_ slot: Slot) -> Bool { false }

  /// No account is kept.
  @inlinable @inline(__always)
  public var pinned: Int? { nil }

  /// No resident is listed.
  @inlinable @inline(__always)
  public var unpinned: Int? { nil }

  /// No slot, as none is listed.
  @inlinable @inline(__always)
  public func unpinned(at index: Int) -> Slot { .max }

  /// No account is kept.
  @inlinable @inline(__always)
  public var releases: Int? { nil }

  /// No slot, as no account is kept.
  @inlinable @inline(__always)
  public func released(_ number: Int) -> Slot { .max }

  /// The number of releases that an account holds.
  @inlinable @inline(__always)
  public static var releasesKept: Int { 1 << 16 }

  /// No newcomer is refused.
  @inlinable @inline(__always)
  public var hasRefused: Bool { false }

  /// Nothing need be noted: right for a host whose objects count one, and for one that has the newcomer's size already.
  @inlinable @inline(__always)
  public mutating func didRemember(_ newcomer: Request) {}

  /// The eviction of a policy without ghosts: the value is gone and so is the memory of it.
  @inlinable @inline(__always)
  public mutating func didEvictAndForget(_ slot: Slot) {
    didEvict(slot)
    didForget(slot)
  }
}
