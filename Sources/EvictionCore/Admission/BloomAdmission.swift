import Parameters

/// Admits an object when it is requested for the second time within a window.
public final class BloomAdmission: AdmissionFilter {
  /// The catalog's entry.
  override public class var information: AdmissionInformation {
    AdmissionInformation(
      name: "bloom", summary: "admits an object at its second request within a window",
      paper:
        "B. M. Maggs and R. K. Sitaraman, “Algorithmic nuggets in content delivery”, ACM SIGCOMM "
        + "Computer Communication Review 45(3), 2015 (Bloom filters: cache on second hit).",
      idea: "Most objects are requested once and never again. Those need not enter, and push out "
        + "none that are requested more often.",
      decision: "Two Bloom filters remember the keys requested lately, hits and misses alike. Each "
        + "request whose key is not in the younger one puts it there. A miss is admitted if the key "
        + "was in either before the request. When the keys put into the younger one take "
        + "⌊window × C⌋ (their number; with sizes, their bytes), it becomes the older one, and "
        + "the older one is emptied and becomes the younger. So a key is known for one to two "
        + "windows.",
      complexity: "O(1) per request, amortised. About 2 bytes per key of a window, rounded up to a "
        + "power of two. Filters are made for the number of keys in the window, at first for "
        + "2²⁰ at most; one that is full before the window's end is succeeded by one twice as "
        + "large.",
      differences:
        "A Bloom filter says yes to about 3 % of the keys it never saw, so some first requests "
        + "are admitted.",
      parameters: [
        Parameter(
          "window", .fraction(in: Fraction(0)...Fraction(1_000)), default: .fraction(Fraction(1)),
          help: "what the keys of a filter take together, as a multiple of the capacity")
      ],
      needs: .keyHash)
  }

  private let window: UnsafeMutablePointer<SeenKeys>
  private let multiple: Fraction

  /// Makes two empty filters.
  public required init(_ configuration: AdmissionConfiguration) {
    multiple = configuration.arguments.fraction("window")
    window = .allocate(capacity: 1)
    window.initialize(to: SeenKeys(quota: multiple.floor(of: configuration.capacity)))
    super.init(configuration)
  }

  deinit {
    window.deinitialize(count: 1)
    window.deallocate()
  }

  /// Passes on both filters.
  override public func visitState(_ state: inout PolicyState) {
    window.pointee.visitState(&state)
  }

  /// Remembers the key.
  override public func record(_ request: Request) {
    window.pointee.record(request.keyHash, size: request.size)
  }

  /// Returns true if the key was known before this request.
  override public func admits(_ request: Request) -> Bool { window.pointee.wasKnown }

  /// The next window is one of the new capacity.
  override public func resize(to capacity: Int) {
    window.pointee.quota = multiple.floor(of: capacity)
  }
}

/// The keys of this window and of the one before it.
private struct SeenKeys: ~Copyable {
  private var younger: BloomFilter
  private var older: BloomFilter
  /// The number of keys that the younger filter was made for, and how many more it takes.
  private var room: Int
  private var roomLeft: Int
  /// The size units that the keys of a window take together.
  var quota: Int
  private var quotaLeft: Int
  /// True if the key recorded last was known before.
  private(set) var wasKnown = false

  init(quota: Int) {
    self.quota = quota
    quotaLeft = quota
    room = min(max(quota, 1), 1 << 20)
    roomLeft = room
    younger = BloomFilter(capacity: room)
    older = BloomFilter(capacity: room)
  }

  mutating func visitState(_ state: inout PolicyState) {
    younger.visitState(&state)
    older.visitState(&state)
    state.visit(&room)
    state.visit(&roomLeft)
    state.visit(&quota)
    state.visit(&quotaLeft)
    state.visit(&wasKnown)
  }

  mutating func record(_ keyHash: UInt64, size: Int) {
    let isNew = younger.insert(keyHash)
    wasKnown = !isNew || older.contains(keyHash)
    if !isNew { return }
    roomLeft -= 1
    quotaLeft -= min(size, quotaLeft)
    if roomLeft == 0 || quotaLeft == 0 { begin() }
  }

  /// The younger filter becomes the older one.
  private mutating func begin() {
    if quotaLeft > 0 && room < 1 << 30 { room *= 2 }
    if older.capacity < room { older = BloomFilter(capacity: room) } else { older.clear() }
    swap(&younger, &older)
    roomLeft = room
    quotaLeft = quota
  }
}

extension CacheAdmission {
  /// ``BloomAdmission``.
  ///
  /// - Parameter window: The keys of a filter take this together, as a multiple of the capacity.
  public static func bloom(
    window: Fraction? = nil
  ) -> CacheAdmission {
    CacheAdmission(
      "bloom", parameters: ["window": window])
  }
}
