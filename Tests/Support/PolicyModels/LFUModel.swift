/// The lowest frequency leaves; among equals the least recently used, or the oldest insertion.
///
/// With a perfect history a key's frequency outlives its object. The history may be bounded: then the
/// oldest-evicted key is forgotten first, and a key that is requested leaves the history before room is
/// made for its object, so that its own request cannot make the cache forget it.
final class LFUModel: PolicyModel {
  private var frequency: [Int: Int] = [:]  // of residents
  private var insertion: [Int: Int] = [:]
  private var lastUse: [Int: Int] = [:]
  private var clock = 0

  private var history: [Int] = []  // evicted keys, the oldest-evicted first
  private var remembered: [Int: Int] = [:]  // their frequencies

  private let byInsertion: Bool
  private let isPerfect: Bool
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    byInsertion = options.parameters["ties"] == "fifo"
    isPerfect = options.parameters["history"] == "perfect"
    ghostShare = options.parameters["ghosts"]
    super.init(options)
  }

  override var residents: [Int] { Array(frequency.keys) }
  override var ghosts: [Int] { history }

  override func hit(_ key: Int) {
    clock += 1
    frequency[key]! += 1
    lastUse[key] = clock
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let earlier = remembered[key] ?? 0
    remembered[key] = nil
    history.take(key)
    while used + size > capacity { evict() }
    clock += 1
    sizes[key] = size
    frequency[key] = earlier + 1
    insertion[key] = clock
    lastUse[key] = clock
    return true
  }

  override func evict() {
    var victim: Int?
    for key in residents {
      guard let best = victim else {
        victim = key
        continue
      }
      let age = byInsertion ? insertion : lastUse
      let isLess =
        breaks("the lowest frequency leaves")
        ? frequency[key]! > frequency[best]! : frequency[key]! < frequency[best]!
      if isLess
        || (frequency[key]! == frequency[best]! && age[key]! < age[best]!)
      {
        victim = key
      }
    }
    let key = victim!
    if isPerfect {
      remembered[key] = frequency[key]
      history.append(key)
    }
    frequency[key] = nil
    reportEviction(of: key)
    restoreLimits()
  }

  override func forget(_ key: Int) {
    frequency[key] = nil
    remembered[key] = nil
    history.take(key)
  }

  override func restoreLimits() {
    guard let ghostShare else { return }
    let limit = ModelOptions.floor(ghostShare, of: capacity)
    while length(of: history) > limit || limit == 0 && !history.isEmpty {
      remembered[history.removeFirst()] = nil
    }
  }
}
