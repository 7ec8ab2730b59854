/// Algorithm 1 of the SOSP 2023 paper; in each queue the tail (the oldest) first.
final class S3FIFOModel: PolicyModel {
  private var small: [Int] = []
  private var main: [Int] = []
  private var ghostQueue: [Int] = []
  private var frequency: [Int: Int] = [:]
  private var hasEvicted = false

  private let isLibCacheSim: Bool
  private let ghostFirst: Bool
  private let evictsWithin: Bool
  private let keeps: Bool
  private let fillsMain: Bool
  private let threshold: Int
  private let smallShare: String
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    let given = options.parameters
    isLibCacheSim = given["form"] == "libcachesim"
    let isPaper = given["form"] == nil || given["form"] == "paper"
    ghostFirst = (given["order"] ?? (isLibCacheSim ? "ghost-first" : "room-first")) == "ghost-first"
    evictsWithin = (given["inner"] ?? (isLibCacheSim ? "false" : "true")) == "true"
    keeps = given["keep"] == "true"
    fillsMain = given["fill"] == "main"
    threshold = Int(given["threshold"] ?? "1")!
    smallShare = given["small"] ?? "0.1"
    ghostShare = given["ghosts"] ?? (isPaper ? nil : "0.9")
    super.init(options)
  }

  override var residents: [Int] { small + main }
  override var ghosts: [Int] { ghostQueue }

  private var smallLimit: Int { max(1, ModelOptions.floor(smallShare, of: capacity)) }
  private var mainLimit: Int { capacity - smallLimit }
  private var ghostLimit: Int {
    ghostShare.map { ModelOptions.floor($0, of: capacity) } ?? mainLimit
  }

  override func hit(_ key: Int) {
    frequency[key] = min(frequency[key]! + 1, breaks("frequency goes up to 3") ? 2 : 3)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    var wasGhost = ghostQueue.contains(key)
    if ghostFirst { ghostQueue.take(key) }
    while used + size > capacity { evict() }
    if !ghostFirst {
      wasGhost = ghostQueue.contains(key)
      ghostQueue.take(key)
    }
    let smallIsFull = length(of: small) >= smallLimit
    sizes[key] = size
    frequency[key] = 0
    if wasGhost || (fillsMain && !hasEvicted && smallIsFull) {
      main.append(key)
    } else {
      small.append(key)
    }
    return true
  }

  /// One step of the loop that makes room, or as many as it takes to evict something.
  override func evict() {
    hasEvicted = true
    let before = residents.count
    while residents.count == before {
      let fromMain =
        isLibCacheSim
        ? length(of: main) > mainLimit || small.isEmpty
        : length(of: small) < smallLimit + (breaks("S may hold Sc") ? 1 : 0) && !main.isEmpty
      if fromMain { evictM() } else { evictS() }
    }
  }

  private func evictS() {
    var hasLeft = false
    let before = residents.count
    while !hasLeft && !small.isEmpty {
      if breaks("S goes on when M has freed room") && residents.count < before { return }
      let tail = small.removeFirst()
      if frequency[tail]! > threshold {
        main.append(tail)
        if !keeps { frequency[tail] = 0 }
        if evictsWithin && length(of: main) > mainLimit { evictM() }
      } else {
        ghostQueue.append(tail)
        reportEviction(of: tail)
        restoreLimits()
        hasLeft = true
      }
    }
  }

  private func evictM() {
    while true {
      let tail = main.removeFirst()
      if frequency[tail]! == 0 {
        reportEviction(of: tail)
        return
      }
      frequency[tail]! -= breaks("M takes off one") ? frequency[tail]! : 1
      main.append(tail)
    }
  }

  override func restoreLimits() {
    while length(of: ghostQueue) > ghostLimit { ghostQueue.removeFirst() }
  }

  override func forget(_ key: Int) {
    small.take(key)
    main.take(key)
    ghostQueue.take(key)
  }
}
