import Eviction
import Foundation

/// An admission filter written plainly.
public class AdmissionModel {
  let options: AdmissionModelOptions

  init(_ options: AdmissionModelOptions) { self.options = options }

  func record(_ key: Int, size: Int) {}
  func admits(_ key: Int, size: Int) -> Bool { true }
  func prefers(_ victim: Int, over newcomer: Int) -> Bool { false }
  func admitted(residents: Int) {}
  func resize(to capacity: Int) {}
}

/// The options of a filter's model.
public struct AdmissionModelOptions {
  var capacity: Int
  var seed: UInt64
  var parameters: [String: String]
  let keyHash: (Int) -> UInt64 = { SplitMix64.mix(UInt64($0)) }

  /// Options for one run; parameters as after a filter's name.
  public init(capacity: Int, seed: UInt64, parameters: String) {
    self.capacity = capacity
    self.seed = seed
    self.parameters = ModelOptions(capacity: 1, parameters: parameters).parameters
  }

  /// The generator of the filter's draws.
  var generator: SplitMix64 { SplitMix64(seed: SplitMix64.mix(seed)) }

  func integer(_ name: String, default value: Int) -> Int {
    parameters[name].map { Int($0)! } ?? value
  }
}

/// The models by the names of their filters.
public enum AdmissionModels {
  /// Makes the model of the filter of that name; nil for none.
  public static let all: [String: @Sendable (AdmissionModelOptions) -> AdmissionModel?] = [
    "always": { _ in nil },
    "size": { SizeModel($0) },
    "probability": { ProbabilityModel($0) },
    "size-probability": { SizeProbabilityModel($0) },
    "bloom": { BloomModel($0) },
    "tinylfu": { TinyLFUModel($0) },
    "adaptsize": { AdaptSizeModel($0) },
  ]
}

private final class SizeModel: AdmissionModel {
  override func admits(_ key: Int, size: Int) -> Bool {
    size <= options.integer("limit", default: 524_288)
  }
}

private final class ProbabilityModel: AdmissionModel {
  private lazy var generator = options.generator

  override func admits(_ key: Int, size: Int) -> Bool {
    // The decimal 0.25 is 25 of 100.
    let parts = (options.parameters["p"] ?? "0.5").split(separator: ".")
    let decimals = parts.count == 2 ? parts[1].count : 0
    let all = (0..<decimals).reduce(1) { product, _ in product * 10 }
    return generator.index(below: all) < Int(parts.joined())!
  }
}

private class SizeProbabilityModel: AdmissionModel {
  private lazy var generator = options.generator
  lazy var c = Double(options.integer("c", default: 1_000_000))

  override func admits(_ key: Int, size: Int) -> Bool {
    Double(generator.next() / 2048) / Double(1 << 53) < Foundation.exp(-Double(size) / c)
  }
}

/// Two Bloom filters as sets of places, each with one block of 512 bits for each 64 of the keys that it
/// was made for, rounded up to a power of two.
private final class BloomModel: AdmissionModel {
  private struct Filter {
    let room: Int
    var places: Set<[UInt64]> = []
    var sizes: [Int] = []

    func places(of hash: UInt64) -> [[UInt64]] {
      var blocks = 1
      while blocks * 64 < room { blocks *= 2 }
      let second = SplitMix64.mix(hash)
      return (0..<4).map { [second % UInt64(blocks), (second >> (28 + 9 * $0)) % 512] }
    }

    func contains(_ hash: UInt64) -> Bool { places.isSuperset(of: places(of: hash)) }
  }

  private var younger: Filter
  private var older: Filter
  private var quota: Int
  private var quotaOfThisWindow: Int
  private var wasKnown = false

  override init(_ options: AdmissionModelOptions) {
    quota = ModelOptions.floor(options.parameters["window"] ?? "1", of: options.capacity)
    quotaOfThisWindow = quota
    younger = Filter(room: max(quota, 1))
    older = younger
    super.init(options)
  }

  override func record(_ key: Int, size: Int) {
    let hash = options.keyHash(key)
    wasKnown = younger.contains(hash) || older.contains(hash)
    if younger.contains(hash) { return }
    younger.places.formUnion(younger.places(of: hash))
    younger.sizes.append(size)
    let isAtEnd = younger.sizes.reduce(0, +) >= quotaOfThisWindow
    if isAtEnd || younger.sizes.count == younger.room {
      older = younger
      younger = Filter(room: isAtEnd ? older.room : 2 * older.room)
      quotaOfThisWindow = quota
    }
  }

