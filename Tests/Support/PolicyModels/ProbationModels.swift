import Eviction
import EvictionTesting

/// Clock2Q+ and S4-FIFO: S3-FIFO's queues, the oldest first; an object counts no hits until enough has entered
/// the small queue after it.
class ProbationModel: PolicyModel {
  private var small: [Int] = []
  private var main: [Int] = []
  private var ghostQueue: [Int] = []
  /// What has entered the small queue after a resident of it.
  private var after: [Int: Int] = [:]
  private var hits: [Int: Int] = [:]
  private var ghostHits: [Int: Int] = [:]
  private(set) var hasEvicted = false

  var smallShare: String
  var ghostShare: String
  var threshold: Int
  var ghostThreshold: Int
  private let maximum: Int
  var skips: (Int, Int) -> Bool

  /// - Parameter skips: Returns true if an object after which so much has entered counts no hits, at that Sc.
  init(
    _ options: ModelOptions, threshold: String, maximum: Int, skips: @escaping (Int, Int) -> Bool
  ) {
    smallShare = options.parameters["small"] ?? "0.1"
    ghostShare = options.parameters["ghosts"] ?? "0.9"
    self.threshold = Int(options.parameters["threshold"] ?? threshold)!
    ghostThreshold = Int(options.parameters["reghosts"] ?? "0")!
    self.maximum = maximum
    self.skips = skips
    super.init(options)
  }

  override var residents: [Int] { small + main }
  override var ghosts: [Int] { ghostQueue }

  private var smallLimit: Int { max(1, ModelOptions.floor(smallShare, of: capacity)) }

  override func hit(_ key: Int) {
    if main.contains(key) {
      hits[key] = min(hits[key]! + 1, maximum)
    } else if !skips(after[key]!, smallLimit) || breaks("the newest of S count no hits") {
      hits[key]! += 1
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let wasGhost = ghostQueue.contains(key)
    ghostHits[key] = wasGhost ? ghostHits[key]! + 1 : 0
    ghostQueue.take(key)
    while used + size > capacity { evict() }
    let smallIsFull = length(of: small) >= smallLimit
    sizes[key] = size
    hits[key] = 0
    if ghostHits[key]! > ghostThreshold || (!hasEvicted && smallIsFull) {
      main.append(key)
    } else {
      for other in small { after[other]! += size }
      after[key] = 0
      small.append(key)
    }
    return true
  }

  override func evict() {
    hasEvicted = true
    let before = residents.count
    while residents.count == before {
      if small.isEmpty || length(of: main) > capacity - smallLimit {
        let oldest = main.removeFirst()
        if hits[oldest]! > 0 {
          hits[oldest]! -= 1
          main.append(oldest)
        } else {
          reportEviction(of: oldest)
        }
      } else {
        evictSmall()
      }
    }
  }

  private func evictSmall() {
    while !small.isEmpty {
      let oldest = small.removeFirst()
      if hits[oldest]! >= threshold {
        hits[oldest] = 0
        main.append(oldest)
      } else {
        ghostQueue.append(oldest)
        reportEviction(of: oldest)
        restoreLimits()
        return
      }
    }
  }

  override func restoreLimits() {
    while length(of: ghostQueue) > ModelOptions.floor(ghostShare, of: capacity) {
      ghostQueue.removeFirst()
    }
  }

  override func forget(_ key: Int) {
    small.take(key)
    main.take(key)
    ghostQueue.take(key)
  }
}

final class Clock2QPlusModel: ProbationModel {
  init(_ options: ModelOptions) {
    let share = options.parameters["window"] ?? "0.5"
    super.init(options, threshold: "1", maximum: 1) { after, small in
      after < ModelOptions.ceiling(share, of: small)
    }
  }
}

final class S4FIFOModel: ProbationModel {
  init(_ options: ModelOptions) {
    let share = options.parameters["skip"] ?? "0"
    super.init(options, threshold: "2", maximum: 3) { after, small in
      after < ModelOptions.floor(share, of: small)
    }
  }
}

/// S4-FIFO whose parameters are chosen once, by models of all choices over some of the keys.
final class S4FIFOLearnedModel: ProbationModel {
  private static let choices = [
    "small=0.1:threshold=2:ghosts=0.9:skip=0", "small=0.2:threshold=1:ghosts=0.9:skip=0.25",
    "small=0.2:threshold=1:ghosts=3:skip=0.25", "small=0.04:threshold=2:ghosts=0.6:skip=0.8",
    "small=0.5:threshold=1:ghosts=0.9:skip=0.25", "small=0.3:threshold=1:ghosts=6:skip=0.25",
    "small=0.13:threshold=8:ghosts=8:skip=0.25", "small=0.03:threshold=3:ghosts=1.5:skip=0.2",
    "small=0.1:threshold=20:ghosts=1.5:skip=0.8", "small=0.015:threshold=50:ghosts=0.3:skip=0.8",
    "small=0.03:threshold=5:ghosts=6:skip=1", "small=0.08:threshold=10:ghosts=2:skip=0",
    "small=0.03:threshold=5:ghosts=1.2:skip=0.05", "small=0.16:threshold=6:ghosts=4:skip=0.35",
    "small=0.015:threshold=2:ghosts=20:skip=0.05",
    "small=0.7:threshold=1:ghosts=0.9:skip=0.25:reghosts=1",
    "small=0.8:threshold=1:ghosts=0:skip=0.05", "small=0.05:threshold=2:ghosts=6:skip=0.25",
    "small=0.03:threshold=6:ghosts=1.5:skip=0.4", "small=0.05:threshold=1:ghosts=0.9:skip=0.25",
    "small=0.3:threshold=8:ghosts=3:skip=0.9",
  ]

