import Eviction
import EvictionTesting

/// Residents in an array, from which positions are drawn; whatever leaves, the last takes its place.
class SamplingModel: PolicyModel {
  var array: [Int] = []
  var generator: SplitMix64
  /// The number of the present request, from 1.
  private(set) var clock = 0

  override init(_ options: ModelOptions) {
    generator = SplitMix64(seed: options.seed)
    super.init(options)
  }

  override var residents: [Int] { array }

  func draw() -> Int { array[generator.index(below: array.count)] }

  override func hit(_ key: Int) {
    clock += 1
    begin()
    requested(key, isHit: true)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    clock += 1
    begin()
    while used + size > capacity { evict() }
    sizes[key] = size
    array.append(key)
    requested(key, isHit: false)
    return true
  }

  override func evict() {
    let key = victim()
    forget(key)
    reportEviction(of: key)
  }

  override func forget(_ key: Int) {
    guard let index = array.firstIndex(of: key) else { return }
    array[index] = array[array.count - 1]
    array.removeLast()
  }

  // What a model says.
  func begin() {}
  func requested(_ key: Int, isHit: Bool) {}
  func victim() -> Int { 0 }
}

/// The lowest frequency / age of a sample, by weight.
final class HyperbolicModel: SamplingModel {
  private var frequency: [Int: Int] = [:]
  private var entered: [Int: Int] = [:]
  private let sample: Int
  private let weight: String

  override init(_ options: ModelOptions) {
    sample = options.parameters["sample"].map { Int($0)! } ?? 64
    weight = options.parameters["weight"] ?? "none"
    super.init(options)
  }

  override func requested(_ key: Int, isHit: Bool) {
    if !isHit {
      frequency[key] = 0
      entered[key] = clock
    }
    frequency[key]! += 1
  }

  override func victim() -> Int {
    let drawn = (0..<sample).map { _ in draw() }
    var best = drawn[0]
    for key in drawn where priority(key) < priority(best) { best = key }
    return best
  }

  private func priority(_ key: Int) -> Double {
    var priority = Double(frequency[key]!) / Double(clock - entered[key]!)
    if weight.hasPrefix("cost") { priority = cost(key) == 0 ? 0 : priority * cost(key) }
    if weight.hasSuffix("size") && priority > 0 { priority /= Double(sizes[key]!) }
    return priority
  }
}

/// Redis's pool: a sample's keys with their idleness, in ascending order.
class PoolModel: SamplingModel {
  private var pool: [(key: Int, idleness: Int)] = []
  private let sample: Int
  private let poolSize: Int

  override init(_ options: ModelOptions) {
    sample = options.parameters["sample"].map { Int($0)! } ?? 5
    poolSize = options.parameters["pool"].map { Int($0)! } ?? 16
    super.init(options)
  }

  func idleness(_ key: Int) -> Int { 0 }

  override func victim() -> Int {
    if poolSize == 0 { pool = [] }
    for _ in 0..<sample {
      let key = draw()
      let new = (key: key, idleness: idleness(key))
      pool.insert(new, at: pool.firstIndex { $0.idleness >= new.idleness } ?? pool.count)
      if pool.count > max(poolSize, 1) { pool.removeFirst() }
    }
    return pool.last!.key
  }

  override func forget(_ key: Int) {
    super.forget(key)
    pool.removeAll { $0.key == key }
  }
}

/// Idleness is the number of ticks since the last request.
final class SampledLRUModel: PoolModel {
  private var lastUse: [Int: Int] = [:]
  private let resolution: Int

  override init(_ options: ModelOptions) {
    resolution = options.parameters["resolution"].map { Int($0)! } ?? 1
    super.init(options)
  }

  override func requested(_ key: Int, isHit: Bool) { lastUse[key] = clock / resolution }
  override func idleness(_ key: Int) -> Int { clock / resolution - lastUse[key]! }
}

/// A logarithmic counter that begins with 5 and loses one per idle period.
final class SampledLFUModel: PoolModel {
  private var counter: [Int: Int] = [:]
  private var lastUse: [Int: Int] = [:]
  private let logFactor: Int
  private let decay: Int

  override init(_ options: ModelOptions) {
    logFactor = options.parameters["log"].map { Int($0)! } ?? 10
    decay = options.parameters["decay"].map { Int($0)! } ?? 100_000
    super.init(options)
  }

  private var period: Int { decay == 0 ? 0 : clock / decay }

  private func decayed(_ key: Int) -> Int { max(0, counter[key]! - (period - lastUse[key]!)) }

  override func requested(_ key: Int, isHit: Bool) {
    if isHit {
      counter[key] = decayed(key)
      let steps = max(0, counter[key]! - 5) * logFactor
      if counter[key]! < 255 {
        let chance = Double(generator.next() >> 11) / 9_007_199_254_740_992
        if chance < 1 / Double(steps + 1) { counter[key]! += 1 }
      }
    } else {
      counter[key] = 5
    }
    lastUse[key] = period
  }

  override func idleness(_ key: Int) -> Int { 255 - decayed(key) }
}

/// The lowest mean delay of windows over the time since the last request, of all or of a sample.
final class LRUMADModel: SamplingModel {
  /// Per key, the times of its requests since it entered.
  private var times: [Int: [Int]] = [:]
  private var latest = Int.min
  private let sample: Int
  private let delay: Int

  override init(_ options: ModelOptions) {
    sample = options.parameters["sample"].map { Int($0)! } ?? 64
    delay = options.parameters["delay"].map { Int($0)! } ?? 100
    super.init(options)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    latest = max(latest, clock + 1 + delay)
    return super.miss(key, size: size)
  }

  override func requested(_ key: Int, isHit: Bool) {
    latest = max(latest, clock)
    times[key] = (isHit ? times[key]! : []) + [clock]
  }

  override func victim() -> Int {
    let candidates = array.count <= sample ? array : (0..<sample).map { _ in draw() }
    var best = candidates[0]
    for key in candidates where rank(key) < rank(best) { best = key }
    return best
  }

  private func rank(_ key: Int) -> (priority: Double, last: Int) {
    var windows = 0
    var delays = 0.0
    var start = 0
    for time in times[key]! {
      if windows == 0 || time - start >= delay {
        windows += 1
        start = time
      }
      delays += Double(delay - (time - start))
    }
    let last = times[key]!.last!
    return (delays / Double(windows) / Double(max(1, latest - last)), last)
  }
}
