import EvictionCore

/// A random sequence of operations on a small cache, the same for the same seed on every platform.
///
/// The requests come in phases that eviction policies tell apart: skewed like Zipf's law, loops a
/// little longer than the cache, scans of keys that never come again, small working sets, repeats.
public struct Workload: Sendable, CustomStringConvertible {
  /// The features of a workload besides requests for objects that count one.
  public struct Features: OptionSet, Sendable {
    /// The set's bits.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Keys are removed, now and then all at once.
    public static let removals = Features(rawValue: 1)
    /// The host evicts for no newcomer.
    public static let trims = Features(rawValue: 2)
    /// The capacity changes.
    public static let resizes = Features(rawValue: 4)
    /// Objects have sizes, some larger than the cache.
    public static let sizes = Features(rawValue: 8)
    /// A key's size differs from request to request; needs ``sizes``.
    public static let changingSizes = Features(rawValue: 16)
    /// A hit gives its object the size of the request; needs ``changingSizes``.
    public static let sizeUpdates = Features(rawValue: 32)

    /// An admission filter now and then refuses a newcomer when it sees the victim.
    public static let refusals = Features(rawValue: 64)
    /// Every fourth object is empty; needs ``sizes``.
    public static let emptyObjects = Features(rawValue: 128)
    /// Capacities up to the largest of a cache, beside objects that count one; needs ``sizes``.
    public static let hugeSizes = Features(rawValue: 256)
    /// Costs of a miss are anything that a user may name: 0, huge, infinite, negative, not a number.
    public static let oddCosts = Features(rawValue: 512)

    /// Removals, trims and resizes.
    public static let disturbances: Features = [.removals, .trims, .resizes]
    /// Sizes and costs at the ends of their ranges.
    public static let extremes: [Features] = [
      [.sizes, .emptyObjects], [.sizes, .hugeSizes, .disturbances],
      [.sizes, .emptyObjects, .oddCosts, .changingSizes, .sizeUpdates, .disturbances],
      [
        .sizes, .emptyObjects, .hugeSizes, .oddCosts, .changingSizes, .sizeUpdates, .disturbances,
      ],
    ]
    /// The sets that tests go through.
    public static let samples: [Features] = [
      [], .removals, .disturbances, .sizes, [.sizes, .disturbances],
      [.sizes, .changingSizes, .disturbances],
      [.sizes, .changingSizes, .sizeUpdates, .disturbances],
    ]
  }

  /// The seed of the sequence.
  public let seed: UInt64
  /// Its features.
  public let features: Features
  /// The capacity it begins with.
  public let capacity: Int
  /// Every key is below this.
  public let keys: Int
  /// Its operations.
  public let operations: [CacheOperation]

  /// The workload that belongs to `seed`.
  ///
  /// - Parameters:
  ///   - seed: The random seed.
  ///   - features: Its operations beyond gets.
  ///   - minimumCapacity: The smallest capacity that it may begin with or change to.
  ///   - length: The number of operations.
  public init(
    seed: UInt64, features: Features = [], minimumCapacity: Int = 1, length: Int = 200
  ) {
    var dice = WorkloadDice(seed: seed, features: features, minimumCapacity: minimumCapacity)
    self.seed = seed
    self.features = features
    capacity = dice.capacity
    operations = dice.operations(length)
    keys = dice.keys + dice.scanned
  }

  /// A workload of these operations.
  public init(
    capacity: Int, keys: Int, operations: [CacheOperation], features: Features = [],
    seed: UInt64 = 0
  ) {
    self.seed = seed
    self.features = features
    self.capacity = capacity
    self.keys = keys
    self.operations = operations
  }

  /// The parameters that make the same workload again.
  public var description: String {
    let names = Workload.names.filter { features.contains($0.feature) }.map(\.name)
    let listed = names.isEmpty ? "none" : names.joined(separator: "+")
    return "seed \(seed), features \(listed), capacity \(capacity)"
  }

  private static let names: [(feature: Features, name: String)] = [
    (.removals, "removals"), (.trims, "trims"), (.resizes, "resizes"), (.sizes, "sizes"),
    (.changingSizes, "changingSizes"), (.sizeUpdates, "sizeUpdates"), (.refusals, "refusals"),
    (.emptyObjects, "emptyObjects"), (.hugeSizes, "hugeSizes"), (.oddCosts, "oddCosts"),
  ]

  /// The stable hash of `key`.
  public static func hash(of key: Int) -> UInt64 { SplitMix64.mix(UInt64(key)) }

  /// Returns the cost of a miss of `key`, where a test gives requests costs.
  public static func cost(of key: Int) -> Double {
    Double(1 + SplitMix64.mix(UInt64(key) ^ 11) % 10)
  }

