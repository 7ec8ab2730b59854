import Eviction
import Foundation

/// Cacheus: SR-LRU and CR-LFU, a mistake costs e^−rate, and the rate follows the hit ratio.
final class CacheusModel: ExpertsModel {
  private var r: [Int] = []  // least recent first
  private var sr: [Int] = []
  private var demotedKeys: Set<Int> = []  // of those in SR
  private var newKeys: Set<Int> = []  // residents and ghosts
  private var srLimit: Int
  private var rate: RateModel

  init(_ options: ModelOptions) {
    srLimit = max(1, Int((Double(options.capacity) / 100).rounded()))
    rate = RateModel(period: options.capacity)
    super.init(options, ghostShare: "0.5")
  }

  override var residents: [Int] { r + sr }
  override var recencyNominee: Int { (sr + r)[0] }
  override var frequencyNominee: Int { leastFrequent.last! }

  private var rLimit: Int { capacity - srLimit }
  private var demoted: Int { length(of: sr.filter { demotedKeys.contains($0) }) }
  private var newGhosts: Int { length(of: histories[0].filter { newKeys.contains($0) }) }

  override func hit(_ key: Int) {
    rate.request(requestSize, &generator)
    rate.hits += requestSize
    use(key)
    frequency[key]! += 1
    if r.contains(key) {
      r.take(key)
    } else {
      if demotedKeys.contains(key) {
        srLimit = max(1, srLimit - step(newGhosts, demoted))
        demotedKeys.remove(key)
      }
      sr.take(key)
      while length(of: r) + sizes[key]! > rLimit && !r.isEmpty { demote() }
    }
    r.append(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    rate.request(size, &generator)
    if let expert = history(of: key) {
      histories[expert].take(key)
      if expert == 0 && newKeys.contains(key) {
        srLimit = min(srLimit + step(demoted, newGhosts, size: size), max(1, capacity - 1))
      }
      punish(expert: expert, factor: exp(-rate.rate))
      while used + size > capacity { evict() }
      newKeys.remove(key)
      sizes[key] = size
      r.append(key)
      while length(of: r) >= rLimit && !r.isEmpty { demote() }
    } else if sr.isEmpty && length(of: r) + size <= rLimit {
      sizes[key] = size
      r.append(key)
      newKeys.remove(key)
      frequency[key] = 1
    } else if used + size <= capacity && length(of: sr) + size <= srLimit {
      sizes[key] = size
      sr.append(key)
      newKeys.remove(key)
      frequency[key] = 1
    } else {
      while used + size > capacity { evict() }
      sizes[key] = size
      sr.append(key)
      newKeys.insert(key)
      frequency[key] = 1
      while length(of: r) >= rLimit && !r.isEmpty { demote() }
    }
    use(key)
    return true
  }

  private func step(_ upper: Int, _ lower: Int, size: Int? = nil) -> Int {
    let size = size ?? requestSize
    if size == 0 { return 0 }
    let ratio = Double(upper) / Double(max(size, lower))
    return max(1, Int(ratio + 0.5)) * size
  }

  private func demote() {
    let key = r.removeFirst()
    sr.append(key)
    demotedKeys.insert(key)
  }

  override func leave(_ victim: Int, rememberedBy expert: Int?) {
    r.take(victim)
    sr.take(victim)
    demotedKeys.remove(victim)
  }

  override func forget(_ key: Int) {
    super.forget(key)
    r.take(key)
    sr.take(key)
    demotedKeys.remove(key)
    newKeys.remove(key)
  }

  override func restoreLimits() {
    srLimit = min(srLimit, max(1, capacity - 1))
    rate.setPeriod(capacity)
    while length(of: r) > rLimit { demote() }
    boundHistories()
  }
}

/// The learning rate, period by period, as in the authors' code.
private struct RateModel {
  var rate: Double
  var hits = 0
  private var elapsed = 0
  private var period: Int
  private var start: Double
  private var rates: [Double]  // of the last two periods
  private var ratio = 0
  private var zeroCount = 0
  private var negativeCount = 0

  init(period: Int) {
    self.period = period
    start = sqrt(2 * log(2) / Double(period))
    rate = start
    rates = [0, rate]
  }

  mutating func setPeriod(_ period: Int) {
    self.period = period
    start = sqrt(2 * log(2) / Double(period))
  }

  mutating func request(_ size: Int, _ generator: inout SplitMix64) {
    elapsed += size
    if elapsed < period { return }
    let newRatio = rounded(Double(hits) / Double(elapsed))
    let gain = newRatio - ratio
    let change = rounded(rates[1]) - rounded(rates[0])
    let sign = gain * change
    let amount = abs(rate * (Double(change) / 1000))
    if sign != 0 {
      rate = sign > 0 ? min(rate + amount, 1) : max(rate - amount, 0.001)
      zeroCount = 0
      negativeCount = 0
    } else if gain <= 0 {
      if newRatio == 0 && gain == 0 { zeroCount += 1 }
      if gain < 0 {
        negativeCount += 1
        zeroCount += 1
      }
      if zeroCount >= 10 {
        rate = min(max(start, 0.001), 1)
        zeroCount = 0
      } else if gain < 0 && negativeCount >= 10 {
        rate = min(max(start, 0.001), 1)
        negativeCount = 0
      } else if gain < 0 {
        anyDirection(&generator)
      }
    }
    rates = [rates[1], rate]
    ratio = newRatio
    elapsed = 0
    hits = 0
  }

  private mutating func anyDirection(_ generator: inout SplitMix64) {
    if rate >= 1 {
      rate = 0.9
    } else if rate <= 0.001 {
      rate = 0.005
    } else {
      rate = generator.index(below: 2) == 0 ? min(rate * 1.25, 1) : max(rate * 0.75, 0.001)
    }
  }

  private func rounded(_ value: Double) -> Int { Int((value * 1000).rounded(.toNearestOrEven)) }
}
