import Eviction
import Foundation

/// The state that LeCaR and Cacheus share: residents with a frequency and a last use, two experts who nominate
/// a victim, one draw for each eviction, and two histories, the oldest-evicted first.
class ExpertsModel: PolicyModel {
  var frequency: [Int: Int] = [:]  // of residents and ghosts
  var lastUse: [Int: Int] = [:]
  var clock = 0
  var histories: [[Int]] = [[], []]  // what LRU evicted, what LFU evicted
  var weights = [0.5, 0.5]
  var generator: SplitMix64
  let ghostShare: String

  init(_ options: ModelOptions, ghostShare: String) {
    generator = SplitMix64(seed: options.seed)
    self.ghostShare = options.parameters["ghosts"] ?? ghostShare
    super.init(options)
  }

  override var ghosts: [Int] { histories[0] + histories[1] }

  /// Whom the recency expert would evict.
  var recencyNominee: Int { fatalError("a model has two experts") }
  /// Whom the frequency expert would evict.
  var frequencyNominee: Int { fatalError("a model has two experts") }

  /// The least frequent residents, from the least to the most recently used.
  var leastFrequent: [Int] {
    let lowest = residents.map { frequency[$0]! }.min()!
    return residents.filter { frequency[$0]! == lowest }.sorted { lastUse[$0]! < lastUse[$1]! }
  }

  func use(_ key: Int) {
    clock += 1
    lastUse[key] = clock
  }

  /// Returns the history that remembers the key.
  func history(of key: Int) -> Int? { histories.firstIndex { $0.contains(key) } }

  func punish(expert: Int, factor: Double) {
    weights[expert] *= factor
    let share = weights[0] / (weights[0] + weights[1])
    weights[0] = share < 0.01 ? 0.01 : share > 0.99 ? 0.99 : share
    weights[1] = 1 - weights[0]
  }

  override func evict() {
    let nominees = [recencyNominee, frequencyNominee]
    let expert = Double(generator.next() / 2048) / 9_007_199_254_740_992 < weights[0] ? 0 : 1
    let victim = nominees[expert]
    let isAgreed = nominees[0] == nominees[1]
    leave(victim, rememberedBy: isAgreed ? nil : expert)
    if isAgreed {
      frequency[victim] = nil
    } else {
      histories[expert].append(victim)
    }
    reportEviction(of: victim)
    boundHistories()
  }

  /// The victim leaves the list it is in.
  func leave(_ victim: Int, rememberedBy expert: Int?) {}

  func boundHistories() {
    for expert in 0...1 {
      while length(of: histories[expert]) > ModelOptions.floor(ghostShare, of: capacity) {
        forget(histories[expert][0])
      }
    }
  }

  override func forget(_ key: Int) {
    frequency[key] = nil
    histories[0].take(key)
    histories[1].take(key)
  }

  override func restoreLimits() { boundHistories() }
}

/// LeCaR: LRU and LFU; a mistake costs the more the sooner it shows.
final class LeCaRModel: ExpertsModel {
  private var order: [Int] = []  // least recent first
  private var time = 0
  private var evictedAt: [Int: Int] = [:]
  private let learningRate: Double

  init(_ options: ModelOptions) {
    learningRate = Double(options.parameters["rate"] ?? "0.45")!
    super.init(options, ghostShare: "1")
  }

  override var residents: [Int] { order }
  override var recencyNominee: Int { order[0] }
  override var frequencyNominee: Int { leastFrequent[0] }

  override func hit(_ key: Int) {
    time += requestSize
    use(key)
    frequency[key]! += 1
    order.take(key)
    order.append(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    time += size
    if let expert = history(of: key) {
      let regret = pow(0.005, Double(time - evictedAt[key]!) / Double(capacity))
      punish(expert: expert, factor: exp(-learningRate * regret))
      histories[expert].take(key)
    }
    while used + size > capacity { evict() }
    use(key)
    sizes[key] = size
    frequency[key] = (frequency[key] ?? 0) + 1
    order.append(key)
    return true
  }

  override func leave(_ victim: Int, rememberedBy expert: Int?) {
    order.take(victim)
    evictedAt[victim] = time
  }

  override func forget(_ key: Int) {
    super.forget(key)
    order.take(key)
  }
}