  /// Returns the cost of a miss of `key` in this workload.
  public func cost(of key: Int) -> Double {
    let word = SplitMix64.mix(UInt64(key) ^ 44)
    if !features.contains(.oddCosts) || word % 2 == 0 { return Workload.cost(of: key) }
    return Workload.oddCosts[Int(word >> 8) % Workload.oddCosts.count]
  }

  private static let oddCosts: [Double] = [
    0, -0.0, .leastNonzeroMagnitude, 1e-200, 1e18, 1e200, .greatestFiniteMagnitude, .infinity, -1,
    -.infinity, .nan,
  ]

  /// The length of `key`.
  public static func length(of key: Int) -> Int { Int(1 + SplitMix64.mix(UInt64(key) ^ 22) % 12) }

  /// The class of the requests for `key`: one of five.
  public static func requestClass(of key: Int) -> Int { key % 5 }

  /// Returns the lifetime of an object of `key`, in operations.
  public static func timeToLive(of key: Int) -> Int {
    Int(1 + SplitMix64.mix(UInt64(key) ^ 33) % 40)
  }

  /// The keys of the requests, in their order.
  public var requestedKeys: [Int] {
    operations.compactMap { if case .request(let key, _) = $0 { key } else { nil } }
  }
}

/// Throws the dice for a workload.
private struct WorkloadDice {
  private enum Phase: CaseIterable {
    case skewed, loop, scan, workingSet, repeats
  }

  private var generator: SplitMix64
  private let features: Workload.Features
  private let minimumCapacity: Int
  /// The bits by which sizes are shifted, except for those of small objects.
  private let shift: Int
  private var phase = Phase.skewed
  private var left = 0
  private var position = 0
  private var recent: [Int] = [0]
  let keys: Int
  private(set) var capacity = 0
  private(set) var scanned = 0

  init(seed: UInt64, features: Workload.Features, minimumCapacity: Int) {
    generator = SplitMix64(seed: SplitMix64.mix(seed))
    self.features = features
    self.minimumCapacity = minimumCapacity
    // Up to 155 such units are below 2⁵⁵, which is the largest capacity of a cache.
    shift = features.contains(.hugeSizes) ? [47, 47, 30, 10][generator.index(below: 4)] : 0
    let objects = 1 + generator.index(below: 1 + generator.index(below: 30))
    keys = 2 + objects + generator.index(below: 2 * objects + 3)
    capacity = objects
    capacity = sized(objects)
  }

  private mutating func sized(_ objects: Int) -> Int {
    let unit = features.contains(.sizes) ? objects * 5 + generator.index(below: 5) : objects
    return max(minimumCapacity, unit << shift)
  }

  mutating func operations(_ length: Int) -> [CacheOperation] {
    (0..<length).map { _ in operation() }
  }

  private mutating func operation() -> CacheOperation {
    let roll = generator.index(below: 1000)
    if features.contains(.removals) && roll < 50 { return .remove(key: someKey()) }
    if features.contains(.removals) && roll < 53 { return .removeAll }
    if features.contains(.trims) && (100..<130).contains(roll) { return .trim }
    if features.contains(.resizes) && (200..<212).contains(roll) {
      return .resize(capacity: sized(1 + generator.index(below: 30)))
    }
    let key = nextKey()
    recent.append(key)
    return .request(key: key, size: size(of: key))
  }

  private mutating func someKey() -> Int {
    generator.index(below: 3) == 0
      ? generator.index(below: keys) : recent[generator.index(below: recent.count)]
  }

  private mutating func nextKey() -> Int {
    if left == 0 {
      phase = Phase.allCases[generator.index(below: Phase.allCases.count)]
      left = 5 + generator.index(below: 50)
      position = generator.index(below: keys)
    }
    left -= 1
    switch phase {
    case .skewed:
      let levels = Int.bitWidth - keys.leadingZeroBitCount
      return min(generator.index(below: 1 << generator.index(below: levels + 1)), keys - 1)
    case .loop:
      position = (position + 1) % keys
      return position
    case .scan:
      scanned += 1
      return keys + scanned - 1
    case .workingSet:
      return (position + generator.index(below: 1 + keys / 3)) % keys
    case .repeats:
      return recent[max(0, recent.count - 1 - generator.index(below: 8))]
    }
  }

  private mutating func size(of key: Int) -> Int {
    if !features.contains(.sizes) { return 1 }
    let word =
      features.contains(.changingSizes) && generator.index(below: 3) == 0
      ? generator.next() : SplitMix64.mix(UInt64(key) &+ 77)
    if features.contains(.emptyObjects) && word >> 5 & 3 == 0 { return 0 }
    let isExtreme = features.contains(.emptyObjects) || features.contains(.hugeSizes)
    if word % (isExtreme ? 8 : 32) == 0 {
      return capacity + (isExtreme ? capacity / 2 + 1 : 3) - Int(word >> 8) % capacity
    }
    let small = 1 + Int(word >> 40) % 9
    return word >> 50 & 3 == 0 ? small : small << shift
  }
}
