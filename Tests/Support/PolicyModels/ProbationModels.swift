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
  private var hasEvicted = false

  private let smallShare: String
  private let ghostShare: String
  private let threshold: Int
  private let ghostThreshold: Int
  private let maximum: Int
  private let skips: (Int, Int) -> Bool

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
