import Eviction
import EvictionTesting

/// A policy written plainly: arrays, dictionaries and searches, slow and easy to compare with its
/// definition. It says what a cache of keys does; the fast policies must do the same.
///
/// This class keeps the account: which objects are in the cache, and how much they take together. A
/// model says what happens to them.
public class PolicyModel {
  /// The events of the cache so far.
  public private(set) var events: [CacheEvent] = []
  /// C, in objects or in size units.
  public private(set) var capacity: Int
  /// The size of each key's object when it was last resident.
  var sizes: [Int: Int] = [:]
  /// The number of size units that the objects in the cache take.
  private(set) var used = 0
  private var entered: Set<Int> = []
  private let updatesSizes: Bool
  /// The number of the operation being performed: the time of its request.
  private(set) var now = -1
  /// The size that the latest request had: on a hit, that of the resident.
  private(set) var requestSize = 1
  /// The number of the next request of the same key; `Int.max` if there is none.
  private(set) var nextUse = Int.max
  /// The stable hash of a key.
  let keyHash: (Int) -> UInt64
  /// The cost of a miss of a key.
  let cost: (Int) -> Double
  private let flippedRule: String?
  /// The filter that newcomers must pass.
  private let filter: AdmissionModel?
  private var newcomer: Int?
  /// True if the newcomer was refused in favour of a victim.
  private(set) var hasRefused = false

  init(_ options: ModelOptions) {
    filter = options.admission
    capacity = options.capacity
    updatesSizes = options.updatesSizes
    keyHash = options.keyHash
    cost = options.cost
    flippedRule = options.flippedRule
  }

  /// Returns true if this one rule is to be broken, to see that it counts.
  func breaks(_ rule: String) -> Bool { rule == flippedRule }

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
  /// Every trace of every key goes.
  func forgetAll() { for key in residents + ghosts { forget(key) } }
  /// The capacity or a size changed: quotas and limits are restored by moving and forgetting.
  func restoreLimits() {}

  // MARK: The account

  func length(of keys: [Int]) -> Int {
    var sum = 0
    for key in keys { sum += sizes[key]! }
    return sum
  }

  /// Asked when the policy has chosen a victim; if the answer is no, nothing more may be evicted for the
  /// newcomer, and `miss` returns false.
  func mayEvict(_ victim: Int) -> Bool {
    if let newcomer, let filter, filter.prefers(victim, over: newcomer) { hasRefused = true }
    return !hasRefused
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
  ///
  /// - Parameter nextUse: For a request, the number of the next one of its key.
  public final func perform(_ operation: CacheOperation, nextUse: Int = .max) {
    now += 1
    self.nextUse = nextUse
    switch operation {
    case .request(let key, let size): request(key, size: size)
    case .remove(let key): remove(key)
    case .removeAll:
      for key in residents { leave(key) }
      forgetAll()
    case .trim: if !entered.isEmpty { evict() }
    case .resize(let newCapacity):
      capacity = newCapacity
      filter?.resize(to: newCapacity)
      fit()
    }
  }

  private func request(_ key: Int, size: Int) {
    requestSize = entered.contains(key) ? sizes[key]! : size
    filter?.record(key, size: requestSize)
    if entered.contains(key) {
      events.append(.hit(key))
      hit(key)
      if updatesSizes && entered.contains(key) && sizes[key] != size {
        leave(key)
        enter(key, size: size)
        fit()
      }
    } else if size <= capacity && filter?.admits(key, size: size) ?? true
      && offer(key, size: size)
    {
      enter(key, size: size)
      events.append(.admitted(key))
      filter?.admitted(residents: entered.count)
    } else {
      events.append(.rejected(key))
    }
  }

  private func offer(_ key: Int, size: Int) -> Bool {
    newcomer = key
    let isAdmitted = miss(key, size: size)
    newcomer = nil
    hasRefused = false
    return isAdmitted
  }

  private func fit() {
    restoreLimits()
    while used > capacity { evict() }
  }
}

/// The options of a model.
public struct ModelOptions {
  /// C.
  public var capacity: Int
  /// The run's seed.
  public var seed: UInt64
  /// True if objects have sizes of their own; otherwise each counts one.
  public var isSized: Bool
  /// True if a hit gives its object the size of the request.
  public var updatesSizes: Bool
  /// The stable hash of a key.
  public var keyHash: (Int) -> UInt64 = { SplitMix64.mix(UInt64($0)) }
  /// The cost of a miss of a key.
  public var cost: (Int) -> Double = { Workload.cost(of: $0) }
  /// A rule that the model breaks, by the name it has there; nil to keep them all.
  public var flippedRule: String?
  /// The parameters as given.
  public var parameters: [String: String]
  /// The filter that newcomers must pass.
  public var admission: AdmissionModel?

  /// Options for one run; parameters as after a policy's name on a command line.
  public init(
    capacity: Int, seed: UInt64 = 42, isSized: Bool = false, updatesSizes: Bool = false,
    parameters: String = ""
  ) {
    self.capacity = capacity
    self.seed = seed
    self.isSized = isSized
    self.updatesSizes = updatesSizes
    self.parameters = [:]
    for part in parameters.split(separator: ":") {
      let sides = part.split(separator: "=", maxSplits: 1)
      self.parameters[String(sides[0])] = String(sides[1])
    }
  }

