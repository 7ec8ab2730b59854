import Eviction

/// An index into the array of residents is drawn; whatever leaves, the last resident takes its place.
class RandomModel: PolicyModel {
  fileprivate var array: [Int] = []
  fileprivate var generator: SplitMix64

  override init(_ options: ModelOptions) {
    generator = SplitMix64(seed: options.seed)
    super.init(options)
  }

  override var residents: [Int] { array }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    array.append(key)
    return true
  }

  override func evict() {
    let victim = array[generator.index(below: array.count)]
    forget(victim)
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) {
    guard let index = array.firstIndex(of: key) else { return }
    if breaks("the last resident takes the victim's place") {
      array.remove(at: index)
    } else {
      array[index] = array[array.count - 1]
      array.removeLast()
    }
  }
}

/// Two independent draws; of the two, the key whose last request is older leaves.
final class RandomTwoModel: RandomModel {
  private var lastUse: [Int: Int] = [:]

  override func hit(_ key: Int) { lastUse[key] = now }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isAdmitted = super.miss(key, size: size)
    lastUse[key] = now
    return isAdmitted
  }

  override func evict() {
    let drawn =
      [array[generator.index(below: array.count)]]
      + [array[generator.index(below: array.count)]]
    let victim = lastUse[drawn[0]]! < lastUse[drawn[1]]! ? drawn[0] : drawn[1]
    forget(victim)
    reportEviction(of: victim)
  }
}
