import EvictionTesting

/// A policy written plainly: arrays, dictionaries and searches, slow and easy to compare with its
/// definition. It says what a cache of keys does; the fast policies must do the same.
///
/// This class keeps the account: which objects are in the cache, and how much they take together. A
/// model says what happens to them.
public class PolicyModel {
  /// What the cache did so far.
  public private(set) var events: [CacheEvent] = []
  /// C, in objects or in size units.
  public private(set) var capacity: Int
  /// The size of each key's object when it was last resident.
  var sizes: [Int: Int] = [:]
  /// How many size units the objects in the cache take.
  private(set) var used = 0
  private var entered: Set<Int> = []
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

  func length(of keys: [Int]) -> Int {
    var sum = 0
    for key in keys { sum += sizes[key]! }
    return sum
  }

  /// Called when the policy has chosen a victim and forgotten where it was.
  func reportEviction(of key: Int) {
    events.append(.evicted(key))
    leave(key)
  }

  private func enter(_ key: Int, size: Int) {
    entered.insert(key)
    sizes[key] = size
    used += size
  }

  private func leave(_ key: Int) {
    if entered.remove(key) != nil { used -= sizes[key]! }
  }

  private func remove(_ key: Int) {
    leave(key)
    forget(key)
  }

  /// Performs one operation.
  public final func perform(_ operation: CacheOperation) {
    switch operation {
    case .request(let key, let size): request(key, size: size)
    case .remove(let key): remove(key)
    case .removeAll: for key in residents + ghosts { remove(key) }
    case .trim: if used > 0 { evict() }
    case .resize(let newCapacity):
      capacity = newCapacity
      fit()
    }
  }

  private func request(_ key: Int, size: Int) {
    if entered.contains(key) {
      events.append(.hit(key))
      hit(key)
      if updatesSizes && entered.contains(key) && sizes[key] != size {
        leave(key)
        enter(key, size: size)
        fit()
      }
    } else if size <= capacity && miss(key, size: size) {
      enter(key, size: size)
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
