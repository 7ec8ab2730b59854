import Eviction

/// Belady's MIN: an array of residents with their next uses, least recently used first.
final class OPTModel: PolicyModel {
  private var residents_: [(key: Int, nextUse: Int)] = []
  private let bypasses: Bool

  override init(_ options: ModelOptions) {
    bypasses = options.parameters["bypass"] == "true"
    super.init(options)
  }

  override var residents: [Int] { residents_.map(\.key) }

  override func hit(_ key: Int) {
    forget(key)
    residents_.append((key, nextUse))
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity {
      if bypasses && nextUse >= victim.nextUse { return false }
      evict()
    }
    residents_.append((key, nextUse))
    return true
  }

  override func evict() {
    let key = victim.key
    forget(key)
    reportEviction(of: key)
  }

  override func forget(_ key: Int) { residents_.removeAll { $0.key == key } }

  /// The farthest; the first of several.
  private var victim: (key: Int, nextUse: Int) {
    var best = residents_[0]
    for resident in residents_ where resident.nextUse > best.nextUse { best = resident }
    return best
  }
}

/// The largest distance times size: what is never used again in one array, the rest in another.
final class BeladySizeModel: PolicyModel {
  private var unused: [Int] = []
  private var awaited: [(key: Int, nextUse: Int)] = []
  private var generator: SplitMix64
  private let sample: Int

  override init(_ options: ModelOptions) {
    generator = SplitMix64(seed: options.seed)
    sample = Int(options.parameters["sample"] ?? "0")!
    super.init(options)
  }

  override var residents: [Int] { unused + awaited.map(\.key) }

  override func hit(_ key: Int) {
    latest = now
    if nextUse != .max, let index = awaited.firstIndex(where: { $0.key == key }) {
      awaited[index].nextUse = nextUse
    } else {
      forget(key)
      enter(key)
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    latest = now
    while used + size > capacity { evict() }
    enter(key)
    return true
  }

  override func forget(_ key: Int) {
    unused.take(key)
    guard let index = awaited.firstIndex(where: { $0.key == key }) else { return }
    awaited[index] = awaited[awaited.count - 1]
    awaited.removeLast()
  }

  /// The number of the latest request that hit or entered.
  private var latest = 0

  private func enter(_ key: Int) {
    if nextUse == .max {
      unused.append(key)
    } else {
      awaited.append((key, nextUse))
    }
  }

  override func evict() {
    var victim = unused.first
    if victim == nil {
      var candidates = awaited
      if sample > 0 {
        candidates = (0..<sample).map { _ in awaited[generator.index(below: awaited.count)] }
      }
      victim = candidates.max { worth($0) < worth($1) }!.key
    }
    forget(victim!)
    reportEviction(of: victim!)
  }

  private func worth(_ resident: (key: Int, nextUse: Int)) -> (Int, Int) {
    ((resident.nextUse - latest) * sizes[resident.key]!, resident.nextUse)
  }
}

/// A cache without limit is a FIFO that is never full.
final class InfiniteModel: FIFOModel {}