  /// ⌊share × capacity⌋ for a decimal such as 0.8.
  static func floor(_ share: String, of capacity: Int) -> Int {
    divided(share, of: capacity).quotient
  }

  /// The smallest whole number that is not less than a share of the capacity.
  static func ceiling(_ share: String, of capacity: Int) -> Int {
    let (quotient, remainder) = divided(share, of: capacity)
    return remainder > 0 ? quotient + 1 : quotient
  }

  private static func divided(
    _ share: String, of capacity: Int
  ) -> (quotient: Int, remainder: Int) {
    let parts = share.split(separator: ".", omittingEmptySubsequences: false)
    var scale = 1
    var digits = String(parts[0])
    if parts.count == 2 {
      digits += parts[1]
      for _ in parts[1] { scale *= 10 }
    }
    return scale.dividingFullWidth(Int(digits)!.multipliedFullWidth(by: capacity))
  }
}

/// The models by the names of their policies.
public enum PolicyModels {
  /// Makes the model of the policy of that name.
  public static let all: [String: @Sendable (ModelOptions) -> PolicyModel] = [
    "lru": { LRUModel($0) },
    "fifo": { FIFOModel($0) },
    "mru": { MRUModel($0) },
    "random": { RandomModel($0) },
    "lfu": { LFUModel($0) },
    "slru": { SLRUModel($0) },
    "arc": { ARCModel($0) },
    "lifo": { LIFOModel($0) },
    "clock": { CLOCKModel($0) },
    "sieve": { SIEVEModel($0) },
    "s3fifo": { S3FIFOModel($0) },
    "2q": { TwoQModel($0) },
    "qd-lp": { QDLPModel($0) },
    "random-two": { RandomTwoModel($0) },
    "lirs": { LIRSModel($0) },
    "lru-k": { LRUKModel($0) },
    "car": { CARModel($0) },
    "cart": { CARTModel($0) },
    "lfuda": { LFUDAModel($0) },
    "lfu-aging": { LFUAgingModel($0) },
    "gdsf": { GDSFModel($0) },
    "lecar": { LeCaRModel($0) },
    "cacheus": { CacheusModel($0) },
    "mq": { MQModel($0) },
    "clock-pro": { ClockProModel($0) },
    "fbr": { FBRModel($0) },
    "window-lfu": { WindowLFUModel($0) },
    "lrfu": { LRFUModel($0) },
    "lfru": { LFRUModel($0) },
    "plru": {
      $0.parameters["ways"].flatMap { Int($0) } == nil ? PLRUModel($0) : PLRUSetsModel($0)
    },
    "pannier": { PannierModel($0) },
    "wtinylfu": { WTinyLFUModel($0) },
    "opt": { OPTModel($0) },
    "belady-size": { BeladySizeModel($0) },
    "infinite": { InfiniteModel($0) },
    "gd-wheel": { GDWheelModel($0) },
    "camp": { CAMPModel($0) },
    "tlru": { TLRUModel($0) },
    "expire-soonest": { ExpireSoonestModel($0) },
    "expire-latest": { ExpireLatestModel($0) },
    "key-length": { KeyLengthModel($0) },
    "least-stale": { LeastStaleModel($0) },
    "hyperbolic": { HyperbolicModel($0) },
    "lhd": { LHDModel($0) },
    "sampled-lru": { SampledLRUModel($0) },
    "sampled-lfu": { SampledLFUModel($0) },
    "clock2q-plus": { Clock2QPlusModel($0) },
    "s4fifo": { S4FIFOModel($0) },
    "s4fifo-learned": { S4FIFOLearnedModel($0) },
    "s3fifo-d": { S3FIFODModel($0) },
    "lp-arc": { LPARCModel($0) },
    "lp-2q": { LPTwoQModel($0) },
    "cr-lfu": { CRLFUModel($0) },
    "sr-lru": { SRLRUModel($0) },
    "dlirs": { DLIRSModel($0) },
    "frd": { FRDModel($0) },
    "fifo-merge": { FIFOMergeModel($0) },
    "largest-size": { LargestSizeModel($0) },
    "lru-prob": { LRUProbModel($0) },
    "flash-prob": { FlashProbModel($0) },
    "adaptive-climb": { AdaptiveClimbModel($0) },
    "dynamic-adaptive-climb": { DynamicAdaptiveClimbModel($0) },
    "clfus": { CLFUSModel($0) },
    "segcache": { SegcacheModel($0) },
    "k-lru": { KLRUModel($0) },
    "tuqueue": { TuQueueModel($0) },
    "lirs2": { LIRS2Model($0) },
    "d-clock": { DClockModel($0) },
    "lru-mad": { LRUMADModel($0) },
    "rank": { RankModel($0) },
  ]
}

/// n/d, of lengths: 1 where both are nothing, and without limit where d is.
func ratio(of numerator: Int, to denominator: Int) -> Double {
  numerator == denominator ? 1 : Double(numerator) / Double(denominator)
}

extension Array where Element: Equatable {
  /// Takes out the element if it is there.
  mutating func take(_ element: Element) {
    if let index = firstIndex(of: element) { remove(at: index) }
  }
}
