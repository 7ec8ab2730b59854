import EvictionTesting

/// A policy written plainly: arrays, dictionaries and searches, slow and easy to compare with its
/// definition. It says what a cache of keys does; the fast policies must do the same.
///
/// This class keeps the account. A model overrides the six members below it.
public class PolicyModel {
  /// What the cache did so far.
  public private(set) var events: [CacheEvent] = []
  /// C, in objects or in size units.
  public private(set) var capacity: Int
  /// The size of each key's object when it was last resident.
  var sizes: [Int: Int] = [:]
  private let updatesSizes: Bool

  init(_ options: ModelOptions) {
    capacity = options.capacity
    updatesSizes = options.updatesSizes
  }

  // MARK: What a model says

  /// The keys whose objects are in the cache, in any order.
  public var residents: [Int] { [] }
  /// The keys that are remembered without their objects, in any order.
  public var ghosts: [Int] { [] }
  /// The request found its key resident.
  func hit(_ key: Int) {}
  /// The request missed: makes room and takes the key in. Returns whether it did.
  func miss(_ key: Int, size: Int) -> Bool { false }
  /// One eviction for a request that the policy knows nothing about.
  func evict() {}
  /// Every trace of the key goes.
  func forget(_ key: Int) {}
  /// The capacity or a size changed: quotas and limits are restored by moving and forgetting.
  func restoreLimits() {}

  // MARK: The account

  var used: Int { length(of: residents) }

  func length(of keys: [Int]) -> Int {
    var sum = 0
    for key in keys { sum += sizes[key]! }
    return sum
  }

  func reportEviction(of key: Int) { events.append(.evicted(key)) }

  /// Performs one operation.
  public final func perform(_ operation: CacheOperation) {
    switch operation {
    case .request(let key, let size): request(key, size: size)
    case .remove(let key): forget(key)
    case .removeAll: for key in residents + ghosts { forget(key) }
    case .trim: if !residents.isEmpty { evict() }
    case .resize(let newCapacity):
      capacity = newCapacity
      fit()
    }
  }

  private func request(_ key: Int, size: Int) {
    if residents.contains(key) {
      events.append(.hit(key))
      hit(key)
      if updatesSizes && residents.contains(key) && sizes[key] != size {
        sizes[key] = size
        fit()
      }
    } else if size <= capacity && miss(key, size: size) {
      events.append(.admitted(key))
    } else {
      events.append(.rejected(key))
    }
  }

  private func fit() {
    restoreLimits()
    while used > capacity { evict() }
  }
}

/// What a model is made from.
public struct ModelOptions {
  /// C.
  public var capacity: Int
  /// The run's seed.
  public var seed: UInt64
  /// Whether a hit gives its object the size of the request.
  public var updatesSizes: Bool
  /// The parameters as given.
  public var parameters: [String: String]

  /// Options for one run; parameters as after a policy's name on a command line.
  public init(
    capacity: Int, seed: UInt64 = 42, updatesSizes: Bool = false, parameters: String = ""
  ) {
    self.capacity = capacity
    self.seed = seed
    self.updatesSizes = updatesSizes
    self.parameters = [:]
    for part in parameters.split(separator: ":") {
      let sides = part.split(separator: "=")
      self.parameters[String(sides[0])] = String(sides[1])
    }
  }

  /// ⌊share × capacity⌋ for a decimal such as 0.8.
  static func floor(_ share: String, of capacity: Int) -> Int {
    let parts = share.split(separator: ".", omittingEmptySubsequences: false)
    var scale = 1
    var digits = String(parts[0])
    if parts.count == 2 {
      digits += parts[1]
      for _ in parts[1] { scale *= 10 }
    }
    return Int(digits)! * capacity / scale
  }
}

/// The models by the names of their policies.
public enum PolicyModels {
  /// The names of the policies that have a model.
  public static let names = ["lru", "fifo", "lfu", "mru", "random", "arc", "slru"]

  /// The model of a policy, or nil if it has none.
  public static func model(of policy: String, _ options: ModelOptions) -> PolicyModel? {
    switch policy {
    case "lru": LRUModel(options)
    case "fifo": FIFOModel(options)
    case "mru": MRUModel(options)
    case "random": RandomModel(options)
    case "lfu": LFUModel(options)
    case "slru": SLRUModel(options)
    case "arc": ARCModel(options)
    default: nil
    }
  }
}

extension Array where Element: Equatable {
  /// Takes out the element if it is there.
  mutating func take(_ element: Element) {
    if let index = firstIndex(of: element) { remove(at: index) }
  }
}