  private let options: ModelOptions
  private let share: Int
  private let salt: UInt64
  private var left: Int
  private var miniatures: [S4FIFOModel] = []
  private var fixedSizes: [Int: Int] = [:]
  private var isEmptied = false
  /// Those that count, and the hits of each choice among them.
  private var counted = 0
  private var hits = Array(repeating: 0, count: choices.count)

  init(_ options: ModelOptions) {
    self.options = options
    let sample = Int(options.parameters["sample"] ?? "4")!
    share = min(sample, max(1, options.capacity / 20))
    var generator = SplitMix64(seed: options.seed)
    salt = generator.next() | 1
    left = ModelOptions.floor(options.parameters["learn"] ?? "4", of: options.capacity)
    super.init(options, threshold: "2", maximum: 3) { _, _ in false }
    for choice in S4FIFOLearnedModel.choices {
      let part = max(1, options.capacity / share)
      miniatures.append(S4FIFOModel(ModelOptions(capacity: part, parameters: choice)))
    }
  }

  override func hit(_ key: Int) {
    follow(key, size: requestSize)
    super.hit(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isWatched = left > 0 && hasEvicted
    follow(key, size: size)
    let isAdmitted = super.miss(key, size: size)
    if isWatched {
      left = max(0, left - max(size, 1))
      if left == 0 { choose() }
    }
    return isAdmitted
  }

  override func forget(_ key: Int) {
    if !isEmptied && residents.contains(key) { giveUp(max(sizes[key]!, 1)) }
    super.forget(key)
  }

  override func forgetAll() {
    giveUp(max(residents.count, length(of: residents)))
    isEmptied = true
    super.forgetAll()
    isEmptied = false
  }

  private func giveUp(_ size: Int) {
    if !hasEvicted { left = max(0, left - size) }
  }

  private func follow(_ key: Int, size: Int) {
    let rank = keyHash(key) &* salt
    if left == 0 || (share > 1 && rank >= UInt64.max / UInt64(share) + 1) { return }
    if fixedSizes[key] == nil {
      if size > miniatures[0].capacity { return }
      fixedSizes[key] = size
    }
    if hasEvicted { counted += 1 }
    for (number, miniature) in miniatures.enumerated() {
      miniature.perform(.request(key: key, size: fixedSizes[key]!))
      if hasEvicted, case .hit = miniature.events.last { hits[number] += 1 }
    }
  }

  private func choose() {
    let best = hits.firstIndex(of: hits.max()!)!
    let margin = ModelOptions.floor(options.parameters["margin"] ?? "0.05", of: counted - hits[0])
    if hits[best] - hits[0] <= margin { return }
    let chosen = miniatures[best]
    smallShare = chosen.smallShare
    ghostShare = chosen.ghostShare
    threshold = chosen.threshold
    ghostThreshold = chosen.ghostThreshold
    skips = chosen.skips
    restoreLimits()
  }
}