  override func admits(_ key: Int, size: Int) -> Bool { wasKnown }

  override func resize(to capacity: Int) {
    quota = ModelOptions.floor(options.parameters["window"] ?? "1", of: capacity)
  }
}

private final class TinyLFUModel: AdmissionModel {
  private var sketch: FrequencySketchModel

  override init(_ options: AdmissionModelOptions) {
    sketch = FrequencySketchModel(options.parameters)
    super.init(options)
  }

  override func record(_ key: Int, size: Int) { sketch.record(options.keyHash(key)) }

  override func prefers(_ victim: Int, over newcomer: Int) -> Bool {
    sketch.frequency(of: options.keyHash(newcomer)) <= sketch.frequency(of: options.keyHash(victim))
  }

  override func admitted(residents: Int) { sketch.note(residents: residents) }
  override func resize(to capacity: Int) { sketch.limit(residents: capacity) }
}

/// As in the paper, with the constants of the authors' simulator.
private final class AdaptSizeModel: SizeProbabilityModel {
  private var order: [Int] = []
  private var counts: [Int: Double] = [:]
  private var rates: [Int: Double] = [:]
  private var sizes: [Int: Double] = [:]
  private var capacity: Double
  private var sinceTuning = 0
  private var due: Int

  override init(_ options: AdmissionModelOptions) {
    capacity = Double(options.capacity)
    due = options.integer("interval", default: 500_000)
    super.init(options)
    c = Double(options.integer("c", default: 32_768))
  }

  override func resize(to capacity: Int) { self.capacity = Double(capacity) }

  override func record(_ key: Int, size: Int) {
    sinceTuning += 1
    if sinceTuning == due { tune() }
    if sizes[key] == nil { order.append(key) }
    counts[key, default: 0] += 1
    sizes[key] = Double(size)
  }

  private func tune() {
    sinceTuning = 0
    due = 10_000
    if sizes.values.reduce(0, +) <= 3 * capacity { return }
    due = options.integer("interval", default: 500_000)
    for key in order {
      let count = counts[key] ?? 0
      rates[key] = rates[key].map { 0.3 * $0 + 0.7 * count } ?? count
      if rates[key]! < 0.1 {
        rates[key] = nil
        sizes[key] = nil
      }
    }
    counts = [:]
    order = order.filter { rates[$0] != nil }
    search()
  }

  /// Golden-section search between `low` and `high`, at first around the best of a grid.
  private func search() {
    let r = 0.61803399
    var low = 0.0
    var high = Foundation.log2(capacity)
    var left = (at: high, hits: 0.0)
    var grid = 2.0
    while grid < high {
      if hits(grid) > left.hits { left = (grid, hits(grid)) }
      grid += 4
    }
    var right = left
    if high - left.at > left.at - low {
      let at = left.at + (1 - r) * (high - left.at)
      right = (at, hits(at))
    } else {
      let at = low + (1 - r) * (left.at - low)
      left = (at, hits(at))
    }
    for _ in 0..<options.integer("iterations", default: 15) {
      if abs(high - low) <= 3e-8 * (abs(left.at) + abs(right.at)) { break }
      if right.hits > left.hits {
        low = left.at
        left = right
        let at = r * left.at + (1 - r) * high
        right = (at, hits(at))
      } else {
        high = right.at
        right = left
        let at = r * right.at + (1 - r) * low
        left = (at, hits(at))
      }
    }
    c = Foundation.pow(2, left.hits > right.hits ? left.at : right.at)
  }

  private func hits(_ log2c: Double) -> Double {
    let objects = order.map { key in
      (
        rate: rates[key]!, size: sizes[key]!,
        p: Foundation.exp(-sizes[key]! / Foundation.pow(2, log2c))
      )
    }
    let load = objects.reduce(0) { $0 + $1.rate * $1.p * $1.size }
    if load <= 0 { return 0 }
    var time = capacity / load
    for _ in 0..<10 {
      if time > 1e70 { break }
      let occupied = objects.reduce(0) { sum, object in
        let x = object.rate * time
        let grown = object.p * (Foundation.exp(x) - 1)
        return sum + (x > 150 ? object.size : object.size * (grown / (1 + grown)))
      }
      time = capacity * time / occupied
    }
    return objects.reduce(0) { sum, object in
      let x = object.rate * time
      let n = x * (840 + x * (60 + x * (20 + x)))
      let d = 840 + x * (-360 + x * (60 - 4 * x))
      return sum + object.rate * min(max(object.p * n / (d + object.p * n), 0), 1)
    }
  }
}
