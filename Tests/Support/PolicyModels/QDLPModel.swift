/// QD-LP-FIFO: a probationary queue, a CLOCK and ghosts; the oldest first.
final class QDLPModel: PolicyModel {
  private var probation: [Int] = []
  private var clock: [Int] = []
  private var ghostQueue: [Int] = []
  private var counter: [Int: Int] = [:]
  private let maximum: Int
  private let smallShare: String
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    let bits = Int(options.parameters["bits"] ?? "2")!
    maximum = (0..<bits).reduce(1) { power, _ in power * 2 } - 1
    smallShare = options.parameters["small"] ?? "0.1"
    ghostShare = options.parameters["ghosts"]
    super.init(options)
  }

  override var residents: [Int] { probation + clock }
  override var ghosts: [Int] { ghostQueue }

  private var clockLimit: Int { capacity - max(1, ModelOptions.floor(smallShare, of: capacity)) }

  override func hit(_ key: Int) { counter[key] = min(counter[key]! + 1, maximum) }

  override func miss(_ key: Int, size: Int) -> Bool {
    let wasGhost = ghostQueue.contains(key)
    ghostQueue.take(key)
    while used + size > capacity { evict() }
    sizes[key] = size
    if wasGhost { enterClock(key) } else { probation.append(key) }
    counter[key] = 0
    return true
  }

  override func evict() {
    let before = residents.count
    while residents.count == before {
      if probation.isEmpty {
        evictFromClock()
      } else if counter[probation[0]] == 0 {
        let victim = probation.removeFirst()
        ghostQueue.append(victim)
        reportEviction(of: victim)
        restoreLimits()
      } else {
        let promoted = probation.removeFirst()
        enterClock(promoted)
        counter[promoted] = 0
      }
    }
  }

  private func enterClock(_ key: Int) {
    while !clock.isEmpty && length(of: clock) + sizes[key]! > clockLimit { evictFromClock() }
    clock.append(key)
  }

  private func evictFromClock() {
    while counter[clock[0]]! > 0 {
      let passed = clock.removeFirst()
      counter[passed]! -= 1
      clock.append(passed)
    }
    reportEviction(of: clock.removeFirst())
  }

  override func restoreLimits() {
    let limit = ghostShare.map { ModelOptions.floor($0, of: capacity) } ?? clockLimit
    while length(of: ghostQueue) > limit { ghostQueue.removeFirst() }
  }

  override func forget(_ key: Int) {
    probation.take(key)
    clock.take(key)
    ghostQueue.take(key)
  }
}
