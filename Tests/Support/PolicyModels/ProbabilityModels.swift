import Eviction
import Parameters

/// LRU whose hits move with some probability.
final class LRUProbModel: FIFOModel {
  private var generator: SplitMix64
  private let probability: Fraction

  override init(_ options: ModelOptions) {
    generator = SplitMix64(seed: options.seed)
    probability = Fraction(parsing: options.parameters["probability"] ?? "0.5")!
    super.init(options)
  }

  override func hit(_ key: Int) {
    if generator.index(below: probability.denominator) < probability.numerator { makeNewest(key) }
  }
}

/// An LRU before a FIFO queue that some of its victims enter; the oldest first.
final class FlashProbModel: PolicyModel {
  private var memory: [Int] = []
  private var flash: [Int] = []
  private var generator: SplitMix64
  private let memoryShare: String
  private let probability: Fraction

  override init(_ options: ModelOptions) {
    generator = SplitMix64(seed: options.seed)
    memoryShare = options.parameters["memory"] ?? "0.05"
    probability = Fraction(parsing: options.parameters["probability"] ?? "0.2")!
    super.init(options)
  }

  override var residents: [Int] { memory + flash }

  override func hit(_ key: Int) {
    if memory.contains(key) {
      memory.take(key)
      memory.append(key)
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    memory.append(key)
    return true
  }

  override func evict() {
    let limit = capacity - ModelOptions.floor(memoryShare, of: capacity)
    let before = residents.count
    while residents.count == before {
      if memory.isEmpty {
        reportEviction(of: flash.removeFirst())
        continue
      }
      let isDrawn = generator.index(below: probability.denominator) < probability.numerator
      let oldest = memory[0]
      if isDrawn && sizes[oldest]! <= limit {
        while length(of: flash) + sizes[oldest]! > limit { reportEviction(of: flash.removeFirst()) }
        memory.removeFirst()
        flash.append(oldest)
      } else {
        reportEviction(of: memory.removeFirst())
      }
    }
  }

  override func forget(_ key: Int) {
    memory.take(key)
    flash.take(key)
  }
}
